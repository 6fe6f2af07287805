import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { named, ofTenant, prepared, type Reader, textList } from '../db/index.ts'
import { keysetList, type Page, type PageRequest } from '../db/lists/keyset.ts'
import { inboxes, tickets, ticketTags } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import type { TicketPayload } from '../events/catalog.ts'
import type { channels } from '../kinds/inboxes.ts'
import { findTag, tagsOfIds } from '../tags/read.ts'
import { findTeam } from '../teams/read.ts'
import { colleaguesById } from '../users/colleagues.ts'
import type { Ticket, TicketWithMessages } from './model.ts'
import { listMessages } from './thread/public-thread.ts'

const ticketRow = (db: Reader) => ({
  id: tickets.id,
  sequentialNumber: tickets.sequentialNumber,
  inboxId: tickets.inboxId,
  // Not null although it comes over a left join: the foreign key sees to that.
  channel: sql<(typeof channels)[number]>`${inboxes.channel}`,
  status: tickets.status,
  priority: tickets.priority,
  assigneeId: tickets.assigneeId,
  teamId: tickets.teamId,
  tagIds: textList(
    db,
    ticketTags.tagId,
    ticketTags,
    and(eq(ticketTags.tenantId, tickets.tenantId), eq(ticketTags.ticketId, tickets.id)),
  ),
  contactId: tickets.contactId,
  requesterEmail: tickets.requesterEmail,
  requesterName: tickets.requesterName,
  customerSince: tickets.customerSince,
  subject: tickets.subject,
  excerpt: tickets.excerpt,
  messageCount: tickets.messageCount,
  snoozedUntil: tickets.snoozedUntil,
  lastMessageAt: tickets.lastMessageAt,
  waitingSince: tickets.waitingSince,
  closedAt: tickets.closedAt,
  promiseId: tickets.promiseId,
  dueAt: tickets.dueAt,
  createdAt: tickets.createdAt,
  updatedAt: tickets.updatedAt,
})

/** A left join, so that the ticket's index decides the order and nothing has to be sorted. */
export const selectTickets = (db: Reader) =>
  db
    .select(named(ticketRow(db)))
    .from(tickets)
    .leftJoin(inboxes, and(eq(inboxes.tenantId, tickets.tenantId), eq(inboxes.id, tickets.inboxId)))

/** A ticket with what only operations need to know of it. */
export type TicketRow = Awaited<ReturnType<typeof selectTickets>>[number]

/** Another name than that of the tags which each ticket is shown with. */
const tagged = alias(ticketTags, 'tagged')

const ticketList = keysetList({
  name: 'tickets',
  select: selectTickets,
  tenantId: tickets.tenantId,
  key: tickets.id,
  keyOf: (row: TicketRow) => row.id,
  filters: {
    inboxId: (value: SQL) => eq(tickets.inboxId, value),
    status: (value: SQL) => eq(tickets.status, value),
    contactId: (value: SQL) => eq(tickets.contactId, value),
    assigneeId: (value: SQL) => eq(tickets.assigneeId, value),
    isUnassigned: (value: SQL) => sql`(${tickets.assigneeId} IS NULL) = ${value}`,
    teamId: (value: SQL) => eq(tickets.teamId, value),
    isOfNoTeam: (value: SQL) => sql`(${tickets.teamId} IS NULL) = ${value}`,
    // Looked at row by row: it must not tempt the engine to leave an index that leads through the list in its order.
    priority: (value: SQL) => sql`${value} = ${tickets.priority} || ''`,
    // As is this; the condition before it has the index of tickets with a due time lead through the list.
    dueBefore: (value: SQL) => sql`(${tickets.dueAt} IS NOT NULL AND ${tickets.dueAt} || '' < ${value})`,
    tagId: (value: SQL) =>
      sql`${tickets.id} IN (SELECT ${tagged.ticketId} FROM ${ticketTags} "tagged" WHERE ${ofTenant(tagged)} AND ${tagged.tagId} = ${value})`,
  },
  changedAt: tickets.updatedAt,
})

/** What a list of tickets is narrowed down by. */
export interface TicketFilters {
  inboxId?: string | undefined
  status?: Ticket['status'] | undefined
  since?: string | undefined
  contactId?: string | undefined
  /** A user's id, or `none`. */
  assignee?: string | undefined
  /** A team's id, or `none`. */
  team?: string | undefined
  priority?: Ticket['priority'] | undefined
  /** A tag's name, in whatever case: of one that does not exist there is no ticket. */
  tag?: string | undefined
  /** RFC 3339 as `formatTime` has it. */
  dueBefore?: string | undefined
}

/** A page of tickets of all inboxes, newest first. Throws `invalid_request` for a foreign cursor. */
export async function listTickets(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  filters: TicketFilters,
): Promise<{ items: Ticket[]; nextCursor: string | null }> {
  const columns = await columnFilters(db, tenantId, filters)
  const { rows, nextCursor }: Page<TicketRow> = await ticketList(db, tenantId, page, columns)
  return { items: await ticketsOf(db, tenantId, rows), nextCursor }
}

