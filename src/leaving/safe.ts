import { checkDaysOff, checkZone } from '../calendars/parse.ts'
import { readWeek } from '../calendars/week-text.ts'
import { parseConditions } from '../conditions/parse.ts'
import { AppError } from '../errors.ts'
import { richHtml, simpleHtml } from '../lib/html/sanitise.ts'
import { isEmail, normaliseEmail } from '../lib/input/email.ts'
import { spanText } from '../lib/input/spans.ts'
import { readDefinition, spanKeyOf } from '../rules/definition.ts'
import { refuse } from './opened.ts'
import type { Row } from './tables.ts'

/*
 * What is stored is trusted: it was checked when it came in. An export comes from somebody else's installation, and may have been
 * written by hand.
 */

/** HTML that pages show as it is. */
const RICH: Readonly<Record<string, readonly string[]>> = {
  messages: ['html'],
  reply_drafts: ['html'],
  users: ['signature'],
}

/** Documents of forms, as JSON. */
const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  forms: ['pages', 'ends', 'draft', 'settings'],
  form_edits: ['content'],
  form_revisions: ['pages', 'ends'],
  form_texts: ['texts'],
}
/** Under these names they hold simple HTML; translations under names that end so. */
const HTML_NAME = /(?:^|\.)(?:title|description|text|thanks)$/
/** What readers of ours throw of what they were not made for. */
const NOT_UNDERSTOOD = [AppError, RangeError, SyntaxError, TypeError]
/** Whatever a browser could take for a tag. */
const TAG = /<[a-z!/?]/i

const understood: Readonly<Record<string, (row: Row) => void>> = {
  calendars({ zone, hours, daysOff }) {
    checkZone(String(zone), 'zone')
    readWeek(String(hours))
    checkDaysOff(daysOff, 'daysOff')
  },
  promises({ conditions }) {
    parseConditions(conditions ?? null, 'conditions', 'ticket')
  },
  rules({ name, trigger, span, conditions, actions }) {
    const key = spanKeyOf(trigger as never)
    readDefinition({
      name,
      on: trigger,
      ...(key && typeof span === 'number' ? { [key]: spanText(span) } : {}),
      when: conditions === null ? null : JSON.parse(String(conditions)),
      then: JSON.parse(String(actions)),
    })
  },
  inboxes: ({ emailAddress }) => requireAddress(emailAddress ?? null),
  users: ({ email }) => requireAddress(email),
}

function requireAddress(given: unknown): void {
  if (given === null) return
  const email = String(given)
  if (!isEmail(email) || normaliseEmail(email) !== email) throw new TypeError('its address is none as we store them')
}

/**
 * The record as it may be stored: its HTML sanitised, which changes nothing in what was. Throws UserError, naming the place, for
 * one that programs of ours would not understand.
 */
export function safeRow(kind: string, row: Row, place: string): Row {
  try {
    understood[kind]?.(row)
    return sanitised(kind, row)
  } catch (error) {
    if (NOT_UNDERSTOOD.some((kind) => error instanceof kind)) throw refuse(place, (error as Error).message)
    throw error
  }
}

function sanitised(kind: string, row: Row): Row {
  const safe = { ...row }
  for (const field of RICH[kind] ?? []) {
    const html = row[field]
    if (typeof html === 'string' && TAG.test(html)) safe[field] = safeHtml(html, field)
  }
  for (const field of DOCUMENTS[kind] ?? []) {
    const text = row[field]
    if (typeof text === 'string' && TAG.test(text)) safe[field] = safeDocument(text)
  }
  if (kind === 'forms' && typeof row.description === 'string') safe.description = simpleHtml(row.description)
  return safe
}

function safeHtml(html: string, field: string): string {
  const safe = richHtml(html, field)
  return safe === withPlainQuotes(html) ? html : safe
}

/** What was made of plain text has entities for its quotation marks, of which the sanitiser makes none. */
function withPlainQuotes(html: string): string {
  const pieces = html.split(/(<[^>]*>)/)
  return pieces
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll('&quot;', '"').replaceAll('&#x27;', "'")))
    .join('')
}

function safeDocument(text: string): string {
  const document: unknown = JSON.parse(text)
  if (typeof document !== 'object' || document === null) throw new TypeError('a document of a form is none')
  for (const [name, value] of Object.entries(document)) {
    // The title of a form is plain text, of a page it is not.
    if (name !== 'title') setSafe(document as Row, name, value)
  }
  return JSON.stringify(document)
}

function setSafe(holder: Row, name: string, value: unknown): void {
  if (typeof value === 'string') {
    if (HTML_NAME.test(name) && TAG.test(value)) holder[name] = simpleHtml(value, name)
  } else if (typeof value === 'object' && value !== null) {
    for (const [inner, child] of Object.entries(value)) setSafe(value as Row, inner, child)
  }
}
