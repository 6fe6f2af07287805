import ipaddr from 'ipaddr.js'

type Parsed = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Parsed, number]

/** Answers kept: who asks once asks again. */
const REMEMBERED = 1000
/** Longest question that is kept, in characters: the header is the client's own. */
const LONGEST = 100

/** Who sends a request. */
export interface Client {
  /** The address, for the log; '' once the connection is gone. */
  readonly address: string
  /** What limits per address count: the address, of IPv6 the /64, which is what one subscriber is given. */
  readonly network: string
  /** Of IPv6 the /48 around it, which one customer can have to himself; else null. */
  readonly site: string | null
}

/**
 * Who sends a request, for limits per address (decisions §6) and the log. X-Forwarded-For is read from the right, for
 * as long as the hop before is one of `trusted` (addresses or ranges): what lies left of the first stranger is hearsay.
 * `onDisbelieved` hears of a peer on this machine that forwards and is not trusted: mostly a proxy nobody has named.
 */
export function clientAddresses(trusted: readonly string[], onDisbelieved: (peer: string) => void = () => {}) {
  const isTrusted = trustIn(trusted)
  const known = new Map<string, Client>()

  function find(peer: string, forwardedFor: string | null): Client {
    let client = parse(peer)
    if (!client) return { address: peer, network: peer, site: null }
    const hops = forwardedFor?.split(',') ?? []
    if (hops.length > 0 && client.range() === 'loopback' && !isTrusted(client)) onDisbelieved(peer)
    while (isTrusted(client) && hops.length > 0) {
      const before = parse(hops.pop() as string)
      // A proxy of ours that writes something else than an address: it is the last one known.
      if (!before) break
      client = before
    }
    return describe(client)
  }

  return function clientOf(peer: string, forwardedFor: string | null): Client {
    const key = forwardedFor === null ? peer : `${peer} ${forwardedFor}`
    const found = known.get(key)
    if (found) return found
    const client = find(peer, forwardedFor)
    if (key.length > LONGEST) return client
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, client)
    return client
  }
}

/** Whether a peer is one of `trusted`, which are addresses or ranges. */
export function trustedPeers(trusted: readonly string[]): (peer: string) => boolean {
  const isTrusted = trustIn(trusted)
  return (peer) => {
    const address = parse(peer)
    return address !== null && isTrusted(address)
  }
}

function trustIn(trusted: readonly string[]): (address: Parsed) => boolean {
  const ranges = trusted.map(parseRange)
  return (address) =>
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits))
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Reads `203.0.113.7`, `[2001:db8::1]` and both with a port; an IPv4 address in IPv6 clothes is an IPv4 address. */
function parse(text: string): Parsed | null {
  const bare = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?|([^\s]+))\s*$/.exec(text)
  const address = bare?.[1] ?? bare?.[2] ?? bare?.[3]
  return address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address) : null
}

function describe(client: Parsed): Client {
  const address = client.toString()
  if (client instanceof ipaddr.IPv4) return { address, network: address, site: null }
  const parts = client.parts.map((part) => part.toString(16))
  return { address, network: `${parts.slice(0, 4).join(':')}::/64`, site: `${parts.slice(0, 3).join(':')}::/48` }
}
