import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { AddressLimiter } from '../../src/http/limits/public-limit.ts'
import { clientAddresses } from '../../src/lib/network/client-address.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'

let app: TestApp
let form: TestForm

beforeAll(async () => {
  app = await startApp({
    environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '3', FRONTDESK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' },
  })
  form = await createPublished(await app.createTenant(), [questionBody('nps'), questionBody('signature')])
})
afterAll(() => app.close())

const from = (address: string) => ({ 'x-forwarded-for': address })
const begin = (address: string, values: unknown[] = [9]) => respondent(app, form).begin(values, true, from(address))

describe('writes per address', () => {
  test('are limited, over all of them together, and refused before they are judged', async () => {
    const { upload } = respondent(app, form)
    expect((await begin('203.0.113.1')).status).toBe(201)
    expect((await begin('203.0.113.1', ['wrong'])).status).toBe(400)
    expect((await upload('x', 'a.txt', from('203.0.113.1'))).status).toBe(201)
    for (const refused of [await begin('203.0.113.1', ['wrong']), await upload('x', 'a', from('203.0.113.1'))]) {
      expect([refused.status, refused.text, refused.headers.get('access-control-allow-origin')]).toEqual([429, '', '*'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await begin('203.0.113.2')).status).toBe(201)
  })

  test('are let in again after the time that the refusal names', async () => {
    for (let i = 0; i < 3; i += 1) await begin('203.0.113.3')
    const { status, headers } = await begin('203.0.113.3')
    expect(status).toBe(429)
    app.clock.advance(Number(headers.get('retry-after')) * 1000)
    expect((await begin('203.0.113.3')).status).toBe(201)
  })

  test('count before the launch code is looked up, whatever the path', async () => {
    const paths = ['/f/nothing/responses', '/f/nothing/else', `/f/${form.launchCode}/responses/r_1`]
    for (const path of paths) {
      expect((await app.request('PUT', path, { body: {}, headers: from('203.0.113.4') })).status).not.toBe(429)
    }
    for (const path of paths) {
      const { status, text } = await app.request('POST', path, { body: '{', headers: from('203.0.113.4') })
      expect([status, text]).toEqual([429, ''])
    }
  })

  test('are refused before their body has come', async () => {
    for (let i = 0; i < 3; i += 1) await begin('203.0.113.5')
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
    const headers = { 'content-type': 'application/json', ...from('203.0.113.5') }
    const { status } = await fetch(`${app.url}/f/${form.launchCode}/responses`, {
      method: 'POST',
      body: endless,
      headers,
    })
    expect(status).toBe(429)
  })
})

describe('reads per address', () => {
  const read = (address: string, path = '') =>
    app.request('GET', `/f/${form.launchCode}${path}`, { headers: from(address) })

  test('have a budget of their own, over pages and definitions together, and are refused before any 404', async () => {
    const client = '203.0.113.6'
    for (let i = 0; i < 149; i += 1) expect((await read(client)).status).toBe(200)
    for (let i = 0; i < 149; i += 1) expect((await read(client, '/definition')).status).toBe(200)
    expect((await app.request('GET', '/f/nothing', { headers: from(client) })).status).toBe(404)
    expect((await app.request('OPTIONS', '/f/x/uploads', { headers: from(client) })).status).toBe(204)
    for (const path of ['', '/definition', '/nothing']) {
      const { status, text, headers } = await read(client, path)
      expect([status, text, Number(headers.get('retry-after'))]).toEqual([429, '', 60])
    }
    expect((await app.request('GET', '/f/nothing', { headers: from(client) })).status).toBe(429)
    expect((await app.request('GET', '/f/assets/form.js', { headers: from(client) })).status).toBe(200)
    expect((await begin(client)).status).toBe(201)
    app.clock.advance(60_000)
    expect((await read(client)).status).toBe(200)
  })
})

describe('IPv6 addresses', () => {
  const in64 = (network: string, host: number) => begin(`2001:db8:${network}::${host}`)

  test('count per /64', async () => {
    for (let i = 0; i < 3; i += 1) expect((await in64('1:1', i)).status).toBe(201)
    expect((await in64('1:1', 9)).status).toBe(429)
    expect((await in64('1:2', 9)).status).toBe(201)
  })

  test('and per /48 with ten times the budget, in which what was refused does not count', async () => {
    for (let i = 0; i < 3; i += 1) await in64('2:1', i)
    for (let i = 0; i < 40; i += 1) expect((await in64('2:1', i)).status).toBe(429)
    for (let i = 0; i < 27; i += 1) expect((await in64(`2:${i + 2}`, 1)).status).toBe(201)
    const refused = await in64('2:ffff', 1)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 60])
    expect((await in64('3:1', 1)).status).toBe(201)
  })

  test('of one /48 fill no memory once it is refused', () => {
    const limiter = new AddressLimiter(1)
    for (let i = 0; i < 100; i += 1) limiter.take({ address: '', network: `n${i}`, site: 's' }, 0)
    expect(limiter.size).toBe(11)
  })
})

describe('the address of a client', () => {
  const trusted = clientAddresses(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
  const cases: [string, string, string | null, string][] = [
    ['is the peer’s without a proxy', '203.0.113.9', null, '203.0.113.9'],
    ['is the peer’s when the peer is no trusted proxy', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['is what a trusted proxy says', '10.1.1.1', '198.51.100.1', '198.51.100.1'],
    ['is not what the client said of itself', '10.1.1.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    [
      'is found behind several trusted proxies',
      '10.1.1.1',
      '1.1.1.1, 198.51.100.1, 192.0.2.1, 10.2.2.2',
      '198.51.100.1',
    ],
    ['is the first proxy’s when all are trusted', '10.1.1.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['is the proxy’s when it writes no address', '10.1.1.1', '198.51.100.1, unknown', '10.1.1.1'],
    ['may come with a port', '10.1.1.1', '198.51.100.1:4711', '198.51.100.1'],
    ['is a network of IPv6', '2001:db8:1:2:3:4:5:6', null, '2001:db8:1:2::/64'],
    ['is a network of IPv6 behind a proxy', 'fd00::1', '[2001:db8:1:2::9]:80', '2001:db8:1:2::/64'],
    ['is IPv4 where IPv6 wraps it', '::ffff:203.0.113.9', null, '203.0.113.9'],
    ['is found behind a wrapped proxy', '::ffff:10.1.1.1', '198.51.100.1', '198.51.100.1'],
  ]
  test.each(cases)('%s', (_name, peer, forwardedFor, expected) => {
    expect(trusted(peer, forwardedFor).network).toBe(expected)
  })

  test('of IPv6 is known with its /48, for the log as a whole', () => {
    expect(trusted('2001:db8:1:2:3:4:5:6', null)).toEqual({
      address: '2001:db8:1:2:3:4:5:6',
      network: '2001:db8:1:2::/64',
      site: '2001:db8:1::/48',
    })
    expect(trusted('203.0.113.9', null).site).toBeNull()
  })

  test('is told again when the header changes, and after many others', () => {
    expect(trusted('10.1.1.1', '198.51.100.1').address).toBe('198.51.100.1')
    expect(trusted('10.1.1.1', '198.51.100.2').address).toBe('198.51.100.2')
    for (let i = 0; i < 3000; i += 1) trusted('10.1.1.1', `198.51.${i >> 8}.${i & 255}`)
    expect(trusted('10.1.1.1', '198.51.100.1').address).toBe('198.51.100.1')
  })
})
