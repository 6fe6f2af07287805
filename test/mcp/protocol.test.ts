import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { revokeKey } from '../../src/keys/operations.ts'
import { sendMessage } from '../support/api/mcp.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { countByClockOf } from '../support/processes/nodes.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_BASE_URL: 'https://desk.acme.test' } })
  acme = await app.createTenant()
})
afterAll(() => app.close())

const list = { method: 'tools/list' }

describe('who may call', () => {
  test('nobody without a key: the 401 asks for one, in every case alike, before the body is read', async () => {
    const { key, keyId } = await acme.createKey()
    await acme.perform((tx, caller) => revokeKey(tx, caller, keyId))
    for (const bad of [null, 'sk_unknown', 'nonsense', key]) {
      const answer = await app.request('POST', '/mcp', { key: bad, body: '{"broken' })
      expect([answer.status, answer.text]).toEqual([401, ''])
      expect(answer.headers.get('www-authenticate')).toStartWith('Bearer')
    }
  })

  test('not by a key in the address', async () => {
    for (const name of ['access_token', 'key', 'api_key']) {
      expect((await app.request('POST', `/mcp?${name}=${acme.key}`, { body: {} })).status).toBe(401)
      expect((await app.request('POST', `/mcp?${name}=${acme.key}`, { key: acme.key, body: {} })).status).toBe(400)
    }
  })

  test('as often as the key may call the API: a call of a tool counts once', async () => {
    const limited = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '2' } })
    countByClockOf(limited)
    const { key } = await limited.createTenant()
    const call = { method: 'tools/call', params: { name: 'getMe', arguments: {} } }
    const first = await sendMessage(limited, key, call)
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '1'])
    expect((await limited.request('GET', '/v1/me', { key })).headers.get('ratelimit-remaining')).toBe('0')
    const refused = await sendMessage(limited, key, call)
    expect([refused.status, refused.text, refused.headers.get('retry-after')]).toEqual([429, '', '60'])
    await limited.close()
  })
})

describe('for whom a request is meant', () => {
  test.each(['desk.acme.test', 'desk.acme.test:443', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', '10.0.0.7'])(
    'one to %s is for us',
    async (host) => expect((await sendMessage(app, acme.key, list, { host })).status).toBe(200),
  )

  test.each(['evil.test', 'localhost.evil.test', 'desk.acme.test.evil.test', 'desk.acme.test@evil.test'])(
    'one to %s is not, whatever key it brings',
    async (host) => {
      const answer = await sendMessage(app, acme.key, list, { host })
      expect([answer.status, answer.body.id]).toEqual([403, null])
    },
  )

  test.each(['https://desk.acme.test', 'http://localhost:6274', 'http://127.0.0.1:80'])(
    'a page of %s may ask',
    async (origin) => expect((await sendMessage(app, acme.key, list, { origin })).status).toBe(200),
  )

  test.each([
    'https://evil.test',
    'http://desk.acme.test',
    'https://desk.acme.test:444',
    'null',
    'http://localhost.evil.test',
  ])('a page of %s may not', async (origin) =>
    expect((await sendMessage(app, acme.key, list, { origin })).status).toBe(403),
  )
})

describe('what is no message', () => {
  test.each([
    ['broken JSON', '{"broken', 400],
    ['a list', '[]', 400],
    ['a text', '"text"', 400],
    ['too deep', `${'['.repeat(100)}${']'.repeat(100)}`, 400],
    ['too large', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413],
    ['with a trap', '{"__proto__":{}}', 400],
  ])('%s is refused in the words of JSON-RPC', async (_, body, status) => {
    const answer = await app.request('POST', '/mcp', { key: acme.key, body })
    expect([answer.status, answer.body.jsonrpc, answer.body.id]).toEqual([status, '2.0', null])
  })

  test('nothing at all is refused, too', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    expect((await app.request('POST', '/mcp', { key: acme.key, headers })).status).toBe(400)
  })

  test('there are no sessions to open or to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect((await app.request(method, '/mcp', { key: acme.key })).status).toBe(405)
    }
  })

  test('a revision that nobody knows is refused with those that are', async () => {
    const answer = await sendMessage(app, acme.key, list, { 'mcp-protocol-version': '2099-01-01' })
    expect(answer.status).toBe(400)
  })
})

test('nobody holds a line open by listening: there is nothing to be told', async () => {
  const listen = { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }
  const answer = await sendMessage(app, acme.key, listen)
  expect(answer.body.error.message).toContain('limit')
})
