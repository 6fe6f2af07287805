import { and, count, desc, eq } from 'drizzle-orm'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { messages } from '../db/schema.ts'
import { excerptOf } from './content.ts'
import type { TicketRow } from './read.ts'

/* What a ticket shows of its messages, told anew once some have come or gone. For the operations of this folder. */

type Shown = Pick<TicketRow, 'excerpt' | 'lastMessageAt'>

const publicOf = (tenantId: string, ticketId: string) =>
  and(ofTenant(messages, tenantId), eq(messages.ticketId, ticketId), eq(messages.state, 'public'))

/** How many messages of the conversation the ticket has. */
export async function countMessages(tx: Tx, tenantId: string, ticketId: string): Promise<number> {
  const [row] = await tx.select({ count: count() }).from(messages).where(publicOf(tenantId, ticketId))
  return row?.count ?? 0
}

/**
 * What the ticket shows of its newest message. An excerpt may leave out what a mail only quotes, so one that is `known` of
 * a message of that time is taken as it is. Nothing where no message is left.
 */
export async function newestOf(
  tx: Tx,
  tenantId: string,
  ticketId: string,
  known: readonly Shown[],
): Promise<Partial<Shown>> {
  const [newest] = await tx
    .select({ text: messages.text, lastMessageAt: messages.createdAt })
    .from(messages)
    .where(publicOf(tenantId, ticketId))
    .orderBy(desc(messages.id))
    .limit(1)
  if (!newest) return {}
  const { text, lastMessageAt } = newest
  const same = known.find((shown) => shown.lastMessageAt === lastMessageAt)
  return { lastMessageAt, excerpt: same?.excerpt ?? excerptOf(text) }
}
