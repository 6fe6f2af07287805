import { timingSafeEqual } from 'node:crypto'
import { invalid, rule } from '../../errors.ts'
import type { Secrets } from '../../secrets/seal.ts'

/** A program that has registered itself. Nobody has checked that it is what it says. */
export interface OAuthClient {
  readonly name: string
  readonly redirectUris: readonly string[]
}

const CONTEXT = 'oauth client'
const MAX_NAME = 100
const MAX_URIS = 10
const MAX_URI = 500
/** All of a registration, in characters: its id travels in addresses. */
const MAX_ALL = 1500

/**
 * Registers a program (RFC 7591) and returns its id, which is the registration itself under the installation's key: so
 * strangers, who may all register, leave nothing behind. Throws `invalid_request`.
 */
export function registerClient(secrets: Secrets, { name, redirectUris }: OAuthClient): string {
  if (name === '' || name.length > MAX_NAME) throw invalid('client_name', rule('length', { least: 1, most: MAX_NAME }))
  if (redirectUris.length === 0 || redirectUris.length > MAX_URIS || !redirectUris.every(isRedirectUri)) {
    throw invalid('redirect_uris', rule('redirect_uris', { most: MAX_URIS }))
  }
  const registration = JSON.stringify([name, ...redirectUris])
  if (registration.length > MAX_ALL) throw invalid('redirect_uris', rule('too_long', { most: MAX_ALL }))
  const text = Buffer.from(registration).toString('base64url')
  return `${text}.${Buffer.from(secrets.mac(text, CONTEXT)).toString('base64url')}`
}

/** Who registered with that id, or null where nobody did. */
export function clientOf(secrets: Secrets, id: string): OAuthClient | null {
  const [text = '', mac = ''] = id.length > 2 * MAX_ALL ? [] : id.split('.', 2)
  const given = Buffer.from(mac, 'base64url')
  const own = secrets.mac(text, CONTEXT)
  // The same bytes can be written in several ways; one id is one client.
  if (given.length !== own.length || !timingSafeEqual(given, own) || id !== `${text}.${given.toString('base64url')}`)
    return null
  const [name, ...redirectUris] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, ...string[]]
  return { name, redirectUris }
}

/** Whether a program may be answered there: exactly what it registered, but for the port on one's own machine (RFC 8252). */
export function isRegistered({ redirectUris }: OAuthClient, uri: string): boolean {
  return redirectUris.some(
    (registered) => registered === uri || (isLoopback(registered) && isSameButPort(registered, uri)),
  )
}

function isSameButPort(registered: string, uri: string): boolean {
  if (!isRedirectUri(uri) || !isLoopback(uri)) return false
  const [one, other] = [new URL(registered), new URL(uri)]
  one.port = other.port = ''
  // As it was written but for the port, so that nothing else of it is taken for the same.
  return (
    one.href === other.href &&
    uri.replace(/^(http:\/\/[^/?]+?)(:\d+)?(?=[/?]|$)/, '$1') ===
      registered.replace(/^(http:\/\/[^/?]+?)(:\d+)?(?=[/?]|$)/, '$1')
  )
}

function isLoopback(uri: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?:[/?]|$)/.test(uri)
}

/** Schemes that browsers act on themselves, or that are no program's own. */
const FORBIDDEN =
  /^(?:about|blob|chrome|data|edge|feed|file|filesystem|ftp|http|intent|jar|javascript|mailto|ms-.*|resource|sms|tel|urn|vbscript|view-source|ws|wss)$/

/** Somewhere to lead a browser with a code: over TLS, on one's own machine, or to a program by a scheme of its own. */
function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_URI || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('#') || !URL.canParse(uri)) return false
  const { protocol, username, password, host } = new URL(uri)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return host !== '' && uri.startsWith('https://')
  if (isLoopback(uri)) return true
  return /^[a-z][a-z0-9+.-]*:/.test(uri) && !FORBIDDEN.test(protocol.slice(0, -1))
}
