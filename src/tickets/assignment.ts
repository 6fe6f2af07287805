import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { priorities } from '../kinds/tickets.ts'
import { isUserOf } from '../users/profile.ts'
import { changeTicket } from './change.ts'
import { ticketToWorkOn } from './merging/merges.ts'
import type { Ticket } from './model.ts'
import { ticketOf } from './read.ts'

/**
 * Gives the ticket to a user of the tenant, or with null to nobody. The API's ticket does not show it, so neither
 * `updatedAt` moves nor does an event fire. For agents. Throws `invalid_request` for somebody else's user, `not_found`,
 * `unprocessable` for a merged ticket.
 */
export async function assignTicket(tx: Tx, caller: Caller, id: string, assigneeId: string | null): Promise<void> {
  const { tenantId } = caller
  const ticket = await ticketToWorkOn(tx, caller, id)
  if (assigneeId !== null && !(await isUserOf(tx, tenantId, assigneeId))) {
    throw invalid('assigneeId', rule('user_unknown'))
  }
  if ((await assigneeOf(tx, tenantId, ticket.id)) === assigneeId) return
  await tx
    .update(tickets)
    .set({ assigneeId })
    .where(and(ofTenant(tickets, tenantId), eq(tickets.id, ticket.id)))
  await audit(tx, caller, 'ticket.assigned', ticket.id)
}

/** Takes all tickets from somebody who leaves. */
export async function unassignAll(tx: Tx, { tenantId }: Caller, userId: string): Promise<void> {
  await tx
    .update(tickets)
    .set({ assigneeId: null })
    .where(and(ofTenant(tickets, tenantId), eq(tickets.assigneeId, userId)))
}

/** The id of the user who looks after the ticket, or null. */
export async function assigneeOf(db: Reader, tenantId: string, id: string): Promise<string | null> {
  const [row] = await db
    .select({ assigneeId: tickets.assigneeId })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.id, id)))
  return row?.assigneeId ?? null
}

/**
 * Gives the ticket a priority; none of the six events tells of it. The same one changes nothing. For agents. Throws
 * `invalid_request` for an unknown one, `not_found`, `unprocessable` for a merged ticket.
 */
export async function setPriority(tx: Tx, caller: Caller, id: string, name: string): Promise<Ticket> {
  const priority = priorities.find((known) => known === name)
  if (!priority) throw invalid('priority', rule('one_of', { choices: priorities.join(', ') }))
  const ticket = await ticketToWorkOn(tx, caller, id)
  if (ticket.priority === priority) return ticketOf(ticket)
  const changed = await changeTicket(tx, caller, ticket, { priority })
  await audit(tx, caller, 'ticket.priority_changed', ticket.id)
  return ticketOf(changed)
}
