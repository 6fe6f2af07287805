import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type Stripe from 'stripe'
import type { Tx } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalid } from '../errors.ts'
import { api } from '../http/api.ts'
import { readBytes } from '../http/body.ts'
import { noQuery } from '../http/schemas.ts'
import { notePaid, noteVoid, type Oddity } from './sessions.ts'
import { stripeClient } from './stripe.ts'

/** How old a signed event may be, in seconds: what Stripe advises. */
const TOLERANCE = 300

const Received = Type.Object({ received: Type.Boolean() })

/**
 * `POST /stripe/webhook`: Stripe tells what became of sessions. Believed when signed with the secret, whoever sends it;
 * events that mean nothing here, and sessions that are not ours, are answered alike. Without a key of Stripe's there is
 * no such path.
 */
export function stripeRoutes(deps: Deps) {
  const { database, clock, log } = deps
  const { stripe } = deps.config
  const getStripe = stripe && stripeClient(stripe)

  async function readEvent(request: Request): Promise<Stripe.Event> {
    if (!stripe || !getStripe) throw new AppError('not_found', 'no such path')
    const body = Buffer.from(await readBytes(request))
    const signature = request.headers.get('stripe-signature') ?? ''
    const { webhooks } = await getStripe()
    try {
      const now = clock.now()
      return await webhooks.constructEventAsync(body, signature, stripe.webhookSecret, TOLERANCE, undefined, now)
    } catch {
      throw invalid('stripe-signature', 'does not sign this body, or did so too long ago')
    }
  }

  return new Elysia().use(api(deps)).post(
    '/stripe/webhook',
    async ({ request }) => {
      const event = await readEvent(request)
      const odd = await database.transaction((tx) => note(tx, event, clock.now()))
      if (odd) log.error(odd.message, odd.about)
      return { received: true }
    },
    { scope: 'public', query: noQuery, response: { 200: Received }, detail: { hide: true } },
  )
}

async function note(tx: Tx, { type, data }: Stripe.Event, at: number): Promise<Oddity | null> {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      // A transfer from a bank is completed first and paid days later.
      return data.object.payment_status === 'paid' ? notePaid(tx, data.object, at) : null
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      await noteVoid(tx, data.object.id)
  }
  return null
}
