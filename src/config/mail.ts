import { integer } from './values.ts'
import { ConfigError, type Environment } from './variables.ts'

/** A listener for mail that others send to the inboxes' addresses. */
export interface InboundSmtp {
  readonly host: string
  readonly port: number
  /** Paths of the certificate and its key, PEM; null: STARTTLS is not offered. */
  readonly tls: { readonly cert: string; readonly key: string } | null
}

const withoutPort = [
  'FRONTDESK_INBOUND_SMTP_HOST',
  'FRONTDESK_INBOUND_SMTP_TLS_CERT',
  'FRONTDESK_INBOUND_SMTP_TLS_KEY',
] as const

/** All or none of them: without a port, no mail is taken. */
export function inboundSmtp(env: Environment): InboundSmtp | null {
  const set = withoutPort.find((name) => env[name])
  if (!env.FRONTDESK_INBOUND_SMTP_PORT) {
    if (set) throw new ConfigError(`FRONTDESK_INBOUND_SMTP_PORT: must be set where ${set} is, or no mail is taken`)
    return null
  }
  const port = integer(env, 'FRONTDESK_INBOUND_SMTP_PORT', 0, 0, 65_535)
  const { FRONTDESK_INBOUND_SMTP_TLS_CERT: cert, FRONTDESK_INBOUND_SMTP_TLS_KEY: key } = env
  if (cert && !key)
    throw new ConfigError('FRONTDESK_INBOUND_SMTP_TLS_KEY: must be set too: the path of its private key')
  if (key && !cert)
    throw new ConfigError('FRONTDESK_INBOUND_SMTP_TLS_CERT: must be set too: the path of its certificate')
  return { host: env.FRONTDESK_INBOUND_SMTP_HOST || '127.0.0.1', port, tls: cert && key ? { cert, key } : null }
}

/** Both or neither. */
export function oauthClient(env: Environment, provider: 'MICROSOFT' | 'GOOGLE'): OAuthClient | null {
  const names = [`FRONTDESK_${provider}_CLIENT_ID`, `FRONTDESK_${provider}_CLIENT_SECRET`] as const
  const [clientId, clientSecret] = names.map((name) => env[name])
  if (clientId && clientSecret) return { clientId, clientSecret }
  if (clientId || clientSecret) {
    const [present, missing] = clientId ? names : [names[1], names[0]]
    throw new ConfigError(`${missing}: must be set where ${present} is`)
  }
  return null
}

/** An application that is registered with a provider (decisions §11). */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string
}
