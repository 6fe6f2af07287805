import { and, eq, isNull, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { checkouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { refusal, rule } from '../errors.ts'
import { type FormRecord, formRecordOf } from '../forms/operations.ts'
import { translatedInto } from '../forms/texts/read.ts'
import { plainText } from '../lib/html/sanitise.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import type { BegunResponse } from '../responses/collection.ts'
import { type PaymentDue, paymentsDue } from '../responses/payments.ts'
import { openResponse } from '../responses/rows.ts'
import { type Checkout, notePaid, noteVoid } from './sessions.ts'
import { explainStripeError, type GetStripe, isMissing, stripeAmount, wasAnswered } from './stripe.ts'

/** Longest name of something to pay, in characters. */
const MAX_NAME = 250
/** Sessions that are looked at for one request: some may turn out to have expired. */
const MAX_ROUNDS = 3

type Tools = Pick<Deps, 'database' | 'config' | 'log'>

/**
 * The address of the page where a respondent pays what a complete response owes: all payments of one currency together,
 * another currency once those are paid. Asking again gives the same page for as long as it can be paid. Not inside a
 * transaction: Stripe takes seconds. Throws `not_found`, `conflict` for a response that is not complete or is being paid,
 * `unprocessable` when there is nothing to pay or no way to (`getStripe` is null without a key), `delivery_failed` when
 * Stripe cannot be reached: then asking again may work.
 */
export async function openCheckout(
  tools: Tools,
  getStripe: GetStripe | null,
  caller: Caller,
  formId: string,
  own: BegunResponse,
): Promise<string> {
  const form = await formRecordOf(tools.database.db, caller.tenantId, formId)
  await dueNow(tools.database.db, caller.tenantId, form, own)
  if (!getStripe) throw refusal('unprocessable', rule('not_paid_online'))
  const stripe = await getStripe()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { checkout, items } = await tools.database.transaction((tx) => checkoutFor(tx, caller, form, own))
    const session = await sessionOf(tools, stripe, checkout, form, items)
    if (session?.status === 'open' && session.url) return session.url
    const sessionId = session?.id ?? checkout.sessionId
    if (session?.payment_status === 'paid') {
      const odd = await tools.database.transaction((tx) => notePaid(tx, session, caller.at))
      if (odd) tools.log.error(odd.message, odd.about)
    } else if (session?.status !== 'complete') await tools.database.transaction((tx) => noteVoid(tx, sessionId))
    else throw refusal('conflict', rule('payment_under_way'))
  }
  throw refusal('delivery_failed', rule('provider_no_page'))
}

async function dueNow(...args: Parameters<typeof paymentsDue>): Promise<[PaymentDue, ...PaymentDue[]]> {
  const [first, ...others] = await paymentsDue(...args)
  if (!first) throw refusal('unprocessable', rule('nothing_to_pay'))
  return [first, ...others.filter(({ currency }) => currency === first.currency)]
}

const openOfResponse = prepared((db) =>
  db
    .select()
    .from(checkouts)
    .where(
      and(ofTenant(checkouts), eq(checkouts.responseId, sql.placeholder('responseId')), eq(checkouts.state, 'open')),
    )
    .prepare(),
)

/** The open checkout of a response, or a new one for what is due now. */
async function checkoutFor(
  tx: Tx,
  { tenantId, at }: Caller,
  form: FormRecord,
  own: BegunResponse,
): Promise<{ checkout: Checkout; items: readonly PaymentDue[] }> {
  const items = await dueNow(tx, tenantId, form, own)
  const [open] = await openOfResponse(tx).execute({ tenantId, responseId: own.id })
  if (open) return { checkout: open, items }
  const checkout: Checkout = {
    tenantId,
    id: newId(at),
    formId: form.id,
    responseId: own.id,
    questionIds: JSON.stringify(items.map(({ questionId }) => questionId)),
    amount: items.reduce((sum, { amount, currency }) => sum + stripeAmount(amount, currency), 0),
    currency: items[0].currency.toLowerCase(),
    sessionId: null,
    state: 'open',
    createdAt: formatTime(at),
  }
  await tx.insert(checkouts).values(checkout)
  return { checkout, items }
}

/** The checkout's session as it is now, made if need be; null when Stripe does not know it. */
async function sessionOf(
  { database, config, log }: Tools,
  stripe: Stripe,
  checkout: Checkout,
  form: FormRecord,
  items: readonly PaymentDue[],
): Promise<Stripe.Checkout.Session | null> {
  if (checkout.sessionId !== null) {
    return stripe.checkout.sessions.retrieve(checkout.sessionId).catch((error) => {
      if (isMissing(error)) return null
      throw explainStripeError(error, log)
    })
  }
  const page = `${config.baseUrl}/f/${form.launchCode}`
  const asked = sessionFor(checkout, form, items, { page, spoken: await spokenIn(database.db, checkout) })
  const session = await stripe.checkout.sessions.create(asked, { idempotencyKey: checkout.id }).catch(async (error) => {
    if (wasAnswered(error)) await database.transaction((tx) => forget(tx, checkout))
    throw explainStripeError(error, log)
  })
  await database.transaction((tx) => keep(tx, { ...checkout, sessionId: session.id }))
  return session
}

/** For a checkout that Stripe refused: the next attempt begins anew. */
async function forget(tx: Tx, { tenantId, id }: Checkout): Promise<void> {
  await tx
    .delete(checkouts)
    .where(and(ofTenant(checkouts, tenantId), eq(checkouts.id, id), isNull(checkouts.sessionId)))
}

/** An upsert, for a request beside this one that failed and forgot the row. */
async function keep(tx: Tx, checkout: Checkout): Promise<void> {
  const { sessionId } = checkout
  await tx
    .insert(checkouts)
    .values(checkout)
    .onConflictDoUpdate({ target: [checkouts.tenantId, checkouts.id], set: { sessionId } })
}

/** What has the page that Stripe leads back to be in the respondent's language, where the form has several. */
async function spokenIn(db: Reader, { tenantId, formId, responseId }: Checkout): Promise<string> {
  if ((await translatedInto(db, tenantId, formId)).length === 0) return ''
  const [response] = await openResponse(db).execute({ tenantId, formId, id: responseId })
  return response?.language ? `&lang=${encodeURIComponent(response.language)}` : ''
}

/** What Stripe is asked for. Nothing of it is the client's; nothing on Stripe's page can change the sum. */
function sessionFor(
  { tenantId, responseId, currency }: Checkout,
  { id: formId, title }: FormRecord,
  items: readonly PaymentDue[],
  { page, spoken }: { page: string; spoken: string },
): Stripe.Checkout.SessionCreateParams {
  const questionId = items.map((item) => item.questionId).join()
  // For people who look at Stripe's dashboard; never read back. Stripe takes 500 characters a value.
  const metadata = { tenantId, formId, responseId, questionId: questionId.slice(0, 500) }
  return {
    mode: 'payment',
    submit_type: 'pay',
    line_items: items.map((item) => ({
      quantity: 1,
      price_data: {
        currency,
        unit_amount: stripeAmount(item.amount, item.currency),
        product_data: { name: nameOf(plainText(item.questionText)) || nameOf(title) },
      },
    })),
    adaptive_pricing: { enabled: false },
    client_reference_id: responseId,
    metadata,
    payment_intent_data: { metadata },
    // Named to the page that the form leads to afterwards, too.
    success_url: `${page}?paid=true&response=${encodeURIComponent(responseId)}${spoken}`,
    cancel_url: `${page}?paid=false${spoken}`,
  }
}

function nameOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME).toWellFormed()
}
