import { and, asc, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { openCursor, sealCursor } from '../db/cursor.ts'
import type { Reader } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { contacts, inboxes, tickets, users } from '../db/schema.ts'
import { invalid } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import type { Ticket } from './model.ts'
import { referenceOf } from './read.ts'

/* The tickets as those who answer them see them: with whom they are for, and by what happened last. */

/** A ticket in the console's inbox. */
export interface InboxTicket
  extends Pick<
    Ticket,
    'id' | 'status' | 'priority' | 'subject' | 'excerpt' | 'messageCount' | 'snoozedUntil' | 'updatedAt' | 'channel'
  > {
  readonly reference: string
  readonly requester: string | null
  /** Who looks after it. */
  readonly assignee: string | null
  readonly inboxName: string
}

export interface InboxFilters {
  /** `open` and `pending` leave snoozed tickets out. */
  readonly status?: Ticket['status'] | 'snoozed' | undefined
  readonly inboxId?: string | undefined
  /** A user's id, or null for nobody's. */
  readonly assigneeId?: string | null | undefined
  readonly priority?: Ticket['priority'] | undefined
}

/** Contacts whose tickets a search shows, and how many of each and in all. */
const MAX_CONTACTS = 20
const MAX_FOUND = 50
/** The end of the years that times are written in, in milliseconds since 1970. */
const LATEST = Date.UTC(9999, 11, 31)
/** The shortest beginning of an address that is looked for. */
const MIN_ADDRESS = 2

const rowOf = () => {
  const { id, sequentialNumber, status, priority, subject, excerpt, messageCount, snoozedUntil, updatedAt } = tickets
  return {
    ...{ id, sequentialNumber, status, priority, subject, excerpt, messageCount, snoozedUntil, updatedAt },
    requesterName: tickets.requesterName,
    requesterEmail: tickets.requesterEmail,
    channel: sql<Ticket['channel']>`${inboxes.channel}`.as('inbox_channel'),
    inboxName: sql<string>`${inboxes.name}`.as('inbox_name'),
    userName: sql<string | null>`${users.name}`.as('user_name'),
    userEmail: sql<string | null>`${users.email}`.as('user_email'),
  }
}

/** Left joins, so that an index of the tickets decides the order. */
const selectRows = (db: Reader) =>
  db
    .select(rowOf())
    .from(tickets)
    .leftJoin(inboxes, and(eq(inboxes.tenantId, tickets.tenantId), eq(inboxes.id, tickets.inboxId)))
    .leftJoin(users, and(eq(users.tenantId, tickets.tenantId), eq(users.id, tickets.assigneeId)))

type Row = Awaited<ReturnType<typeof selectRows>>[number]

/**
 * A page of the tenant's tickets, those first in which something happened last. What changes while somebody pages on may
 * be seen twice, never missed for long: it is at the top. Throws `invalid_request` for a foreign cursor.
 */
export async function listInbox(
  db: Reader,
  tenantId: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  filters: InboxFilters,
): Promise<{ items: InboxTicket[]; nextCursor: string | null }> {
  const owner = `inbox/${tenantId}`
  const rows = await selectRows(db)
    .where(and(ofTenant(tickets, tenantId), ...conditionsOf(db, filters), after(cursor, owner)))
    .orderBy(desc(tickets.updatedAt), desc(tickets.id))
    .limit(limit + 1)
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  const nextCursor = last ? sealCursor(`${Date.parse(last.updatedAt)}.${last.id}`, owner) : null
  return { items: items.map(ticketOf), nextCursor }
}

/**
 * One index leads through the list in its order: that of the person, else of what is snoozed, else of the status, else of
 * all. The other conditions are looked at row by row, and must not tempt the engine to sort.
 */
function conditionsOf(db: Reader, { status, inboxId, assigneeId, priority }: InboxFilters): (SQL | undefined)[] {
  const { withoutIndex } = db.engine
  const isSomebodys = typeof assigneeId === 'string'
  const leadsByStatus = !isSomebodys && status !== 'snoozed'
  const is = (column: Parameters<typeof withoutIndex>[0], value: string) => sql`${value} = ${withoutIndex(column)}`
  const ofStatus =
    status === undefined || status === 'snoozed'
      ? undefined
      : leadsByStatus
        ? eq(tickets.status, status)
        : is(tickets.status, status)
  const snoozed = isSomebodys ? sql`${withoutIndex(tickets.snoozedUntil)} IS NOT NULL` : isNotNull(tickets.snoozedUntil)
  return [
    isSomebodys ? eq(tickets.assigneeId, assigneeId) : undefined,
    assigneeId === null ? sql`${withoutIndex(tickets.assigneeId)} IS NULL` : undefined,
    ofStatus,
    status === 'snoozed' ? snoozed : undefined,
    status === 'open' || status === 'pending' ? sql`${withoutIndex(tickets.snoozedUntil)} IS NULL` : undefined,
    inboxId === undefined ? undefined : is(tickets.inboxId, inboxId),
    priority === undefined ? undefined : is(tickets.priority, priority),
  ]
}

function after(cursor: string | undefined, owner: string): SQL | undefined {
  if (cursor === undefined) return undefined
  const key = openCursor(cursor, owner)
  const dot = key.indexOf('.')
  const at = Number(key.slice(0, dot))
  // Whoever made it up themselves: of ours, each holds a time.
  if (!(Math.abs(at) < LATEST)) throw invalid('cursor', 'is not a cursor of this list')
  const updatedAt = formatTime(at)
  return sql`(${tickets.updatedAt}, ${tickets.id}) < (${updatedAt}, ${key.slice(dot + 1)})`
}

/**
 * The tickets that a person looks for by a reference (`T-1042`, `1042`) or the beginning of the requester's address; at
 * most 50, those first in which something happened last.
 */
export async function searchInbox(db: Reader, tenantId: string, text: string): Promise<InboxTicket[]> {
  const named = text.trim().toLowerCase()
  const number = /^(?:t-)?(\d{1,9})$/.exec(named)?.[1]
  if (number !== undefined) return byNumber(db, tenantId, Number(number))
  if (named.length < MIN_ADDRESS) return []
  const people = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(ofTenant(contacts, tenantId), ...beginsWith(named)))
    .orderBy(asc(contacts.normalisedEmail))
    .limit(MAX_CONTACTS)
  const found = await Promise.all(people.map(({ id }) => ticketsOfContact(db, tenantId, id, MAX_FOUND)))
  return found
    .flat()
    .sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
    .slice(0, MAX_FOUND)
}

/** As a range, which both engines read from the index. */
function beginsWith(text: string): SQL[] {
  return [
    sql`${contacts.normalisedEmail} >= ${text}`,
    // Nothing that can stand in an address comes later.
    sql`${contacts.normalisedEmail} < ${`${text}\u{10ffff}`}`,
  ]
}

async function byNumber(db: Reader, tenantId: string, number: number): Promise<InboxTicket[]> {
  const rows = await selectRows(db).where(and(ofTenant(tickets, tenantId), eq(tickets.sequentialNumber, number)))
  return rows.map(ticketOf)
}

/** The newest tickets of a contact. */
export async function ticketsOfContact(
  db: Reader,
  tenantId: string,
  contactId: string,
  limit: number,
): Promise<InboxTicket[]> {
  const rows = await selectRows(db)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.contactId, contactId)))
    .orderBy(desc(tickets.id))
    .limit(limit)
  return rows.map(ticketOf)
}

function ticketOf({ sequentialNumber, requesterName, requesterEmail, userName, userEmail, ...row }: Row): InboxTicket {
  return {
    ...row,
    reference: referenceOf(sequentialNumber),
    requester: requesterName || requesterEmail,
    assignee: userName ?? userEmail,
  }
}
