import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalid, rule } from '../../errors.ts'

/** Where a connection may go: an address and whether it is IPv4 or IPv6. */
export interface Address {
  address: string
  family: 4 | 6
}

/** Turns a host name into all its addresses; throws when it has none. */
export type Lookup = (host: string) => Promise<readonly { address: string }[]>

/** A host that no connection may be made to, or whose name has no address. `failure` is the word stored for it. */
export class AddressError extends Error {
  override readonly name = 'AddressError'

  constructor(
    readonly failure: 'blocked_address' | 'dns',
    message: string,
  ) {
    super(message)
  }
}

/** Outside this block no IPv6 address is public unicast: what embeds an IPv4 address (mapped, NAT64 …) lies there. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Reads the URL of a subscriber (decisions §9): 1 to 2048 characters, `https:`, a host, no user info; a host that is
 * a literal address must be a public one, and a `localhost` name is refused. `allowPrivate` admits `http:` and any host.
 *
 * The URL parser turns every spelling of an IPv4 address (octal, hex, short, one number, full-width, percent-encoded)
 * into four decimals. Connect to the URL returned, so that what is checked and what is used cannot differ.
 *
 * Names are not resolved here: that is `resolvePublic`, at every delivery.
 * @throws AppError `invalid_request` that names `place` and the rule
 */
export function checkUrl(
  text: string,
  { allowPrivate, place = 'url' }: { allowPrivate: boolean; place?: string },
): URL {
  if (text.length < 1 || text.length > 2048) throw invalid(place, rule('length', { least: 1, most: 2048 }))
  const start = allowPrivate ? /^https?:\/\/[^/\\]/i : /^https:\/\/[^/\\]/i
  if (!start.test(text)) throw invalid(place, rule(allowPrivate ? 'url_http' : 'url_https'))
  // `new URL` would drop blanks, tabs and line ends without a word.
  if (/[\p{Cc} ]/u.test(text)) throw invalid(place, rule('url_blanks'))
  if (/^\w+:\/\/[^/\\?#]*@/.test(text)) throw invalid(place, rule('url_user'))
  const url = URL.parse(text)
  if (!url || !hostOf(url)) throw invalid(place, rule('url_host'))
  if (url.port === '0') throw invalid(place, rule('url_port'))
  if (!allowPrivate && isPrivateHost(hostOf(url))) throw invalid(place, rule('url_private'))
  return url
}

/** The host of a URL as sockets and DNS want it: no brackets around IPv6, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/**
 * Resolves `host` (as `hostOf` gives it) once and returns the address to connect to, IPv4 before IPv6, because a
 * machine without IPv6 is the commoner fault. Refused when *any* address of the name is not public unicast: a name
 * that mixes the two is set up for rebinding or by mistake. `allowPrivate` admits any address.
 * @throws AddressError `blocked_address`, or `dns` when there is no address
 */
export async function resolvePublic(
  host: string,
  { allowPrivate, lookup = lookupAll }: { allowPrivate: boolean; lookup?: Lookup | undefined },
): Promise<Address> {
  const addresses = isIP(host) ? [host] : await addressesOf(host, lookup)
  if (!allowPrivate && !addresses.every(isPublic)) throw new AddressError('blocked_address', `${host} is not public`)
  const chosen = addresses.find((address) => isIP(address) === 4) ?? (addresses[0] as string)
  return { address: chosen, family: isIP(chosen) === 4 ? 4 : 6 }
}

/**
 * c-ares, not `node:dns` lookup: that one runs getaddrinfo on a few threads, where 8 names whose servers do not
 * answer held up every other delivery for 10 s (measured; 500 such names here: none). Reads /etc/hosts too.
 */
const lookupAll: Lookup = (host) => Bun.dns.lookup(host, { backend: 'c-ares' })

async function addressesOf(host: string, lookup: Lookup): Promise<string[]> {
  const found = await lookup(host).catch((error: Error) => {
    throw new AddressError('dns', `${host}: ${error.message}`)
  })
  if (found.length === 0) throw new AddressError('dns', `${host} has no address`)
  return found.map(({ address }) => address)
}

/** Whether a host, as `hostOf` gives it or an address, is not public as it stands: names are not resolved. */
export function isPrivateHost(host: string): boolean {
  return isIP(host) ? !isPublic(host) : /(^|\.)localhost$/i.test(host)
}

function isPublic(address: string): boolean {
  if (!isIP(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** Whether the host is this machine, where nobody listens in. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
