import type Stripe from 'stripe'
import type { StripeConfig } from '../config.ts'
import { type AppError, refusal, rule } from '../errors.ts'
import type { Log } from '../lib/log/log.ts'

/** How long Stripe may take to answer, in milliseconds, and how often a request that failed is sent again at once. */
const TIMEOUT = 10_000
const RETRIES = 1

/** Gives the client of Stripe's API, the same one every time. */
export type GetStripe = () => Promise<Stripe>

/** Loaded at the first use: its 300 kB would be felt at every start, and most services take no payments. */
export function stripeClient({ key, apiBase }: StripeConfig): GetStripe {
  let client: Promise<Stripe> | null = null
  const make = async () => {
    const { default: Stripe } = await import('stripe')
    const { protocol, hostname, port } = new URL(apiBase)
    return new Stripe(key, {
      host: hostname,
      port: port || (protocol === 'http:' ? 80 : 443),
      protocol: protocol === 'http:' ? 'http' : 'https',
      httpClient: Stripe.createFetchHttpClient(),
      timeout: TIMEOUT,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    })
  }
  return () => {
    client ??= make()
    return client
  }
}

/**
 * An amount in the smallest unit of the currency, as Stripe counts it: some currencies have other units there
 * (https://docs.stripe.com/currencies#special-cases). Throws `unprocessable` where Stripe has none that small.
 */
export function stripeAmount(amount: number, currency: string): number {
  if (currency === 'ISK' || currency === 'UGX') return amount * 100
  if (currency !== 'MGA') return amount
  if (amount % 100 !== 0) throw refused()
  return amount / 100
}

/** Whether Stripe answered, with an error: the request did nothing, and the same key would give the same answer. */
export function wasAnswered(error: unknown): boolean {
  return statusOf(error) !== undefined
}

/** Whether Stripe says that it has no such session, for one that was another account's. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404
}

/**
 * What a respondent is told when Stripe did not do as it was asked; the reason is for the log. `unprocessable` when
 * the payment itself was refused (too small, a currency that the account does not take), else `delivery_failed`.
 */
export function explainStripeError(error: unknown, log: Log): AppError {
  const { type, code, requestId, message } = error as Partial<Record<'type' | 'code' | 'requestId' | 'message', string>>
  log.error('Stripe did not make a payment page', { why: message, type, code, stripeRequestId: requestId })
  if (type === 'StripeInvalidRequestError') return refused()
  return refusal('delivery_failed', rule('provider_unreachable'))
}

function refused(): AppError {
  return refusal('unprocessable', rule('amount_not_payable'))
}

function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number } | null)?.statusCode
}
