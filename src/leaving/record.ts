import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { parseTime } from '../lib/time.ts'
import { JSON_TEXT, SECRET, TOLD } from './exported.ts'
import { type Line, refuse } from './opened.ts'
import { safeRow } from './safe.ts'
import type { Row, TenantTable } from './tables.ts'

/** A record as its line says it: what is stored of it, and what is told of the rest. */
export interface Told {
  readonly row: Row
  readonly told: Readonly<Record<string, boolean>>
}

/** Columns of text that has to be JSON, which is exported as the text it is. */
const JSON_AS_TEXT: Readonly<Record<string, readonly string[]>> = {
  rule_misses: ['failed'],
  rule_runs: ['actions'],
  rules: ['actions', 'conditions'],
  ticket_figures: ['answers'],
}

/** Columns of JSON in which an earlier version left plain text. */
const PLAIN: Readonly<Record<string, readonly string[]>> = { refused_lines: ['rule'] }

/** By their names: whatever is one is stored in one form, by which it is compared. */
const TIME = /(?:At|Until)$|^(?:at|since)$/
const ID = /^[\w-]{1,64}$/

/** Reads the records of a table, one line after the other. Throws UserError naming the line, and what is wrong in it. */
export function* readAll(table: TenantTable, lines: Iterable<Line>): Generator<{ told: Told } & Omit<Line, 'record'>> {
  const read = recordReader(table)
  for (const line of lines) {
    const { row, told } = read(line)
    yield { told: { row: safeRow(table.name, row, line.place), told }, place: line.place, size: line.size }
  }
}

function recordReader({ name, columns }: TenantTable): (line: Line) => Told {
  const hidden = new Set(['tenantId', ...(SECRET[name] ?? [])])
  const json = new Set(JSON_TEXT[name])
  const jsonAsText = new Set(JSON_AS_TEXT[name])
  const plain = new Set(PLAIN[name])
  const tells = new Set(Object.keys(TOLD[name] ?? {}))
  const shown = Object.entries(columns).filter(([field]) => !hidden.has(field))
  const known = new Set([...shown.map(([field]) => field), ...tells])

  function stored(field: string, column: AnySQLiteColumn, value: unknown): unknown {
    if (!json.has(field)) return checked(field, column, value)
    if (typeof value === 'object') return JSON.stringify(value)
    if (typeof value === 'string' && plain.has(field)) return value
    throw new Broken('is no JSON object or list')
  }

  function checked(field: string, column: AnySQLiteColumn, value: unknown): unknown {
    const { dataType } = column
    if (dataType === 'number') {
      if (!Number.isSafeInteger(value)) throw new Broken('is no whole number')
      return value
    }
    if (dataType === 'boolean') {
      if (typeof value !== 'boolean') throw new Broken('is neither true nor false')
      return value
    }
    if (dataType === 'json') {
      if (typeof value !== 'object') throw new Broken('is no JSON object or list')
      // As deep as it can be written again.
      JSON.stringify(value)
      return value
    }
    if (typeof value !== 'string') throw new Broken('is no text')
    if (!value.isWellFormed()) throw new Broken('has half a character in it')
    const choices = (column.enumValues ?? []) as readonly string[]
    if (choices.length > 0 && !choices.includes(value)) throw new Broken(`is none of ${choices.join(', ')}`)
    if (TIME.test(field) && parseTime(value) !== value) throw new Broken('is no time as exports write them')
    if (field === 'id' && !ID.test(value)) throw new Broken('is no id')
    if (jsonAsText.has(field)) requireJson(value)
    return value
  }

  return ({ record, place }) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) throw refuse(place, 'is no JSON object')
    for (const field of Object.keys(record)) {
      if (field === 'tenantId') throw refuse(place, 'names a tenant: the manifest alone says whose all of it is')
      if (!known.has(field)) {
        throw refuse(
          place,
          `has a field ${JSON.stringify(field.slice(0, 100))} that ${name} of this version do not have`,
        )
      }
    }
    const given = record as Row
    const row: Row = {}
    for (const [field, column] of shown) {
      const value = Object.hasOwn(given, field) ? given[field] : undefined
      if (value === undefined) {
        // One of an earlier version had no such column.
        if (column.notNull && !column.hasDefault) throw refuse(place, `has no ${field}`)
        continue
      }
      if (value === null) {
        if (column.notNull) throw refuse(place, `has no ${field}`)
        row[field] = null
        continue
      }
      try {
        row[field] = stored(field, column, value)
      } catch (error) {
        if (error instanceof Broken) throw refuse(place, `its ${field} ${error.message}`)
        if (error instanceof RangeError) throw refuse(place, `its ${field} is nested too deeply`)
        throw error
      }
    }
    const told: Record<string, boolean> = {}
    for (const field of tells) {
      const value = Object.hasOwn(given, field) ? given[field] : undefined
      if (value !== undefined && typeof value !== 'boolean')
        throw refuse(place, `its ${field} is neither true nor false`)
      if (typeof value === 'boolean') told[field] = value
    }
    return { row, told }
  }
}

/** What is wrong with a value. */
class Broken extends Error {}

function requireJson(text: string): void {
  try {
    if (typeof JSON.parse(text) === 'object') return
  } catch {}
  throw new Broken('is no JSON object or list')
}
