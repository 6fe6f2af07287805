import { and, eq, isNull } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { ticketClosings } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/** Notes that a ticket is closed from now on, or open again. For `changeTicket`: reports count when that was. */
export async function noteClosing(
  tx: Tx,
  { tenantId, at }: Caller,
  { id: ticketId, closedAt: before }: { id: string; closedAt: string | null },
  closedAt: string | null,
): Promise<void> {
  if (before !== null) {
    await tx
      .update(ticketClosings)
      .set({ reopenedAt: formatTime(at) })
      .where(
        and(
          ofTenant(ticketClosings, tenantId),
          eq(ticketClosings.ticketId, ticketId),
          eq(ticketClosings.closedAt, before),
          isNull(ticketClosings.reopenedAt),
        ),
      )
  }
  if (closedAt === null) return
  await tx
    .insert(ticketClosings)
    .values({ tenantId, ticketId, closedAt })
    // Closed before in the same millisecond, or again as it was: an undone merge.
    .onConflictDoUpdate({
      target: [ticketClosings.tenantId, ticketClosings.ticketId, ticketClosings.closedAt],
      set: { reopenedAt: null },
    })
}
