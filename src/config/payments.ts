import { url } from './values.ts'
import { ConfigError, type Environment } from './variables.ts'

const STRIPE_API = 'https://api.stripe.com'

/** How we speak with Stripe. */
export interface StripeConfig {
  readonly key: string
  /** What Stripe signs its webhooks with. */
  readonly webhookSecret: string
  /** Where Stripe's API is, without a path. */
  readonly apiBase: string
}

/** The values are left out of the messages: they are secrets. */
export function stripe(env: Environment): StripeConfig | null {
  const key = env.FRONTDESK_STRIPE_KEY
  const webhookSecret = env.FRONTDESK_STRIPE_WEBHOOK_SECRET
  const { origin, href } = new URL(url(env, 'FRONTDESK_STRIPE_API_BASE', ['http:', 'https:']) ?? STRIPE_API)
  if (href !== `${origin}/`) {
    throw new ConfigError('FRONTDESK_STRIPE_API_BASE: must be a host and a port alone, such as http://127.0.0.1:12111')
  }
  if (key && !/^[sr]k_\w+$/.test(key)) {
    throw new ConfigError('FRONTDESK_STRIPE_KEY: must be a secret key (sk_…) or a restricted one (rk_…)')
  }
  if (webhookSecret && !/^whsec_\S+$/.test(webhookSecret)) {
    throw new ConfigError('FRONTDESK_STRIPE_WEBHOOK_SECRET: must be the signing secret of a webhook endpoint (whsec_…)')
  }
  if (key && !webhookSecret) {
    throw new ConfigError(
      'FRONTDESK_STRIPE_WEBHOOK_SECRET: must be set too, or nobody would learn that anything was paid',
    )
  }
  if (webhookSecret && !key) {
    throw new ConfigError('FRONTDESK_STRIPE_KEY: must be set where FRONTDESK_STRIPE_WEBHOOK_SECRET is')
  }
  return key && webhookSecret ? { key, webhookSecret, apiBase: origin } : null
}
