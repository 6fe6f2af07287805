import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { clientAddresses } from '../../src/lib/client-address.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/collecting.ts'
import { respondent } from '../support/hosted.ts'
import { questionBody } from '../support/questions.ts'

let app: TestApp
let form: TestForm

beforeAll(async () => {
  app = await startApp({
    environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '3', FRONTDESK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' },
  })
  form = await createPublished(await app.createTenant(), [questionBody('nps')])
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

  test('do not count reading', async () => {
    const read = () => app.request('GET', `/f/${form.launchCode}/definition`, { headers: from('203.0.113.4') })
    for (let i = 0; i < 5; i += 1) expect((await read()).status).toBe(200)
    expect((await begin('203.0.113.4')).status).toBe(201)
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
    expect(trusted(peer, forwardedFor)).toBe(expected)
  })
})
