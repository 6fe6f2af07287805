import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { ticketResponses, tickets } from '../db/schema.ts'
import { emit } from '../events/outbox.ts'
import { type NumberedQuestion, type StoredAnswers, satisfactionIn } from '../forms/question-types/index.ts'
import { formatTime } from '../lib/time.ts'
import { ticketAfterMerges } from '../tickets/merging/merges.ts'
import { getTicket } from '../tickets/read.ts'

/** The ticket that a response belongs to, and whose customer gives it. */
export interface RatedTicket {
  readonly ticketId: string
  readonly contactId: string | null
}

const ticketById = prepared((db) =>
  db
    .select(named({ ticketId: tickets.id, contactId: tickets.contactId }))
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.id, sql.placeholder('ticketId'))))
    .prepare(),
)

/** The ticket that a token names, or what it was merged into; null where it was deleted, which says nothing against answers. */
export async function findRatedTicket(db: Reader, tenantId: string, ticketId: string): Promise<RatedTicket | null> {
  const now = await ticketAfterMerges(db, tenantId, ticketId)
  const [found] = await ticketById(db).execute({ tenantId, ticketId: now })
  return found ?? null
}

const ticketOf = prepared((db) =>
  db
    .select(named({ ticketId: ticketResponses.ticketId }))
    .from(ticketResponses)
    .where(and(ofTenant(ticketResponses), eq(ticketResponses.responseId, sql.placeholder('responseId'))))
    .prepare(),
)

/** The ticket that a response belongs to already, or null. */
export async function ticketOfResponse(db: Reader, tenantId: string, responseId: string): Promise<RatedTicket | null> {
  const [found] = await ticketOf(db).execute({ tenantId, responseId })
  return found ? findRatedTicket(db, tenantId, found.ticketId) : null
}

/** Has a response belong to the ticket whose customer gives it, for good. */
export async function linkResponse(
  tx: Tx,
  { tenantId }: Caller,
  responseId: string,
  { ticketId }: RatedTicket,
): Promise<void> {
  await tx.insert(ticketResponses).values({ tenantId, responseId, ticketId }).onConflictDoNothing()
}

/**
 * Has a completed response rate the ticket it belongs to, by its first answer that can (decisions §19); a ticket that is
 * rated stays as it is. In the transaction that completes the response.
 */
export async function rateTicket(
  tx: Tx,
  caller: Caller,
  responseId: string,
  { ticketId }: RatedTicket,
  asked: { readonly questions: readonly NumberedQuestion[]; readonly answers: StoredAnswers },
): Promise<void> {
  const { tenantId, at } = caller
  const percentage = satisfactionIn(asked.questions, asked.answers)
  if (percentage === null || (await isRated(tx, tenantId, ticketId))) return
  await tx
    .update(ticketResponses)
    .set({ satisfaction: Math.round(percentage * 10), ratedAt: formatTime(at) })
    .where(and(ofTenant(ticketResponses, tenantId), eq(ticketResponses.responseId, responseId)))
  const ticket = await getTicket(tx, tenantId, ticketId)
  await emit(tx, caller, 'ticket.rated', { ticket, satisfaction: Math.round(percentage * 10) / 10 })
}

/** Whether the ticket's customer has said how content they were. */
export async function isRated(db: Reader, tenantId: string, ticketId: string): Promise<boolean> {
  const found = await db
    .select({ responseId: ticketResponses.responseId })
    .from(ticketResponses)
    .where(
      and(
        ofTenant(ticketResponses, tenantId),
        eq(ticketResponses.ticketId, ticketId),
        isNotNull(ticketResponses.satisfaction),
      ),
    )
  return found.length > 0
}
