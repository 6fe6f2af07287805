import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { invalid, rule } from '../../../errors.ts'
import type { MailServer } from '../../../kinds/mailboxes.ts'
import { isPrivateHost, hostOf as urlHost } from '../../../lib/network/outbound-address.ts'

/** What the URL of each kind of server begins with, and the port where it names none. */
const schemes = {
  imap: { 'imaps:': { security: 'tls', port: 993 }, 'imap:': { security: 'starttls', port: 143 } },
  smtp: { 'smtps:': { security: 'tls', port: 465 }, 'smtp:': { security: 'starttls', port: 587 } },
} as const satisfies Record<string, Record<string, Pick<MailServer, 'security' | 'port'>>>

const LONGEST_USER = 320

/**
 * Reads `imaps://user@host:993`, `smtp://user@host` (decisions §11); the user's name may be percent-encoded. Throws
 * `invalid_request`, which says nothing of the URL: somebody may have put a password into it. Addresses that are not
 * public are taken, since it is an administrator at the command line who names them; what others name, `namedServer` reads.
 */
export function parseServerUrl(kind: keyof typeof schemes, text: string): MailServer {
  const known: Readonly<Record<string, Pick<MailServer, 'security' | 'port'>>> = schemes[kind]
  const url = URL.canParse(text) ? new URL(text) : null
  const how = url && known[url.protocol]
  if (!url || !how) throw invalid(kind, rule('url_such_as', { kind }))
  if (url.password) throw invalid(kind, rule('url_password'))
  if (url.search || url.hash || !['', '/'].includes(url.pathname)) throw invalid(kind, rule('url_path'))
  const host = hostOf(url)
  if (!host) throw invalid(kind, rule('url_no_host'))
  const user = userOf(url)
  if (user === undefined || (user === null && kind === 'imap')) throw invalid(kind, rule('url_no_user'))
  return { host, port: url.port ? Number(url.port) : how.port, security: how.security, user }
}

/** A server as somebody names it who is no administrator of the machine. */
export interface NamedServer {
  readonly host: string
  /** '' for the usual one. */
  readonly port: string
  readonly security: MailServer['security']
  readonly user: string
}

/**
 * Reads what people type into the console. The server is reached at public addresses alone, unless `allowPrivate`. Throws
 * `invalid_request`, which names `imapHost`, `smtpPort` … or `user`.
 */
export function namedServer(
  kind: keyof typeof schemes,
  { host: typed, port: number, security, user }: NamedServer,
  { allowPrivate }: { allowPrivate: boolean },
): MailServer {
  const host = hostIn(typed)
  if (host === null) throw invalid(`${kind}Host`, rule('host'))
  if (!allowPrivate && isPrivateHost(host)) {
    throw invalid(`${kind}Host`, rule('url_private'))
  }
  const usual = Object.values(schemes[kind]).find((scheme) => scheme.security === security)?.port
  const port = number === '' ? usual : Number(number)
  if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw invalid(`${kind}Port`, rule('url_port'))
  }
  if (user === '' || user.length > LONGEST_USER || /\p{Cc}/u.test(user)) {
    throw invalid('user', rule('length', { least: 1, most: LONGEST_USER }))
  }
  return { host, port, security, user, publicOnly: true }
}

/**
 * A host alone, or null. Every spelling of an address (short, octal, one number, full-width) becomes the usual one, so that
 * what is checked and what is used cannot differ: only URLs of the web are read so.
 */
function hostIn(typed: string): string | null {
  const bare = isIP(typed) === 6 ? `[${typed}]` : typed
  if (!/^(\[[\da-f:.]+\]|[^\s/\\?#@%:]{1,253})$/iu.test(bare)) return null
  const url = URL.parse(`https://${bare}`)
  return url && (urlHost(url) || null)
}

function hostOf({ hostname }: URL): string {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) ? address : domainToASCII(decoded(hostname) ?? '')
}

/** Null where there is none, undefined for one that cannot be. */
function userOf({ username }: URL): string | null | undefined {
  if (username === '') return null
  const user = decoded(username)
  return user === null || user.length > LONGEST_USER || /\p{Cc}/u.test(user) ? undefined : user
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
