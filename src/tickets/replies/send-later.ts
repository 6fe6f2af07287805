import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { pendingReplies } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'
import type { Ticket } from '../model.ts'

/** How long a reply can be taken back before it is sent, in milliseconds. */
export const UNDO_WINDOW = 10_000

/** What becomes of a ticket once a reply in it is sent. */
export interface AfterReply {
  readonly status: Ticket['status']
  readonly snoozedUntil?: string | null
}

/** How that is stored. */
export const columnsOf = (after: AfterReply | null) => ({
  thenStatus: after?.status ?? null,
  thenSnoozedUntil: after?.snoozedUntil ?? null,
})

/** Has a stored message that is `pending` go out by itself (`ReplySending`) once it can no longer be taken back; its ticket becomes `after` then. */
export async function sendLater(
  tx: Tx,
  { tenantId, via, address, at }: Caller,
  messageId: string,
  after: AfterReply | null = null,
): Promise<void> {
  const dueAt = formatTime(at + UNDO_WINDOW)
  await tx.insert(pendingReplies).values({ tenantId, messageId, dueAt, via, address, ...columnsOf(after) })
}
