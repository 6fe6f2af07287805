import { describe, expect, test } from 'bun:test'
import { AppError } from '../../../src/errors.ts'
import { AddressError, checkUrl, hostOf, resolvePublic } from '../../../src/lib/network/outbound-address.ts'
import { LENGTH, refusedHosts, START, USER } from '../../support/webhooks/refused-hosts.ts'

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
