import { and, asc, count, desc, eq, gte, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/index.ts'
import { ofTenant, prepared, remembered } from '../../db/index.ts'
import { openCursor, sealCursor } from '../../db/lists/cursor.ts'
import { calendars, inboxes, livechatSources, messages, tickets, ticketTags } from '../../db/schema.ts'
import { invalid, rule } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import type { Ticket } from '../model.ts'
import { hasUnsent as hasUnsentAnswer } from '../replies/unsent.ts'
import { type DueAsked, dueLimit } from './due.ts'
import { type InboxTicket, inboxTicketOf, isOfChannel, isTagged, selectInboxRows } from './rows.ts'

/* The tickets as those who answer them see them: with whom they are for, and by what happened last. */

export interface InboxFilters {
  /** `open` and `pending` leave snoozed tickets out. */
  readonly status?: Ticket['status'] | 'snoozed' | undefined
  readonly inboxId?: string | undefined
  /** Of the inbox. */
  readonly channel?: Ticket['channel'] | undefined
  /** A user's id, or null for nobody's. */
  readonly assigneeId?: string | null | undefined
  readonly priority?: Ticket['priority'] | undefined
  readonly teamId?: string | undefined
  readonly tagId?: string | undefined
  /** Only tickets with an answer that has not arrived, which somebody has to look at. */
  readonly hasUnsent?: boolean | undefined
  /** Only tickets of which something is due, the soonest first. */
  readonly due?: DueAsked | undefined
}

/** The end of the years that times are written in, in milliseconds since 1970. */
const LATEST = Date.UTC(9999, 11, 31)
/** A page of the list; with null, there is none before or after it. */
export interface InboxPage {
  readonly items: InboxTicket[]
  readonly previousCursor: string | null
  readonly nextCursor: string | null
}

/**
 * A page of the tenant's tickets, those first in which something happened last; of those with a due time, the soonest. What
 * changes while somebody pages on may be seen twice, never missed for long: it is at the top. Throws `invalid_request` for a foreign cursor.
 */
export async function listInbox(
  db: Reader,
  tenantId: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  filters: InboxFilters,
): Promise<InboxPage> {
  const order = orderOf(filters)
  const owner = `${order.name}/${tenantId}`
  const from = cursor === undefined ? null : positionOf(openCursor(cursor, owner))
  const shown = await shownBy(db, tenantId, filters)
  if (from?.isBack) {
    const rows = await selectInboxRows(db)
      .where(and(shown, order.isBefore(from)))
      .orderBy(...order.backwards)
      .limit(limit + 1)
    // So near its beginning, the list is shown from there.
    if (rows.length <= limit) return listInbox(db, tenantId, { cursor: undefined, limit }, filters)
    const items = rows.slice(0, limit).reverse().map(inboxTicketOf)
    return {
      items,
      previousCursor: cursorOf(owner, order.of(items[0]), true),
      nextCursor: cursorOf(owner, order.of(items.at(-1))),
    }
  }
  const rows = await selectInboxRows(db)
    .where(and(shown, from === null ? undefined : order.isAfter(from)))
    .orderBy(...order.forwards)
    .limit(limit + 1)
  const items = rows.slice(0, limit).map(inboxTicketOf)
  return {
    items,
    previousCursor: from && cursorOf(owner, order.of(items[0]), true),
    nextCursor: rows.length > limit ? cursorOf(owner, order.of(items.at(-1))) : null,
  }
}

/**
 * How many tickets the list would hold, for each of these filters; `most` where there are as many or more, so that nobody
 * waits for the count of a long list.
 */
export async function countInbox(
  db: Reader,
  tenantId: string,
  filters: readonly InboxFilters[],
  most: number,
): Promise<number[]> {
  return Promise.all(filters.map((one) => countOf(db, JSON.stringify([tenantId, most, one]))))
}

/** Counted once for everybody who has the view: where it holds few, all tickets of its status are looked at. */
const countOf = remembered([tickets, ticketTags, inboxes, messages, calendars, livechatSources], async (db, key) => {
  const [tenantId, most, filters]: [string, number, InboxFilters] = JSON.parse(key)
  const found = db
    .select({ id: tickets.id })
    .from(tickets)
    .where(await shownBy(db, tenantId, filters))
    .limit(most)
    .as('found')
  const [row] = await db.select({ count: count() }).from(found)
  return row?.count ?? 0
})

/** How many tickets were closed since, and have stayed so; `most` where there are as many or more. */
export async function countClosedSince(db: Reader, tenantId: string, since: number, most: number): Promise<number> {
  const from = formatTime(since)
  const closed = db
    .select({ id: tickets.id })
    .from(tickets)
    // Whatever was closed since has changed since: an index leads there.
    .where(
      and(
        ofTenant(tickets, tenantId),
        eq(tickets.status, 'closed'),
        gte(tickets.updatedAt, from),
        gte(tickets.closedAt, from),
      ),
    )
    .limit(most)
    .as('closed')
  const [row] = await db.select({ count: count() }).from(closed)
  return row?.count ?? 0
}

/** The id of the ticket that the list holds after this one, or null at its end. */
export async function ticketAfter(
  db: Reader,
  tenantId: string,
  ticket: Pick<Ticket, 'id' | 'updatedAt' | 'dueAt'>,
  filters: InboxFilters,
): Promise<string | null> {
  const order = orderOf(filters)
  const from = order.of(ticket)
  const [next] = await selectInboxRows(db)
    .where(and(await shownBy(db, tenantId, filters), from && order.isAfter(from)))
    .orderBy(...order.forwards)
    .limit(1)
  return next?.id ?? null
}

async function shownBy(db: Reader, tenantId: string, filters: InboxFilters): Promise<SQL | undefined> {
  const dueBefore = filters.due && (await dueLimit(db, tenantId, filters.due))
  return and(ofTenant(tickets, tenantId), ...conditionsOf(db, filters, dueBefore))
}

/**
 * One index leads through the list in its order: that of what is due, else that of the person, else of what is snoozed, else of the status, else of
 * all. The other conditions are looked at row by row, and must not tempt the engine to sort.
 */
function conditionsOf(
  db: Reader,
  { status, inboxId, channel, assigneeId, priority, teamId, tagId, hasUnsent }: InboxFilters,
  dueBefore: string | undefined,
): (SQL | undefined)[] {
  const { withoutIndex } = db.engine
  const isDue = dueBefore !== undefined
  const isSomebodys = typeof assigneeId === 'string' && !isDue
  const leadsByStatus = !isSomebodys && !isDue && status !== 'snoozed'
  const is = (column: Parameters<typeof withoutIndex>[0], value: string) => sql`${value} = ${withoutIndex(column)}`
  const ofStatus =
    status === undefined || status === 'snoozed'
      ? undefined
      : leadsByStatus
        ? eq(tickets.status, status)
        : is(tickets.status, status)
  const snoozed =
    isSomebodys || isDue ? sql`${withoutIndex(tickets.snoozedUntil)} IS NOT NULL` : isNotNull(tickets.snoozedUntil)
  return [
    isDue ? and(isNotNull(tickets.dueAt), lt(tickets.dueAt, dueBefore)) : undefined,
    typeof assigneeId !== 'string'
      ? undefined
      : isDue
        ? is(tickets.assigneeId, assigneeId)
        : eq(tickets.assigneeId, assigneeId),
    assigneeId === null ? sql`${withoutIndex(tickets.assigneeId)} IS NULL` : undefined,
    ofStatus,
    status === 'snoozed' ? snoozed : undefined,
    status === 'open' || status === 'pending' ? sql`${withoutIndex(tickets.snoozedUntil)} IS NULL` : undefined,
    inboxId === undefined ? undefined : is(tickets.inboxId, inboxId),
    priority === undefined ? undefined : is(tickets.priority, priority),
    teamId === undefined ? undefined : is(tickets.teamId, teamId),
    tagId === undefined ? undefined : isTagged(db, tagId),
    channel === undefined ? undefined : isOfChannel(db, channel),
    hasUnsent ? hasUnsentAnswer(db) : undefined,
  ]
}

/** A place in the list. */
interface Place {
  /** When something happened last, or is due. */
  readonly time: string
  readonly id: string
}

/** A place, and whether the page is that before it. */
interface Position extends Place {
  readonly isBack: boolean
}

const latestFirst = {
  name: 'inbox',
  forwards: [desc(tickets.updatedAt), desc(tickets.id)],
  backwards: [asc(tickets.updatedAt), asc(tickets.id)],
  isAfter: ({ time, id }: Place) => sql`(${tickets.updatedAt}, ${tickets.id}) < (${time}, ${id})`,
  isBefore: ({ time, id }: Place) => sql`(${tickets.updatedAt}, ${tickets.id}) > (${time}, ${id})`,
  of: (ticket: Ordered | undefined): Place | undefined => ticket && { time: ticket.updatedAt, id: ticket.id },
} as const

const soonestFirst = {
  name: 'inbox-due',
  forwards: [asc(tickets.dueAt), asc(tickets.id)],
  backwards: [desc(tickets.dueAt), desc(tickets.id)],
  isAfter: ({ time, id }: Place) => sql`(${tickets.dueAt}, ${tickets.id}) > (${time}, ${id})`,
  isBefore: ({ time, id }: Place) => sql`(${tickets.dueAt}, ${tickets.id}) < (${time}, ${id})`,
  // Of one that is done the list goes on from its beginning.
  of: (ticket: Ordered | undefined): Place | undefined =>
    ticket && ticket.dueAt !== null ? { time: ticket.dueAt, id: ticket.id } : undefined,
} as const

type Ordered = Pick<Ticket, 'id' | 'updatedAt' | 'dueAt'>

const orderOf = ({ due }: InboxFilters) => (due === undefined ? latestFirst : soonestFirst)

const BACK = '~'

function cursorOf(owner: string, place: Place | undefined, isBack = false): string | null {
  return place ? sealCursor(`${isBack ? BACK : ''}${Date.parse(place.time)}.${place.id}`, owner) : null
}

function positionOf(key: string): Position {
  const isBack = key.startsWith(BACK)
  const [at = '', id = ''] = key.slice(isBack ? BACK.length : 0).split('.')
  // A made-up cursor: each of ours holds a time.
  if (!(Math.abs(Number(at)) < LATEST)) throw invalid('cursor', rule('cursor'))
  return { isBack, time: formatTime(Number(at)), id }
}

/** The newest tickets of a contact. */
export async function ticketsOfContact(
  db: Reader,
  tenantId: string,
  contactId: string,
  limit: number,
): Promise<InboxTicket[]> {
  return (await ofContact(db).execute({ tenantId, contactId, limit })).map(inboxTicketOf)
}

const ofContact = prepared((db) =>
  selectInboxRows(db)
    .where(and(ofTenant(tickets), eq(tickets.contactId, sql.placeholder('contactId'))))
    .orderBy(desc(tickets.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)
