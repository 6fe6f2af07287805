import { and, asc, count, desc, eq, gt, ne, or } from 'drizzle-orm'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import type { TicketRow } from '../read.ts'
import { excerptOf } from './content.ts'

/* What a ticket shows of its messages, worked out again once some have come or gone. For the operations of this folder. */

type Shown = Pick<TicketRow, 'excerpt' | 'lastMessageAt'>
type ShownNow = Partial<Shown & Pick<TicketRow, 'waitingSince'>>

const publicOf = (tenantId: string, ticketId: string) =>
  and(ofTenant(messages, tenantId), eq(messages.ticketId, ticketId), eq(messages.state, 'public'))

/** An automatic answer, by mail and written neither in the console nor by a program, tells nothing of the conversation, and answers nobody (decisions §20). */
export const isByPeople = or(ne(messages.direction, 'outbound'), ne(messages.source, 'email'))

/** How many messages of the conversation the ticket has. */
export async function countMessages(tx: Tx, tenantId: string, ticketId: string): Promise<number> {
  const [row] = await tx.select({ count: count() }).from(messages).where(publicOf(tenantId, ticketId))
  return row?.count ?? 0
}

/**
 * What the ticket shows of its newest message. An excerpt may leave out what a mail only quotes, so one that is `known` of
 * a message of that time is taken as it is. Nothing where no message is left.
 */
export async function threadSummaryOf(
  tx: Tx,
  tenantId: string,
  { id: ticketId, status }: Pick<TicketRow, 'id' | 'status'>,
  known: readonly Shown[],
): Promise<ShownNow> {
  const [newest] = await tx
    .select({ text: messages.text, lastMessageAt: messages.createdAt })
    .from(messages)
    .where(and(publicOf(tenantId, ticketId), isByPeople))
    .orderBy(desc(messages.id))
    .limit(1)
  if (!newest) return {}
  const { text, lastMessageAt } = newest
  const same = known.find((shown) => shown.lastMessageAt === lastMessageAt)
  const waitingSince = await waitingSinceOf(tx, tenantId, { id: ticketId, status })
  return { lastMessageAt, excerpt: same?.excerpt ?? excerptOf(text), waitingSince }
}

/** When the first message was written that the customer has no answer to; null where they have, or wait for none. */
export async function waitingSinceOf(
  tx: Tx,
  tenantId: string,
  { id: ticketId, status }: Pick<TicketRow, 'id' | 'status'>,
): Promise<string | null> {
  if (status === 'closed' || status === 'spam') return null
  const newest = (direction: 'inbound' | 'outbound') =>
    and(publicOf(tenantId, ticketId), eq(messages.direction, direction))
  const [answer] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(newest('outbound'), isByPeople))
    .orderBy(desc(messages.id))
    .limit(1)
  const [question] = await tx
    .select({ createdAt: messages.createdAt })
    .from(messages)
    .where(and(newest('inbound'), gt(messages.id, answer?.id ?? '')))
    .orderBy(asc(messages.id))
    .limit(1)
  return question?.createdAt ?? null
}