/** What the columns of a ticket hold for the filters to apply. */
export async function columnFilters(db: Reader, tenantId: string, filters: TicketFilters) {
  const { status, since, priority, assignee, team, tag, dueBefore } = filters
  return {
    status,
    since,
    priority,
    dueBefore,
    inboxId: filters.inboxId?.toLowerCase(),
    contactId: filters.contactId?.toLowerCase(),
    isUnassigned: assignee === NONE || undefined,
    assigneeId: assignee === NONE ? undefined : assignee?.toLowerCase(),
    isOfNoTeam: team === NONE || undefined,
    teamId: team === NONE ? undefined : team?.toLowerCase(),
    tagId: tag === undefined ? undefined : ((await findTag(db, tenantId, tag))?.id ?? ''),
  }
}

/** What a filter says of tickets that are nobody's. */
export const NONE = 'none'

const ticketsBefore = prepared((db) =>
  selectTickets(db)
    .where(
      and(
        ofTenant(tickets),
        eq(tickets.contactId, sql.placeholder('contactId')),
        lt(tickets.id, sql.placeholder('before')),
      ),
    )
    .orderBy(desc(tickets.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** A contact's tickets, newest first: those `before` one, `limit` at most. */
export async function listTicketsOfContact(
  db: Reader,
  tenantId: string,
  contactId: string,
  { before = '~', limit }: { before?: string | undefined; limit: number },
): Promise<Ticket[]> {
  return ticketsOf(db, tenantId, await ticketsBefore(db).execute({ tenantId, contactId, before, limit }))
}

const ticketById = prepared((db) =>
  selectTickets(db)
    .where(and(ofTenant(tickets), eq(tickets.id, sql.placeholder('id'))))
    .prepare(),
)

/** For operations of this folder. Throws `not_found`. */
export async function ticketRowOf(db: Reader, tenantId: string, id: string): Promise<TicketRow> {
  const [row] = await ticketById(db).execute({ tenantId, id })
  if (!row) throw notFound('ticket')
  return row
}

const ticketByNumber = prepared((db) =>
  db
    .select(named({ id: tickets.id }))
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.sequentialNumber, sql.placeholder('number'))))
    .prepare(),
)

/** The id of the ticket that a person names, by its reference (`T-1042`) or id. Throws `not_found`. */
export async function ticketIdOf(db: Reader, tenantId: string, name: string): Promise<string> {
  const number = /^T-(\d{1,9})$/i.exec(name.trim())?.[1]
  if (number === undefined) return (await ticketRowOf(db, tenantId, name.trim().toLowerCase())).id
  const [row] = await ticketByNumber(db).execute({ tenantId, number: Number(number) })
  if (!row) throw notFound('ticket')
  return row.id
}

/** One ticket. Throws `not_found`. */
export async function getTicket(db: Reader, tenantId: string, id: string): Promise<Ticket> {
  return ticketOf(db, tenantId, await ticketRowOf(db, tenantId, id))
}

/**
 * One ticket with its newest 100 messages, oldest first, internal notes left out; with fewer where their JSON would exceed
 * 1 MiB together, but always with the newest (decisions §2). Throws `not_found`.
 */
export async function getTicketWithMessages(db: Reader, tenantId: string, id: string): Promise<TicketWithMessages> {
  const ticket = await getTicket(db, tenantId, id)
  const { items } = await listMessages(db, tenantId, id, { cursor: undefined, limit: 100 })
  return { ...ticket, messages: items.reverse() }
}

/** Tickets as the API shows them, in the order of their rows. */
export function ticketsOf(db: Reader, tenantId: string, rows: readonly TicketRow[]): Promise<Ticket[]> {
  return Promise.all(rows.map((row) => ticketOf(db, tenantId, row)))
}

/** The ticket as the API shows it (decisions §4 and §16). */
export async function ticketOf(db: Reader, tenantId: string, row: TicketRow): Promise<Ticket> {
  const { assigneeId, teamId, tagIds } = row
  const person = assigneeId === null ? null : (await colleaguesById(db, tenantId)).get(assigneeId)
  const team = teamId === null ? null : await findTeam(db, tenantId, teamId)
  const tags = tagIds === null ? [] : await tagsOfIds(db, tenantId, tagIds)
  return {
    id: row.id,
    ticketReference: referenceOf(row.sequentialNumber),
    sequentialNumber: row.sequentialNumber,
    teamInboxId: row.inboxId,
    channel: row.channel,
    status: row.status,
    priority: row.priority,
    tags: tags.map(({ name }) => name),
    assignee: person ? { id: person.id, name: person.name } : null,
    team: team ? { id: team.id, name: team.name } : null,
    contactId: row.contactId,
    subject: row.subject,
    excerpt: row.excerpt,
    messageCount: row.messageCount,
    snoozedUntil: row.snoozedUntil,
    lastMessageAt: row.lastMessageAt,
    closedAt: row.closedAt,
    dueAt: row.dueAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** What every ticket event holds (api.md §6). */
export function ticketPayload(row: TicketRow): TicketPayload {
  return {
    ticketId: row.id,
    ticketReference: referenceOf(row.sequentialNumber),
    sequentialNumber: row.sequentialNumber,
    teamInboxId: row.inboxId,
    status: row.status,
    priority: row.priority,
    contactId: row.contactId,
    subject: row.subject,
    createdAt: row.createdAt,
  }
}

/** What people call the ticket of this number. */
export function referenceOf(sequentialNumber: number): string {
  return `T-${sequentialNumber}`
}
