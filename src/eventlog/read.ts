import type { KeyPrincipal } from '../caller.ts'
import type { Reader } from '../db/index.ts'
import { openCursor, sealCursor } from '../db/lists/cursor.ts'
import { AppError, invalid, rule } from '../errors.ts'
import { type LogRequest, readLog, type StoredEvent } from '../events/log.ts'
import { type LogText, readLogText } from '../events/log-text.ts'
import { BEGINNING, type Place, placeBefore } from '../events/places.ts'
import { type EventName, eventNames, eventScopes } from '../kinds/events.ts'
import type { Scope } from '../kinds/scopes.ts'
import { eventJson } from '../webhooks/body/envelope.ts'

/* Which of the events a key may read, from where, and how they are shown. */

type Holder = Pick<KeyPrincipal, 'tenantId' | 'scopes'>

/**
 * The kinds of events that a key asks for: those in `types`, else all that its scopes cover. Throws `invalid_request` for a
 * kind that does not exist, and `insufficient_scope` for one that the key may not read, or where it may read none.
 */
export function kindsFor({ scopes }: Holder, types: string | undefined): readonly EventName[] {
  const own = eventNames.filter((name) => scopes.includes(eventScopes[name]))
  if (types !== undefined) return types.split(',').map((name) => kindNamed(name, own))
  if (own.length > 0) return own
  const any = [...new Set(Object.values(eventScopes))]
  throw new AppError('insufficient_scope', `this key lacks a scope that reads events: ${any.join(', ')}`)
}

function kindNamed(name: string, own: readonly EventName[]): EventName {
  const kind = eventNames.find((known) => known === name)
  if (!kind) throw invalid('types', rule('one_of', { choices: eventNames.join(', ') }))
  if (!own.includes(kind)) throw lacking(eventScopes[kind])
  return kind
}

function lacking(scope: Scope): AppError {
  return new AppError('insufficient_scope', `this key lacks the scope ${scope}`)
}

/** From where the log is read: a cursor says it, else a time; without either it is its beginning. Throws `invalid_request`. */
export async function placeFor(
  db: Reader,
  { tenantId }: Holder,
  cursor: string | undefined,
  since: string | undefined,
): Promise<Place> {
  if (cursor !== undefined) return placeOf(openCursor(cursor, ownerOf(tenantId)))
  return since === undefined ? BEGINNING : placeBefore(db, since)
}

function placeOf(key: string): Place {
  const [transaction, number] = key.split('.').map(Number) as [number, number]
  return { transaction, number }
}

function ownerOf(tenantId: string): string {
  return `events/${tenantId}`
}

/** What is shown of the log: each event as in a delivery, but without the contact where the key may not read contacts. */
export async function readShown(db: Reader, { tenantId, scopes }: Holder, request: LogRequest): Promise<LogText> {
  const { after, kinds, since, limit } = request
  if (kinds.length === eventNames.length && since === undefined) return readLogText(db, tenantId, after, limit)
  const { events, place } = await readLog(db, tenantId, request)
  const shown = scopes.includes('contacts:read') ? events : events.map(withoutContact)
  return { json: shown.map(eventJson).join(), place }
}

/** A page as it is answered. */
export function pageJson({ tenantId }: Holder, { json, place }: LogText): string {
  const cursor = sealCursor(`${place.transaction}.${place.number}`, ownerOf(tenantId))
  return `{"items":[${json}],"nextCursor":"${cursor}"}`
}

function withoutContact(event: StoredEvent): StoredEvent {
  if (event.event !== 'response.created') return event
  return { ...event, payload: JSON.stringify({ ...JSON.parse(event.payload), contact: null }) }
}
