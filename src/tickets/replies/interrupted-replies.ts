import { and, lt, sql } from 'drizzle-orm'
import type { Database } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'

/** Written out, so that the index over such messages alone can answer it. */
const isBeingSent = sql`${messages.state} = 'sending'`

/** A mail server has 50 seconds for a reply (decisions §15: a minute): what began so long ago, in milliseconds, was interrupted. */
export const SENDING_AT_MOST = 55_000
/** How often nodes look for such replies of others, in milliseconds. */
export const LOOK_EVERY = 5_000
/** What a reply says of itself that was being sent when the service died. */
export const INTERRUPTED = 'the service stopped while it was being sent: it may have arrived'

/**
 * Marks replies of all tenants that were being sent when the service died. For its start, before it answers anything; of
 * data that others serve too (`isShared`), only those that nobody can still be sending, and for a job. Writes, and waits for
 * other writers, only when there are any. Returns how many.
 */
export async function failInterruptedReplies(
  database: Database,
  now: number,
  isShared = database.isShared,
): Promise<number> {
  const begun = formatTime(now - SENDING_AT_MOST)
  const isInterrupted = and(isBeingSent, isShared ? lt(messages.createdAt, begun) : undefined)
  const interrupted = await database.db.select({ id: messages.id }).from(messages).where(isInterrupted)
  if (interrupted.length > 0) {
    await database.transaction(async (tx) => {
      await tx.update(messages).set({ state: 'failed', error: INTERRUPTED }).where(isInterrupted)
    })
  }
  return interrupted.length
}
