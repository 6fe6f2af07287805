import { and, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../db/index.ts'
import { messages, responses, tickets, visitors } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/* What points to a contact: its tickets and responses, and whom it chatted as. For the operations of this folder. */

/** Tickets, and responses, that change hands in one transaction: other writers wait meanwhile. */
const STEP = 200

/** Has everything let go of a contact that is about to be deleted. */
export async function unlinkContact(
  tx: Tx,
  { tenantId, at }: Pick<Caller, 'tenantId' | 'at'>,
  contactId: string,
): Promise<void> {
  const unlinked = { contactId: null, updatedAt: formatTime(at) }
  await tx
    .update(tickets)
    .set(unlinked)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.contactId, contactId)))
  await tx
    .update(responses)
    .set(unlinked)
    .where(and(ofTenant(responses, tenantId), eq(responses.contactId, contactId)))
  await tx
    .update(visitors)
    .set({ contactId: null })
    .where(and(ofTenant(visitors, tenantId), eq(visitors.contactId, contactId)))
}

/** Has visitors who chatted as one contact be another. */
export async function moveVisitors(tx: Tx, tenantId: string, from: string, to: string): Promise<void> {
  await tx
    .update(visitors)
    .set({ contactId: to })
    .where(and(ofTenant(visitors, tenantId), eq(visitors.contactId, from)))
}

/**
 * Gives 200 tickets, with what the contact wrote in them, and 200 responses to another: they have changed then. Says
 * whether more may be left.
 */
export async function moveLinked(
  tx: Tx,
  { tenantId, at }: Pick<Caller, 'tenantId' | 'at'>,
  from: string,
  to: string,
): Promise<boolean> {
  const moved = { contactId: to, updatedAt: formatTime(at) }
  const moving = [await ticketsOf(tx, tenantId, from), await responsesOf(tx, tenantId, from)] as const
  const [ticketIds, responseIds] = moving.map((ids) => JSON.stringify(ids)) as [string, string]
  await tx
    .update(messages)
    .set({ authorId: to })
    .where(and(ofTenant(messages, tenantId), isOneOf(tx, messages.ticketId, ticketIds), eq(messages.authorId, from)))
  await tx
    .update(tickets)
    .set(moved)
    .where(and(ofTenant(tickets, tenantId), isOneOf(tx, tickets.id, ticketIds)))
  await tx
    .update(responses)
    .set(moved)
    .where(and(ofTenant(responses, tenantId), isOneOf(tx, responses.id, responseIds)))
  return moving.some((ids) => ids.length === STEP)
}

async function ticketsOf(tx: Tx, tenantId: string, contactId: string): Promise<string[]> {
  const found = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.contactId, contactId)))
    .limit(STEP)
  return found.map(({ id }) => id)
}

async function responsesOf(tx: Tx, tenantId: string, contactId: string): Promise<string[]> {
  const found = await tx
    .select({ id: responses.id })
    .from(responses)
    .where(and(ofTenant(responses, tenantId), eq(responses.contactId, contactId)))
    .limit(STEP)
  return found.map(({ id }) => id)
}
