import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/index.ts'
import { inboxes, tickets, ticketTags, users } from '../../db/schema.ts'
import type { Ticket } from '../model.ts'
import { referenceOf } from '../read.ts'

/** A ticket in the console's inbox: with whom it is for, and who looks after it. */
export interface InboxTicket
  extends Pick<
    Ticket,
    | 'id'
    | 'status'
    | 'priority'
    | 'subject'
    | 'excerpt'
    | 'messageCount'
    | 'snoozedUntil'
    | 'lastMessageAt'
    | 'updatedAt'
    | 'channel'
    | 'createdAt'
    | 'dueAt'
  > {
  /** Since when the customer waits for an answer; null where they have one, or the ticket is over. */
  readonly waitingSince: string | null
  readonly reference: string
  readonly inboxId: string
  readonly requester: string | null
  /** Who looks after it. */
  readonly assignee: string | null
  readonly inboxName: string
}

const rowOf = () => {
  const { id, sequentialNumber, status, priority, subject, excerpt, messageCount, snoozedUntil, updatedAt } = tickets
  return {
    ...{ id, sequentialNumber, status, priority, subject, excerpt, messageCount, snoozedUntil, updatedAt },
    lastMessageAt: tickets.lastMessageAt,
    waitingSince: tickets.waitingSince,
    inboxId: tickets.inboxId,
    createdAt: tickets.createdAt,
    dueAt: tickets.dueAt,
    requesterName: tickets.requesterName,
    requesterEmail: tickets.requesterEmail,
    channel: sql<Ticket['channel']>`${inboxes.channel}`.as('inbox_channel'),
    inboxName: sql<string>`${inboxes.name}`.as('inbox_name'),
    userName: sql<string | null>`${users.name}`.as('user_name'),
    userEmail: sql<string | null>`${users.email}`.as('user_email'),
  }
}

/** For the lists of this folder. Left joins, so that an index of the tickets decides the order. */
export const selectInboxRows = (db: Reader) =>
  db
    .select(rowOf())
    .from(tickets)
    .leftJoin(inboxes, and(eq(inboxes.tenantId, tickets.tenantId), eq(inboxes.id, tickets.inboxId)))
    .leftJoin(users, and(eq(users.tenantId, tickets.tenantId), eq(users.id, tickets.assigneeId)))

/** Whether the ticket of a row has this tag: asked of each row, so that no index leads anywhere else. */
export function isTagged(db: Reader, tagId: string): SQL {
  const { ticketId } = ticketTags
  const tagged = db
    .select({ ticketId })
    .from(ticketTags)
    .where(and(eq(ticketTags.tenantId, tickets.tenantId), eq(ticketTags.tagId, tagId), eq(ticketId, tickets.id)))
  return sql`EXISTS ${tagged}`
}

/** Whether the inbox of a row's ticket is of this channel: asked of each row, too. */
export function isOfChannel(db: Reader, channel: Ticket['channel']): SQL {
  const { id } = inboxes
  const own = db
    .select({ id })
    .from(inboxes)
    .where(and(eq(inboxes.tenantId, tickets.tenantId), eq(id, tickets.inboxId), eq(inboxes.channel, channel)))
  return sql`EXISTS ${own}`
}

type Row = Awaited<ReturnType<typeof selectInboxRows>>[number]

/** The ticket of a row. */
export function inboxTicketOf({
  sequentialNumber,
  requesterName,
  requesterEmail,
  userName,
  userEmail,
  ...row
}: Row): InboxTicket {
  return {
    ...row,
    reference: referenceOf(sequentialNumber),
    requester: requesterName || requesterEmail,
    assignee: userName ?? userEmail,
  }
}
