import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { AddressError, checkUrl, hostOf, resolvePublic } from '../../src/lib/outbound-address.ts'

const PRIVATE = 'url: must not point to a private or reserved address'
const NO_URL = 'url: must be a URL with a host'
const START = 'url: must start with https:// and a host'
const USER = 'url: must not contain a user name or password'
const BLANK = 'url: must not contain blanks or control characters'
const LENGTH = 'url: must be 1 to 2048 characters'

/** Spellings of hosts, by the rule that refuses them. */
const refusedHosts: [rule: string, hosts: string[]][] = [
  // Loopback and "this host".
  [PRIVATE, ['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1']],
  [
    PRIVATE,
    ['0x7F.0.0.0x1', '017700000001', '127.0.0.1.', '%31%32%37.0.0.1', '127。0。0。1', '１２７.０.０.１', '①②⑦.0.0.1'],
  ],
  [PRIVATE, ['0', '0.0.0.0', '0.1.2.3', '0x0', '00']],
  [
    PRIVATE,
    [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'localhost..',
      'a.localhost',
      'a.b.LocalHost.',
      'ⓛocalhost',
      'local%68ost',
    ],
  ],
  // Private, link local and shared networks.
  [PRIVATE, ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '3232235777']],
  [PRIVATE, ['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518']],
  [PRIVATE, ['100.64.0.1', '100.127.255.255']],
  // Reserved for protocols, benchmarks and documentation; multicast and broadcast.
  [PRIVATE, ['192.0.0.1', '192.0.0.170', '192.0.2.1', '198.51.100.1', '203.0.113.9', '198.18.0.1', '198.19.255.255']],
  [PRIVATE, ['192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '254.1.1.1', '255.255.255.255', '4294967295']],
  // IPv6 of its own.
  [
    PRIVATE,
    ['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[febf::1]'],
  ],
  [
    PRIVATE,
    ['[fec0::1]', '[ff02::1]', '[ff0e::1]', '[100::1]', '[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[5f00::1]'],
  ],
  [PRIVATE, ['[4000::1]', '[2001:10::1]', '[2001:20::1]']],
  // IPv6 that stands for IPv4: mapped, compatible, translated, NAT64, 6to4, Teredo.
  [
    PRIVATE,
    ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:10.0.0.1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]', '[::7f00:1]'],
  ],
  [PRIVATE, ['[::8.8.8.8]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::1]']],
  [PRIVATE, ['[64:ff9b:1:ffff::a00:1]', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:4136:e378::1]']],
  // Not hosts at all.
  [
    NO_URL,
    ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[127.0.0.1]', '[::1', '::1', '1.2.3.4.5', '256.1.1.1', '0x1ffffffff'],
  ],
  [
    NO_URL,
    ['a%00b.example', '%2531.example', 'a|b.example', 'exa<mple', 'example.com:65536', 'example.com:x', '.', '..'],
  ],
  ['url: must have a port from 1 to 65535', ['example.com:0', '8.8.8.8:00']],
  [USER, ['user@example.com', 'user:secret@example.com', '@example.com', ':@example.com', 'example.com@127.0.0.1']],
  [BLANK, ['exam ple.com', 'exam\tple.com', 'exam\nple.com', '127.0.0.1\r\n', 'example.com/a b', 'example.com/\u0085']],
]

/** Whole URLs, by the rule that refuses them. */
const refusedUrls: [rule: string, urls: string[]][] = [
  [START, ['http://example.com', 'ftp://example.com', 'file:///etc/passwd', 'data:,x', 's3://bucket', 'javascript:1']],
  [
    START,
    ['//example.com', 'example.com', '/hook', 'https:example.com', 'https:/example.com', 'https:\\\\example.com'],
  ],
  [
    START,
    ['https://', 'https:///example.com', 'https:///user@example.com', 'https://\\example.com', ' https://example.com'],
  ],
  [LENGTH, ['', `https://example.com/${'a'.repeat(2029)}`]],
]

const allowed: [url: string, host: string][] = [
  ['https://example.com', 'example.com'],
  ['https://example.com/', 'example.com'],
  [`https://example.com/${'a'.repeat(2028)}`, 'example.com'],
  ['HTTPS://EXAMPLE.com/Path?q=1#f', 'example.com'],
  ['https://example.com./hook', 'example.com'],
  ['https://example.com:8443/hook?a=b@c', 'example.com'],
  ['https://example.com/user@host', 'example.com'],
  ['https://bücher.example', 'xn--bcher-kva.example'],
  ['https://localhost.example.com', 'localhost.example.com'],
  ['https://notlocalhost', 'notlocalhost'],
  ['https://127.0.0.1.example.com', '127.0.0.1.example.com'],
  ['https://8.8.8.8', '8.8.8.8'],
  ['https://134744072', '8.8.8.8'],
  ['https://1.1', '1.0.0.1'],
  ['https://172.15.255.255', '172.15.255.255'],
  ['https://172.32.0.1', '172.32.0.1'],
  ['https://100.63.255.255', '100.63.255.255'],
  ['https://169.253.1.1', '169.253.1.1'],
  ['https://223.255.255.255', '223.255.255.255'],
  ['https://[2606:4700:4700::1111]:444/x', '2606:4700:4700::1111'],
  ['https://[2A00:1450:4001::200e]', '2a00:1450:4001::200e'],
]

describe('a subscriber URL', () => {
  for (const [rule, hosts] of refusedHosts) {
    test.each(hosts)(`with host %j is refused: ${rule}`, (host) => {
      expect(refusal(`https://${host}/hook`)).toBe(rule)
    })
  }

  for (const [rule, urls] of refusedUrls) {
    test.each(urls)(`%j is refused: ${rule}`, (url) => expect(refusal(url)).toBe(rule))
  }

  test.each(allowed)('%j is allowed, with host %j', (url, host) => {
    expect(hostOf(checkUrl(url, { allowPrivate: false }))).toBe(host)
  })

  test('may be http: and private when the operator says so, and is still checked otherwise', () => {
    for (const url of ['http://localhost:4000/x', 'http://10.0.0.1', 'https://[::1]:1', 'http://2130706433']) {
      expect(refusal(url, true)).toBeNull()
    }
    expect(refusal('ftp://10.0.0.1', true)).toBe('url: must start with https:// or http:// and a host')
    expect(refusal('http://user@10.0.0.1', true)).toBe(USER)
  })

  test('is named by the place it came from', () => {
    expect(() => checkUrl('x', { allowPrivate: false, place: 'hooks[2].url' })).toThrow('hooks[2].url: must start')
  })
})

describe('resolving', () => {
  const publicOnly = { allowPrivate: false }
  const finds =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address }))

  test('gives the address to connect to, IPv4 first', async () => {
    const lookup = finds('2606:4700::1111', '104.16.0.1', '104.16.0.2')
    expect(await resolvePublic('example.com', { ...publicOnly, lookup })).toEqual({ address: '104.16.0.1', family: 4 })
    const ipv6 = finds('2606:4700::1111')
    expect(await resolvePublic('example.com', { ...publicOnly, lookup: ipv6 })).toEqual({
      address: '2606:4700::1111',
      family: 6,
    })
  })

  test.each([
    [['127.0.0.1']],
    [['104.16.0.1', '10.0.0.1']],
    [['10.0.0.1', '104.16.0.1']],
    [['104.16.0.1', '::1']],
    [['::ffff:104.16.0.1']],
    [['fe80::1%eth0']],
    [['64:ff9b::a00:1']],
    [['not an address']],
  ])('refuses a name that has %j', async (addresses) => {
    expect(await failure('example.com', { ...publicOnly, lookup: finds(...addresses) })).toBe('blocked_address')
  })

  test('does not ask about literal addresses, and checks them too', async () => {
    const lookup = () => Promise.reject(new Error('asked'))
    expect(await resolvePublic('8.8.8.8', { ...publicOnly, lookup })).toEqual({ address: '8.8.8.8', family: 4 })
    expect(await failure('169.254.169.254', { ...publicOnly, lookup })).toBe('blocked_address')
    expect(await failure('::1', { ...publicOnly, lookup })).toBe('blocked_address')
    expect(await resolvePublic('::1', { allowPrivate: true, lookup })).toEqual({ address: '::1', family: 6 })
  })

  test('takes any address when the operator says so', async () => {
    const lookup = finds('10.0.0.1')
    expect(await resolvePublic('inside', { allowPrivate: true, lookup })).toEqual({ address: '10.0.0.1', family: 4 })
  })

  test('says dns when a name has no address', async () => {
    expect(await failure('example.com', { ...publicOnly, lookup: finds() })).toBe('dns')
    expect(await failure('example.com', { ...publicOnly, lookup: () => Promise.reject(new Error('NXDOMAIN')) })).toBe(
      'dns',
    )
  })

  test('by the machine itself reads the hosts file', async () => {
    expect(await failure('localhost', publicOnly)).toBe('blocked_address')
    expect((await resolvePublic('localhost', { allowPrivate: true })).address).toMatch(/^(127\.0\.0\.1|::1)$/)
  })
})

function refusal(url: string, allowPrivate = false): string | null {
  try {
    checkUrl(url, { allowPrivate })
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error.message
    throw error
  }
}

function failure(...args: Parameters<typeof resolvePublic>): Promise<string> {
  return resolvePublic(...args).then(
    ({ address }) => `resolved to ${address}`,
    (error) => (error instanceof AddressError ? error.failure : Promise.reject(error)),
  )
}
