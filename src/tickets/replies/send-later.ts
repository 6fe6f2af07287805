import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { pendingReplies } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'

/** How long a reply can be taken back before it is sent, in milliseconds. */
export const UNDO_WINDOW = 10_000

/** Has a stored message that is `pending` go out by itself (`ReplySending`) once it can no longer be taken back. */
export async function sendLater(
  tx: Tx,
  { tenantId, via, address, at }: Caller,
  messageId: string,
  { closesTicket }: { closesTicket: boolean },
): Promise<void> {
  const dueAt = formatTime(at + UNDO_WINDOW)
  await tx.insert(pendingReplies).values({ tenantId, messageId, dueAt, closesTicket, via, address })
}
