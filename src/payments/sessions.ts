import { and, eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { outsideCaller } from '../caller.ts'
import { prepared, type Tx } from '../db/index.ts'
import { checkouts } from '../db/schema.ts'
import type { Log } from '../lib/log.ts'
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

/**
 * Marks what a paid session pays (decisions §4). Telling it again changes nothing, nor does a session that is not ours.
 * What was paid must be what was asked for; else nothing is marked, and the log says so.
 */
export async function notePaid(
  tx: Tx,
  session: Stripe.Checkout.Session,
  { at, log }: { at: number; log: Log },
): Promise<void> {
  const checkout = await findCheckout(tx, session.id)
  if (!checkout || checkout.state === 'paid') return
  const { tenantId, id, formId, responseId } = checkout
  const { amount_total, currency, payment_intent } = session
  const about = { tenantId, responseId, sessionId: session.id }
  if (amount_total !== checkout.amount || currency !== checkout.currency) {
    log.error('a payment is not what was asked for, and was not marked', { ...about, amount_total, currency })
    return
  }
  const reference = typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? session.id)
  const questionIds = JSON.parse(checkout.questionIds) as number[]
  const caller = outsideCaller(tenantId, at, 'Stripe')
  const marked = await markPaid(tx, caller, { formId, responseId, questionIds }, reference)
  if (marked === 0) log.error('a response was paid twice', { ...about, reference })
  await tx
    .update(checkouts)
    .set({ state: 'paid' })
    .where(and(eq(checkouts.tenantId, tenantId), eq(checkouts.id, id)))
}

/** Notes that a session can be paid no more: it expired, or the payment failed. The response can have another. */
export async function noteVoid(tx: Tx, sessionId: string | null): Promise<void> {
  const checkout = sessionId === null ? null : await findCheckout(tx, sessionId)
  if (checkout?.state !== 'open') return
  await tx
    .update(checkouts)
    .set({ state: 'void' })
    .where(and(eq(checkouts.tenantId, checkout.tenantId), eq(checkouts.id, checkout.id)))
}
