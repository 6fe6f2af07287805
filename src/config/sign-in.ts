import { isThisMachine } from '../lib/network/outbound-address.ts'
import { ConfigError, type Environment } from './variables.ts'

/** An identity provider, where people sign in with the account of their organisation (OpenID Connect). */
export interface OidcConfig {
  /** As the provider writes it: one with a slash at its end is another than one without. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

const oidcVariables = ['FRONTDESK_OIDC_ISSUER', 'FRONTDESK_OIDC_CLIENT_ID', 'FRONTDESK_OIDC_CLIENT_SECRET'] as const

/** All three or none. Without TLS, whoever is on the way could sign in as anybody: on this machine nobody is. */
export function oidc(env: Environment): OidcConfig | null {
  const [issuer, clientId, clientSecret] = oidcVariables.map((name) => env[name])
  const present = oidcVariables.find((name) => env[name])
  if (present === undefined) return null
  const missing = oidcVariables.find((name) => !env[name])
  if (!issuer || !clientId || !clientSecret) throw new ConfigError(`${missing}: must be set where ${present} is`)
  const parsed = URL.canParse(issuer) ? new URL(issuer) : null
  const isSafe =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && isThisMachine(parsed.hostname.replace(/[[\]]/g, '')))
  if (!parsed?.hostname || !isSafe || parsed.username || parsed.search || parsed.hash) {
    throw new ConfigError('FRONTDESK_OIDC_ISSUER: must be the https:// address that the provider names as its issuer')
  }
  return { issuer, clientId, clientSecret }
}
