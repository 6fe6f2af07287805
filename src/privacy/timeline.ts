import { type ConsentEntry, listConsent } from '../audit/consent.ts'
import { idsOfContact } from '../contacts/merged.ts'
import type { Reader } from '../db/index.ts'
import { openCursor, sealCursor } from '../db/lists/cursor.ts'
import type { PageRequest } from '../db/lists/keyset.ts'
import { listResponsesOfContact, type ResponseOfContact } from '../responses/lists/of-contact.ts'
import type { Ticket } from '../tickets/model.ts'
import { listTicketsOfContact } from '../tickets/read.ts'

/** Something that happened with a contact. */
export type TimelineEntry =
  | { readonly kind: 'ticket'; readonly at: string; readonly ticket: Ticket }
  | { readonly kind: 'response'; readonly at: string; readonly response: ResponseOfContact }
  | { readonly kind: 'consent'; readonly at: string; readonly consent: ConsentEntry }

/** The last of each kind that was shown; '' for none yet. */
type Position = Record<TimelineEntry['kind'], string>

const START: Position = { ticket: '', response: '', consent: '' }

/**
 * A page of what happened with a contact, newest first: tickets, responses to all forms, and what they agreed to and took
 * back. Throws `invalid_request` for a cursor of another contact.
 */
export async function readTimeline(
  db: Reader,
  tenantId: string,
  contactId: string,
  { cursor, limit }: PageRequest,
): Promise<{ items: TimelineEntry[]; nextCursor: string | null }> {
  const owner = ['timeline', tenantId, contactId].join('/')
  const after = cursor === undefined ? START : readPosition(openCursor(cursor, owner))
  const asked = (before: string) => ({ before: before || undefined, limit: limit + 1 })
  const tickets = await listTicketsOfContact(db, tenantId, contactId, asked(after.ticket))
  const responses = await listResponsesOfContact(db, tenantId, contactId, asked(after.response))
  const consents = await listConsent(db, tenantId, await idsOfContact(db, tenantId, contactId), {
    before: after.consent === '' ? undefined : Number(after.consent),
    limit: limit + 1,
  })
  const all: TimelineEntry[] = [
    ...tickets.map((ticket) => ({ kind: 'ticket', at: ticket.createdAt, ticket }) as const),
    ...responses.map((response) => ({ kind: 'response', at: response.startedAt, response }) as const),
    ...consents.map((consent) => ({ kind: 'consent', at: consent.at, consent }) as const),
  ]
  const items = merged(all).slice(0, limit)
  const position = { ...after }
  for (const entry of items) position[entry.kind] = keyOf(entry)
  const { ticket, response, consent } = position
  return { items, nextCursor: all.length > limit ? sealCursor([ticket, response, consent].join('~'), owner) : null }
}

/** By time, without changing the order within a kind, which is what cursors rely on. */
function merged(all: readonly TimelineEntry[]): TimelineEntry[] {
  const kinds = [...Map.groupBy(all, ({ kind }) => kind).values()]
  const result: TimelineEntry[] = []
  while (result.length < all.length) {
    const heads = kinds.filter((entries) => entries.length > 0)
    const newest = heads.reduce((a, b) => ((b[0] as TimelineEntry).at > (a[0] as TimelineEntry).at ? b : a))
    result.push(newest.shift() as TimelineEntry)
  }
  return result
}

function keyOf(entry: TimelineEntry): string {
  if (entry.kind === 'ticket') return entry.ticket.id
  return entry.kind === 'response' ? entry.response.id : String(entry.consent.number)
}

function readPosition(key: string): Position {
  const [ticket = '', response = '', consent = ''] = key.split('~')
  return { ticket, response, consent }
}
