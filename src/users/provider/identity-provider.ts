import type { Configuration } from 'openid-client'
import type { OidcConfig } from '../../config.ts'
import type { Clock } from '../../lib/clock.ts'

/** Why nobody is signed in. */
export type IdentityProblem =
  /** It does not answer, or not as a provider does. */
  | 'unreachable'
  /** It says that they are not to be let in, or they turned back. */
  | 'denied'
  /** What it says of them cannot be relied on. */
  | 'untrusted'

/** Thrown where a provider does not say who somebody is; the message is for the log, and holds nothing secret. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError'

  constructor(
    readonly problem: IdentityProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What has to come back from the provider, so that it answers this question and no other. Kept from everybody else. */
export interface Question {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What a provider says of somebody: `subject` is theirs for good, the address may become another's. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** null for one that it has not verified. */
  readonly email: string | null
}

/** How long it may take to answer each request, in seconds. */
const PATIENCE = 10
/** For how long what it says of itself is believed, in milliseconds. */
const KNOWN_FOR = 60 * 60 * 1000
const SCOPE = 'openid email'

/** Loaded at the first use: most services have no provider, and would feel it at every start. */
const library = () => import('openid-client')

/** Asks an identity provider who somebody is: OpenID Connect's code flow with PKCE, state and nonce. */
export class IdentityProvider {
  #known: { configuration: Promise<Configuration>; until: number } | null = null

  /** `returnTo` is where it leads people back to, as it is registered there. */
  constructor(
    private readonly config: OidcConfig,
    private readonly returnTo: string,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** What people know it by. */
  get host(): string {
    return new URL(this.config.issuer).host
  }

  /** A question, and the page of the provider's that puts it. Throws IdentityError `unreachable`. */
  async ask(): Promise<{ url: URL; question: Question }> {
    const client = await library()
    const configuration = await this.#configuration()
    const question = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.returnTo,
      scope: SCOPE,
      state: question.state,
      nonce: question.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(question.verifier),
      code_challenge_method: 'S256',
    })
    return { url, question }
  }

  /**
   * Who came back with this query. A question is for one answer: see that it is not put twice. Throws IdentityError.
   */
  async whoCame(query: URLSearchParams, { state, nonce, verifier }: Question): Promise<Identity> {
    const client = await library()
    const configuration = await this.#configuration()
    const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
    const url = new URL(this.returnTo)
    url.search = query.toString()
    const claims = await client
      .authorizationCodeGrant(configuration, url, expected)
      .then(async (tokens) => {
        const told = tokens.claims()
        if (!told) throw new IdentityError('untrusted', 'there is no ID token')
        // Providers may keep all but the subject for this.
        return told.email === undefined ? client.fetchUserInfo(configuration, tokens.access_token, told.sub) : told
      })
      .catch(explain)
    const { sub: subject, email, email_verified: isVerified } = claims
    // Some write a word.
    const isTold = typeof email === 'string' && (isVerified === true || String(isVerified) === 'true')
    return { issuer: configuration.serverMetadata().issuer, subject, email: isTold ? email : null }
  }

  /** What the provider says of itself. Asked again after a failure. */
  async #configuration(): Promise<Configuration> {
    const now = this.clock.monotonic()
    if (this.#known === null || this.#known.until <= now) {
      this.#known = { configuration: this.#discover(), until: now + KNOWN_FOR }
    }
    const { configuration } = this.#known
    try {
      return await configuration
    } catch (error) {
      if (this.#known?.configuration === configuration) this.#known = null
      return explain(error, 'unreachable')
    }
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.config
    const client = await library()
    const isInsecure = issuer.startsWith('http:')
    const execute = isInsecure ? [client.allowInsecureRequests] : []
    const found = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: PATIENCE,
      execute,
    })
    const metadata = found.serverMetadata()
    // A provider that names none takes this one (OpenID Connect Discovery §3).
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authentication = methods.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic
    const configuration = new client.Configuration(metadata, clientId, clientSecret, authentication(clientSecret))
    configuration.timeout = PATIENCE
    if (isInsecure) client.allowInsecureRequests(configuration)
    // Who signed a token is looked at, not only whom it came from.
    client.enableNonRepudiationChecks(configuration)
    return configuration
  }
}

/** Failures of the network, and answers that are none of a provider. */
const UNREACHABLE = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']

function explain(cause: unknown, otherwise: IdentityProblem = 'untrusted'): never {
  if (cause instanceof IdentityError) throw cause
  const { code = '', error = '', message = '' } = (cause ?? {}) as Record<string, string | undefined>
  const words = [code, error, message].filter(Boolean).join(' ')
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') throw new IdentityError('denied', words, { cause })
  // What fetch throws has names of its own.
  const isNetwork = !/^(OAUTH_|ERR_INVALID_)/.test(code)
  throw new IdentityError(UNREACHABLE.includes(code) || isNetwork ? 'unreachable' : otherwise, words, { cause })
}
