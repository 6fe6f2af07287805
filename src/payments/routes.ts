import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type Stripe from 'stripe'
import type { Tx } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalid, rule } from '../errors.ts'
import { api } from '../http/api.ts'
import { readPublicBytes } from '../http/requests/body.ts'
import { noQuery } from '../http/requests/schemas.ts'
import { ownValue, readObject, readString } from '../lib/input/read.ts'
import { notePaid, noteVoid, type Oddity } from './sessions.ts'
import { stripeClient } from './stripe.ts'

/** How far from now, before or after, an event may have been signed, in seconds: what Stripe advises. */
const TOLERANCE = 300

/** The longest names read, in characters: Stripe's ids have at most 255. */
const MAX_NAME = 255

const Received = Type.Object({ received: Type.Boolean() })

/**
 * `POST /stripe/webhook`: Stripe tells what became of sessions. Believed when signed with the secret, whoever sends it;
 * events that mean nothing here, and sessions that are not ours, are answered alike, and what is no event of Stripe's is
 * a 400. Without a key of Stripe's there is no such path.
 */
export function stripeRoutes(deps: Deps) {
  const { database, clock, log } = deps
  const { stripe } = deps.config
  const getStripe = stripe && stripeClient(stripe)

  async function receive(request: Request): Promise<Event> {
    if (!stripe || !getStripe) throw new AppError('not_found', 'no such path')
    const body = Buffer.from(await readPublicBytes(request))
    const signature = request.headers.get('stripe-signature') ?? ''
    const { webhooks } = await getStripe()
    const now = clock.now()
    const event: unknown = await webhooks
      .constructEventAsync(body, signature, stripe.webhookSecret, TOLERANCE, undefined, now)
      .catch((error) => {
        throw error?.type === 'StripeSignatureVerificationError'
          ? wrongSignature()
          : invalid('body', rule('stripe_event'))
      })
    if (!(signedAt(signature) <= now / 1000 + TOLERANCE)) throw wrongSignature()
    return readEvent(event)
  }

  return new Elysia().use(api(deps)).post(
    '/stripe/webhook',
    async ({ request }) => {
      const event = await receive(request)
      const odd = await database.transaction((tx) => note(tx, event, clock.now()))
      if (odd) log.error(odd.message, odd.about)
      return { received: true }
    },
    { scope: 'public', query: noQuery, response: { 200: Received }, detail: { hide: true } },
  )
}

/** What is read of an event. Its object is a session for the types that `note` knows. */
interface Event {
  readonly type: string
  readonly object: Record<string, unknown>
}

/** Throws `invalid` for a body that is no event of Stripe's. */
function readEvent(sent: unknown): Event {
  const event = readObject(sent, 'body')
  const type = readString(ownValue(event, 'type'), MAX_NAME, 'type')
  const object = readObject(ownValue(readObject(ownValue(event, 'data'), 'data'), 'object'), 'data.object')
  return { type, object }
}

/** Stripe's own check asks how old a signature is, and takes any that is ahead. The last time counts, as there. */
function signedAt(signature: string): number {
  return Number(/^(?:.*,)?t=(\d+)(?:,|$)/.exec(signature)?.[1] ?? Number.NaN)
}

function wrongSignature(): AppError {
  return invalid('stripe-signature', rule('stripe_signature'))
}

async function note(tx: Tx, { type, object }: Event, at: number): Promise<Oddity | null> {
  const session = () => {
    readString(ownValue(object, 'id'), MAX_NAME, 'data.object.id')
    return object as unknown as Stripe.Checkout.Session
  }
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      // A transfer from a bank is completed first and paid days later.
      return session().payment_status === 'paid' ? notePaid(tx, session(), at) : null
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      await noteVoid(tx, session().id)
  }
  return null
}
