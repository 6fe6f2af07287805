import ipaddr from 'ipaddr.js'

type Parsed = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Parsed, number]

/**
 * Who sends a request, for limits per address (decisions §6). X-Forwarded-For is read from the right, for as long as
 * the hop before is one of `trusted` (addresses or ranges): what lies left of the first stranger is hearsay. An IPv6
 * client counts as its /64, which is what one subscriber is given.
 */
export function clientAddresses(trusted: readonly string[]) {
  const ranges = trusted.map(parseRange)
  const isTrusted = (address: Parsed) =>
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits))

  return function clientAddress(peer: string, forwardedFor: string | null): string {
    let client = parse(peer)
    if (!client) return peer
    const hops = forwardedFor?.split(',') ?? []
    while (isTrusted(client) && hops.length > 0) {
      const before = parse(hops.pop() as string)
      // A proxy of ours that writes something else than an address: it is the last one known.
      if (!before) break
      client = before
    }
    return networkOf(client)
  }
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

function networkOf(address: Parsed): string {
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
