import { and, eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { outsideCaller } from '../caller.ts'
import { ofTenant, prepared, type Tx } from '../db/index.ts'
import { checkouts } from '../db/schema.ts'
import { emit } from '../events/outbox.ts'
import { responseIfShown } from '../responses/operations.ts'
import { markPaid } from '../responses/payments.ts'

/** A session as its row has it. */
export type Checkout = typeof checkouts.$inferSelect

const bySession = prepared((db) =>
  db
    .select()
    .from(checkouts)
    .where(eq(checkouts.sessionId, sql.placeholder('sessionId')))
    .prepare(),
)

/**
 * The session that Stripe tells of, or null for one of another program on the same account. No tenant scopes this
 * read: the session's id alone says whose it is, never the metadata, which others may write.
 */
async function findCheckout(tx: Tx, sessionId: string): Promise<Checkout | null> {
  const [found] = await bySession(tx).execute({ sessionId })
  return found ?? null
}

/** Something about a payment that an administrator has to look at: for the log, once it is committed. */
export interface Oddity {
  readonly message: string
  readonly about: Record<string, unknown>
}

/**
 * Marks what a paid session pays (decisions §4). Telling it again changes nothing, nor does a session that is not ours.
 * What was paid must be what was asked for; else nothing is marked. Returns what the log has to say of it, if anything.
 */
export async function notePaid(tx: Tx, session: Stripe.Checkout.Session, at: number): Promise<Oddity | null> {
  const checkout = await findCheckout(tx, session.id)
  if (!checkout || checkout.state === 'paid') return null
  const { tenantId, id, formId, responseId } = checkout
  const { amount_total, currency, payment_intent } = session
  const about = { tenantId, responseId, sessionId: session.id }
  if (amount_total !== checkout.amount || currency !== checkout.currency) {
    const message = 'a payment is not what was asked for, and was not marked'
    return { message, about: { ...about, amount_total, currency } }
  }
  const reference = typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? session.id)
  const questionIds = JSON.parse(checkout.questionIds) as number[]
  const caller = outsideCaller(tenantId, at, 'Stripe')
  const marked = await markPaid(tx, caller, { formId, responseId, questionIds }, reference)
  await tx
    .update(checkouts)
    .set({ state: 'paid' })
    .where(and(ofTenant(checkouts, tenantId), eq(checkouts.id, id)))
  const response = marked > 0 ? await responseIfShown(tx, tenantId, formId, responseId) : null
  if (response) await emit(tx, caller, 'payment.paid', { response, reference })
  return marked === 0 ? { message: 'a response was paid twice', about: { ...about, reference } } : null
}

/** Notes that a session can be paid no more: it expired, or the payment failed. The response can have another. */
export async function noteVoid(tx: Tx, sessionId: string | null): Promise<void> {
  const checkout = sessionId === null ? null : await findCheckout(tx, sessionId)
  if (checkout?.state !== 'open') return
  await tx
    .update(checkouts)
    .set({ state: 'void' })
    .where(and(ofTenant(checkouts, checkout.tenantId), eq(checkouts.id, checkout.id)))
}
