import type { MailProvider } from './model.ts'
import { MailboxError } from './model.ts'

/** An application that is registered with a provider (decisions §11). */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** What a refresh token was good for. */
export interface Renewal {
  readonly accessToken: string
  /** Seconds for which it lets us in. */
  readonly lasts: number
  /** The refresh token of the next time, where the provider gave another one. */
  readonly refreshToken: string | null
}

/** Where each provider renews access, and for what it is asked. */
export type TokenEndpoints = Readonly<Record<MailProvider, { readonly url: string; readonly scope: string | null }>>

const OUTLOOK = 'https://outlook.office.com'

export const tokenEndpoints: TokenEndpoints = {
  microsoft: {
    url: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: `${OUTLOOK}/IMAP.AccessAsUser.All ${OUTLOOK}/SMTP.Send offline_access`,
  },
  // What was consented to holds: asking for less is possible, for the same not needed.
  google: { url: 'https://oauth2.googleapis.com/token', scope: null },
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
  { url, scope }: TokenEndpoints[MailProvider],
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
  const { access_token: accessToken, expires_in: lasts, refresh_token: next, error } = body
  if (status === 200 && isToken(accessToken)) {
    return {
      accessToken,
      lasts: Number.isFinite(lasts) && Number(lasts) > 0 ? Number(lasts) : LASTS,
      refreshToken: isToken(next) && next !== refreshToken ? next : null,
    }
  }
  if (error === 'invalid_client' || error === 'unauthorized_client') throw new MailboxError('no_client', error)
  if (status === 400 || status === 401) throw new MailboxError('not_renewed', typeof error === 'string' ? error : null)
  throw new MailboxError('unreachable', `the provider answered ${status}`)
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
