import { and, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/** Says who really asks in a ticket, once they have proved it (decisions §7). Fires nothing. For live chat and mail. */
export async function changeRequester(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  { contactId, email, name }: { contactId: string; email: string; name: string },
): Promise<void> {
  await tx
    .update(tickets)
    .set({ contactId, requesterEmail: email, requesterName: name, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(tickets, caller.tenantId), eq(tickets.id, ticketId)))
}
