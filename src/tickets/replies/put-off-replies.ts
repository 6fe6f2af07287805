import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { isOneOf, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { messages, pendingReplies } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'

/* Replies that the mail server refused for now (decisions §20): they are tried again, and count for nothing meanwhile. */

const MINUTE = 60_000
/** How long after each attempt a reply is tried again, in milliseconds; after the last one it has failed. */
export const WAITS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE)
export const RETRIES = WAITS.length

/**
 * Has a reply tried again that the server cannot have taken. `attempts` is how often it was tried by now. Nothing becomes of
 * one that its writer has taken back, or that was given up meanwhile. For the operations of this folder.
 */
export async function putOffReply(
  tx: Tx,
  { tenantId, via, address }: Caller,
  messageId: string,
  { at, attempts, why }: { at: number; attempts: number; why: string },
): Promise<void> {
  const [waiting] = await tx
    .update(messages)
    .set({ state: 'pending', error: why })
    .where(
      and(ofTenant(messages, tenantId), eq(messages.id, messageId), inArray(messages.state, ['pending', 'sending'])),
    )
    .returning({ id: messages.id })
  if (!waiting) return
  const dueAt = formatTime(at + (WAITS[attempts - 1] as number))
  await tx
    .insert(pendingReplies)
    .values({ tenantId, messageId, dueAt, attempts, via, address })
    .onConflictDoUpdate({ target: [pendingReplies.tenantId, pendingReplies.messageId], set: { dueAt, attempts } })
}

const dueOfMessages = prepared((db) =>
  db
    .select(named({ messageId: pendingReplies.messageId, dueAt: pendingReplies.dueAt }))
    .from(pendingReplies)
    .where(
      and(
        ofTenant(pendingReplies),
        isNotNull(pendingReplies.dueAt),
        isOneOf(db, pendingReplies.messageId, sql.placeholder('messageIds')),
      ),
    )
    .prepare(),
)

/** When replies that have not gone out are tried next, by their ids. */
export async function nextAttempts(
  db: Reader,
  tenantId: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (messageIds.length === 0) return new Map()
  const due = await dueOfMessages(db).execute({ tenantId, messageIds: JSON.stringify(messageIds) })
  return new Map(due.map(({ messageId, dueAt }) => [messageId, dueAt as string]))
}
