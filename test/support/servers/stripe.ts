import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import type { Clock } from '../../../src/lib/clock.ts'

const KEY = 'sk_test_stand_in'
const SECRET = 'whsec_stand_in'

/** A session as the stand-in keeps it; tests change what a respondent would. */
export interface StandInSession {
  id: string
  object: 'checkout.session'
  url: string | null
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  amount_total: number
  currency: string
  payment_intent: string | null
  metadata: Record<string, string>
  success_url: string
  cancel_url: string
}

export interface StandInRequest {
  method: string
  path: string
  headers: Headers
  /** As Stripe's form encoding names them: `line_items[0][quantity]`. */
  fields: Record<string, string>
}

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>

/**
 * What frontdesk needs of Stripe, on a free port of 127.0.0.1: Checkout sessions, made once for each Idempotency-Key,
 * and the pages on which they are paid: two links, where the respondent goes after paying (`pay`) or instead of it.
 */
export async function startStripe() {
  const requests: StandInRequest[] = []
  const sessions = new Map<string, StandInSession>()
  const byKey = new Map<string, StandInSession>()
  const failures: (() => Response)[] = []
  let nextId = 1
  let lost = 0

  function create({ fields, headers }: StandInRequest): StandInSession {
    const key = headers.get('idempotency-key') ?? crypto.randomUUID()
    const known = byKey.get(key)
    if (known) return known
    const lines = Object.entries(fields).filter(([name]) => name.endsWith('[unit_amount]'))
    const id = `cs_test_${crypto.randomUUID()}`
    const session: StandInSession = {
      id,
      object: 'checkout.session',
      url: `http://127.0.0.1:${port}/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: lines.reduce((sum, [, amount]) => sum + Number(amount), 0),
      currency: fields['line_items[0][price_data][currency]'] ?? '',
      payment_intent: null,
      success_url: fields.success_url ?? '',
      cancel_url: fields.cancel_url ?? '',
      metadata: Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) => {
          const of = /^metadata\[(\w+)\]$/.exec(name)?.[1]
          return of ? [[of, value]] : []
        }),
      ),
    }
    sessions.set(id, session)
    byKey.set(key, session)
    return session
  }

  function reply(received: StandInRequest): Response {
    const { method, path, headers } = received
    if (headers.get('authorization') !== `Bearer ${KEY}`) return stripeError(401, 'invalid_request_error')
    if (method === 'POST' && path === '/v1/checkout/sessions') return Response.json(create(received))
    const session = sessions.get(path.replace('/v1/checkout/sessions/', ''))
    return session ? Response.json(session) : stripeError(404, 'invalid_request_error', 'resource_missing')
  }

  const server = createServer(async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)))
    const { method = '', url: path = '' } = request
    const received = { method, path, headers: new Headers(request.headers as Record<string, string>), fields }
    requests.push(received)
    if (path.startsWith('/pay/')) {
      const { success_url, cancel_url } = sessions.get(path.slice(5)) as StandInSession
      const links = `<a id="paid" href="${success_url}">Paid</a> <a id="back" href="${cancel_url}">Back</a>`
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Pay</title>${links}`)
      return
    }
    const failure = failures.shift()
    const answer = failure?.() ?? reply(received)
    if (lost > 0) {
      lost -= 1
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  return {
    requests,
    /** The requests that asked for a session. */
    asked: () => requests.filter(({ method }) => method === 'POST'),
    /** What FRONTDESK_ variables say to use it. */
    environment: {
      FRONTDESK_STRIPE_KEY: KEY,
      FRONTDESK_STRIPE_WEBHOOK_SECRET: SECRET,
      FRONTDESK_STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    /** The next requests are answered by these instead, one each. */
    fail: (...answers: (() => Response)[]) => void failures.push(...answers),
    /** Does what the next `count` requests ask for, and breaks the connection instead of answering. */
    lose: (count: number) => {
      lost = count
    },
    /** The session that pays at `url`. */
    at(url: string): StandInSession {
      const session = sessions.get(url.slice(url.lastIndexOf('/') + 1))
      if (!session) throw new Error(`no session at ${url}`)
      return session
    },
    /** The respondent pays. */
    pay(session: StandInSession): StandInSession {
      const paid = { status: 'complete', payment_status: 'paid', url: null, payment_intent: `pi_${nextId++}` } as const
      return Object.assign(session, paid)
    },
    /** Stops listening; sessions stay. */
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** An error as Stripe answers it. */
export function stripeError(status: number, type: string, code = 'some_code'): Response {
  return Response.json({ error: { type, code, message: 'Said by the stand-in' } }, { status })
}

/** An event as Stripe sends it, with a valid signature of now. */
export async function signedEvent(clock: Pick<Clock, 'now'>, type: string, object: object, secret = SECRET) {
  return sign(clock, JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } }), secret)
}

/** Any body, with a valid signature of now. */
export async function sign(clock: Pick<Clock, 'now'>, body: string, secret = SECRET) {
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret,
    timestamp: Math.floor(clock.now() / 1000),
  })
  return { body, headers: { 'stripe-signature': signature } }
}
