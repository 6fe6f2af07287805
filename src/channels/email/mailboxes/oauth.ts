import type { OAuthClient } from '../../../config/mail.ts'
import type { MailboxProblem } from '../../../kinds/mailboxes.ts'
import { hashOf } from '../../../lib/hash.ts'
import type { ProviderEndpoint, ProviderEndpoints } from '../../../ports/mail-providers.ts'
import { MailboxError } from './problems.ts'

/** What a refresh token was good for. */
export interface Renewal {
  readonly accessToken: string
  /** Seconds for which it lets us in. */
  readonly lasts: number
  /** The refresh token of the next time, where the provider gave another one. */
  readonly refreshToken: string | null
}

const OUTLOOK = 'https://outlook.office.com'
const MICROSOFT = 'https://login.microsoftonline.com/common/oauth2/v2.0'
const MICROSOFT_SCOPE = `${OUTLOOK}/IMAP.AccessAsUser.All ${OUTLOOK}/SMTP.Send offline_access`

export const providerEndpoints: ProviderEndpoints = {
  microsoft: {
    url: `${MICROSOFT}/token`,
    scope: MICROSOFT_SCOPE,
    consent: { url: `${MICROSOFT}/authorize`, scope: MICROSOFT_SCOPE, more: { prompt: 'select_account' } },
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  },
  google: {
    url: 'https://oauth2.googleapis.com/token',
    // What was consented to holds: asking for less is possible, for the same not needed.
    scope: null,
    consent: {
      url: 'https://accounts.google.com/o/oauth2/v2/auth',
      scope: 'https://mail.google.com/',
      // It gives a refresh token to those who ask for one, and again only to those who ask again.
      more: { access_type: 'offline', prompt: 'consent' },
    },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  },
}

/** What has to come back from the provider's page, or go to it again, for one consent. */
export interface ConsentRequest {
  /** Whose mailbox it is for; the page proposes that account. */
  readonly user: string
  /** Where the page leads back to, as it is registered with the provider. */
  readonly returnTo: string
  readonly state: string
  /** Kept from everybody until the code is exchanged (RFC 7636). */
  readonly verifier: string
}

/** The page of a provider's on which somebody consents to our reading and sending their mail, for as long as they like. */
export function consentUrl({ consent }: ProviderEndpoint, { clientId }: OAuthClient, request: ConsentRequest): URL {
  const url = new URL(consent.url)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: request.returnTo,
    scope: consent.scope,
    state: request.state,
    code_challenge: hashOf(request.verifier),
    code_challenge_method: 'S256',
    login_hint: request.user,
    ...consent.more,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/**
 * Exchanges the code that a consent gave for a refresh token. Throws MailboxError: `no_consent` where the provider gives
 * none, `no_client` and `unreachable` as `renew`.
 */
export async function exchangeCode(
  { url }: ProviderEndpoint,
  client: OAuthClient,
  { code, returnTo, verifier }: { code: string } & Pick<ConsentRequest, 'returnTo' | 'verifier'>,
): Promise<string> {
  const { status, body } = await post(
    url,
    new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: returnTo,
      code_verifier: verifier,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }),
  )
  if (status === 200 && isToken(body.refresh_token)) return body.refresh_token
  if (status === 200) throw new MailboxError('no_consent')
  throw refusalOf(status, body, 'no_consent')
}

/** How long a provider may take to answer, in milliseconds. */
const TIMEOUT = 15_000
/** Where it does not say how long its token lasts, in seconds. */
const LASTS = 300
const LONGEST_TOKEN = 16_384

/**
 * Has the provider renew our access (RFC 6749 §6). Throws MailboxError: `not_renewed` when the refresh token is no
 * longer good, `no_client` when our own id and secret are not, `unreachable` for whatever may be over later.
 */
export async function renew(
  { url, scope }: Pick<ProviderEndpoint, 'url' | 'scope'>,
  client: OAuthClient,
  refreshToken: string,
): Promise<Renewal> {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: client.clientId,
    client_secret: client.clientSecret,
    ...(scope === null ? {} : { scope }),
  })
  const { status, body } = await post(url, form)
  const { access_token: accessToken, expires_in: lasts, refresh_token: next } = body
  if (status === 200 && isToken(accessToken)) {
    return {
      accessToken,
      lasts: Number.isFinite(lasts) && Number(lasts) > 0 ? Number(lasts) : LASTS,
      refreshToken: isToken(next) && next !== refreshToken ? next : null,
    }
  }
  throw refusalOf(status, body, 'not_renewed')
}

function refusalOf(status: number, { error }: Record<string, unknown>, otherwise: MailboxProblem): MailboxError {
  if (error === 'invalid_client' || error === 'unauthorized_client') return new MailboxError('no_client', error)
  if (status === 400 || status === 401) return new MailboxError(otherwise, typeof error === 'string' ? error : null)
  return new MailboxError('unreachable', `the provider answered ${status}`)
}

async function post(url: string, form: URLSearchParams): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: form,
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const body: unknown = await response.json().catch(() => null)
    return { status: response.status, body: typeof body === 'object' && body !== null ? { ...body } : {} }
  } catch (cause) {
    throw new MailboxError('unreachable', 'the provider that renews our access does not answer', { cause })
  }
}

/** One line: it becomes part of what is said to a mail server. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_TOKEN && !/[\s\p{Cc}]/u.test(value)
}
