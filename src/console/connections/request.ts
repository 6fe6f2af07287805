import type { Config } from '../../config.ts'
import { type Scope, scopes } from '../../kinds/scopes.ts'
import type { Secrets } from '../../secrets/seal.ts'
import { clientOf, isRegistered, type OAuthClient } from '../../users/oauth/clients.ts'
import { resourceOf } from '../../users/oauth/resource.ts'

/** What a program asks for, as the address that it led somebody to says. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly state: string
  /** Those that it names and we know; all where it names none. */
  readonly scopes: readonly Scope[]
}

/** The parameters that are taken, by name; of each the longest text. */
export const parameters = {
  response_type: 20,
  client_id: 3000,
  redirect_uri: 500,
  code_challenge: 128,
  code_challenge_method: 20,
  state: 2000,
  scope: 1000,
  resource: 1000,
} as const
type Parameter = keyof typeof parameters

/**
 * What is asked for, or null where it is not as it has to be: then nobody is led on, since whoever wrote the address may
 * have registered where it leads.
 */
export function authorizationRequest(
  given: { getAll(name: string): unknown[] },
  { config, secrets }: { config: Pick<Config, 'baseUrl'>; secrets: Secrets },
): AuthorizationRequest | null {
  const values = {} as Record<Parameter, string>
  for (const [name, most] of Object.entries(parameters) as [Parameter, number][]) {
    const [value = '', ...more] = given.getAll(name)
    if (typeof value !== 'string' || value.length > most || more.length > 0) return null
    values[name] = value
  }
  const client = clientOf(secrets, values.client_id)
  const isWellFormed =
    client !== null &&
    isRegistered(client, values.redirect_uri) &&
    values.response_type === 'code' &&
    values.code_challenge_method === 'S256' &&
    /^[\w-]{43}$/.test(values.code_challenge) &&
    (values.resource === '' || values.resource === resourceOf(config))
  if (!isWellFormed) return null
  const named = values.scope.split(' ')
  const known = scopes.filter((scope) => named.includes(scope))
  return {
    clientId: values.client_id,
    client,
    redirectUri: values.redirect_uri,
    codeChallenge: values.code_challenge,
    state: values.state,
    scopes: known.length > 0 ? known : scopes,
  }
}

/** Where the browser goes on with what was decided. Says who sends it (RFC 9207). */
export function answerTo(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...(state !== '' && { state }), iss: issuer })) {
    url.searchParams.set(name, value)
  }
  return url
}
