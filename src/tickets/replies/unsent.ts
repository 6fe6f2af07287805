import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { messages, tickets } from '../../db/schema.ts'
import { notFound, refusal, rule } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'

/* Answers that have not arrived and that somebody has to look at (decisions §20): sent again or dismissed, they are none. */

/** Written out, so that the index over such messages alone can answer it. */
const isUnsent = sql`error IS NOT NULL AND error_settled_at IS NULL AND state IN ('failed', 'public')`
/** What was forwarded and came back is shown in its ticket alone, and can be dismissed there. */
const canBeSettled = sql`error IS NOT NULL AND state IN ('failed', 'public', 'forwarded')`

/** Whether the ticket of a row has such an answer: asked of each row, so that no index leads anywhere else. */
export function hasUnsent(db: Reader): SQL {
  const found = db
    .select({ ticketId: messages.ticketId })
    .from(messages)
    .where(and(eq(messages.tenantId, tickets.tenantId), eq(messages.ticketId, tickets.id), isUnsent))
  return sql`EXISTS ${found}`
}

/** How many tickets of the tenant have such an answer; `most` where there are as many or more. */
export async function countUnsent(db: Reader, tenantId: string, most: number): Promise<number> {
  const [row] = await unsentCount(db).execute({ tenantId, most })
  return row?.count ?? 0
}

const unsentCount = prepared((db) => {
  const found = db
    .selectDistinct({ ticketId: messages.ticketId })
    .from(messages)
    .where(and(ofTenant(messages), isUnsent))
    .limit(sql.placeholder('most'))
    .as('found')
  return db.select({ count: count() }).from(found).prepare()
})

/**
 * Says that nobody has to do anything about an answer that has not arrived; without `isSettled`, that somebody has after
 * all. It stays in the thread, and can be sent again. For agents. Throws `not_found`, `conflict` for a message that has not
 * failed.
 */
export async function settleUnsent(tx: Tx, caller: Caller, messageId: string, isSettled: boolean): Promise<void> {
  const { tenantId, at } = caller
  const own = and(ofTenant(messages, tenantId), eq(messages.id, messageId))
  const [settled] = await tx
    .update(messages)
    .set({ errorSettledAt: isSettled ? formatTime(at) : null })
    .where(and(own, eq(messages.direction, 'outbound'), canBeSettled))
    .returning({ ticketId: messages.ticketId })
  if (settled) return audit(tx, caller, isSettled ? 'ticket.reply_dismissed' : 'ticket.reply_kept', settled.ticketId)
  const [found] = await tx.select({ id: messages.id }).from(messages).where(own)
  throw found ? refusal('conflict', rule('not_failed')) : notFound('message')
}
