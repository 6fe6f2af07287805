import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { invalid } from '../errors.ts'
import { prepared, type Reader } from './dialect.ts'

/** One page of a list. `nextCursor` is null on the last. */
export interface Page<Row> {
  rows: Row[]
  nextCursor: string | null
}

/** Which page is wanted. `limit` is 1 to 100. */
export interface PageRequest {
  cursor: string | undefined
  limit: number
}

type FilterValue = string | number | boolean | undefined

interface SelectQuery<Row> extends PromiseLike<Row[]> {
  $dynamic(): {
    where(condition: SQL | undefined): unknown
  }
}

interface KeysetSpec<Row, Filters extends string> {
  /** The list's name: a cursor of one list is refused by another. */
  name: string
  select(db: Reader): SelectQuery<Row>
  tenantId: AnySQLiteColumn
  /** Immutable and later for newer rows; lists go newest first (decisions §1). */
  key: AnySQLiteColumn
  keyOf(row: Row): string
  filters: Record<Filters, (value: SQL) => SQL>
  /** What always holds for a row of the list. */
  always?: SQL
}

/**
 * The one way lists are read: newest first on an immutable key, so paging under concurrent changes neither skips nor
 * repeats a row. Each combination of filters becomes one prepared query, built when first asked for. Filters left
 * undefined do not apply. `within` names what the list belongs to besides its tenant (a form, a ticket): its values
 * are filters too, and part of the cursor's identity. Throws `invalid_request` for a cursor that is not this list's.
 */
export function keysetList<Row, Filters extends string>(spec: KeysetSpec<Row, Filters>) {
  const queries = new Map<string, ReturnType<typeof build<Row, Filters>>>()

  return async (
    db: Reader,
    tenantId: string,
    page: PageRequest,
    filters: Partial<Record<Filters, FilterValue>> = {},
    within: readonly Filters[] = [],
  ): Promise<Page<Row>> => {
    const given = (Object.keys(spec.filters) as Filters[]).filter((name) => filters[name] !== undefined)
    const owner = [spec.name, tenantId, ...within.map((name) => filters[name])].join('/')
    const after = page.cursor === undefined ? undefined : openCursor(page.cursor, owner)

    const shape = `${given.join()}|${after === undefined}`
    let query = queries.get(shape)
    if (!query) {
      query = build(spec, given, after !== undefined)
      queries.set(shape, query)
    }
    const parameters: Record<string, unknown> = { tenantId, after, limit: page.limit + 1 }
    for (const name of given) {
      const value = filters[name]
      parameters[name] = typeof value === 'boolean' ? Number(value) : value
    }
    const rows = (await query(db).execute(parameters)) as Row[]
    if (rows.length <= page.limit) return { rows, nextCursor: null }
    rows.pop()
    return { rows, nextCursor: sealCursor(spec.keyOf(rows[rows.length - 1] as Row), owner) }
  }
}

function build<Row, Filters extends string>(spec: KeysetSpec<Row, Filters>, given: Filters[], hasCursor: boolean) {
  return prepared((db) => {
    const query = spec.select(db).$dynamic() as unknown as {
      where(c: SQL | undefined): { orderBy(o: SQL): { limit(l: SQL): { prepare(): { execute(p: object): unknown } } } }
    }
    return query
      .where(
        and(
          eq(spec.tenantId, sql.placeholder('tenantId')),
          spec.always,
          ...given.map((name) => spec.filters[name](sql`${sql.placeholder(name)}`)),
          hasCursor ? lt(spec.key, sql.placeholder('after')) : undefined,
        ),
      )
      .orderBy(desc(spec.key))
      .limit(sql.placeholder('limit') as unknown as SQL)
      .prepare()
  })
}

/**
 * A cursor is the last key with a check over it and its list. The check finds cursors that were altered or belong to
 * another list or tenant; it need not be secret, since a query is bound to its tenant whatever the cursor says.
 */
export function sealCursor(key: string, owner: string): string {
  return Buffer.from(`${checkOf(key, owner)}${key}`).toString('base64url')
}

/** The key inside a cursor. Throws `invalid_request` when it was altered or is another list's. */
export function openCursor(cursor: string, owner: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const key = text.slice(CHECK_LENGTH)
  if (sealCursor(key, owner) !== cursor) throw invalid('cursor', 'is not a cursor of this list')
  return key
}

const CHECK_LENGTH = 12

function checkOf(key: string, owner: string): string {
  return new Bun.CryptoHasher('sha256').update(`${owner}\n${key}`).digest('base64url').slice(0, CHECK_LENGTH)
}
