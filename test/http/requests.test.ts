import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bodyOf, documentOf } from '../support/api/conformance.ts'
import { furnish } from '../support/api/furnished.ts'
import { problem } from '../support/api/problem.ts'
import { apiRoutes, nameOf, type PathIds, pathWith, type Route } from '../support/api/routes.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../support/app.ts'

const app: TestApp = await startApp()
const routes = apiRoutes(app)
const table = routes.map((route) => [nameOf(route), route] as const)
const withBody = table.filter(([, { takesBody }]) => takesBody)
const withoutBody = table.filter(([, { takesBody, method }]) => !takesBody && method === 'POST')
const document = await documentOf(app)

let acme: TestTenant
let ids: PathIds

beforeAll(async () => {
  const furnished = await furnish(await app.createTenant())
  acme = furnished.tenant
  ids = furnished.ids
})
afterAll(() => app.close())

const MIB = 1024 * 1024
const nested = (depth: number) => `{"name": ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

/** Sends raw bytes with exactly these headers, in chunks when it is a stream. */
async function send(
  route: Pick<Route, 'method' | 'path'>,
  body: BodyInit | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(app.url + pathWith(route.path, ids), {
    method: route.method,
    headers: { 'x-api-key': acme.key, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
}

/** Says that the request was refused with this message and left nothing behind. */
async function expectRefused(sending: () => Promise<Answer>, status: number, message: unknown): Promise<void> {
  const before = await snapshot(app)
  const answer = await sending()
  expect([answer.status, answer.body.message]).toEqual([status, message])
  expect(answer.body).toEqual(problem('invalid_request', answer.body.message))
  expect(answer.headers.get('x-request-id')).toBeString()
  expect(await snapshot(app)).toEqual(before)
}

const json = { 'content-type': 'application/json' }
const stream = (data: Uint8Array | string) => new Blob([data as BlobPart]).stream()

describe.each(withBody)('the body of %s', (_, route) => {
  const refused: [string, () => BodyInit | undefined, Record<string, string>, number, unknown][] = [
    ['is missing', () => undefined, {}, 400, 'body: a JSON object is required'],
    ['is missing, its type is not', () => undefined, json, 400, 'body: a JSON object is required'],
    ['is empty', () => '', json, 400, 'body: a JSON object is required'],
    ['is white space', () => '  \n', json, 400, 'body: must be well-formed JSON'],
    ['is broken', () => '{"name": ', json, 400, 'body: must be well-formed JSON'],
    ['goes on behind its end', () => '{} {}', json, 400, 'body: must be well-formed JSON'],
    ['has a comment', () => '{/**/}', json, 400, 'body: must be well-formed JSON'],
    ['has a trailing comma', () => '{"name": "a",}', json, 400, 'body: must be well-formed JSON'],
    ['has single quotes', () => "{'name': 'a'}", json, 400, 'body: must be well-formed JSON'],
    ['has NaN', () => '{"name": NaN}', json, 400, 'body: must be well-formed JSON'],
    ['is an array', () => '[]', json, 400, 'body: must be a JSON object'],
    ['is null', () => 'null', json, 400, 'body: must be a JSON object'],
    ['is a string', () => '"name"', json, 400, 'body: must be a JSON object'],
    ['is a number', () => '1', json, 400, 'body: must be a JSON object'],
    ['is not UTF-8', () => bytes('{"name": "', [0xff], '"}'), json, 400, 'body: must be UTF-8'],
    ['is cut inside a character', () => bytes('{"name": "', [0xe2, 0x82], '"}'), json, 400, 'body: must be UTF-8'],
    ['has a surrogate as UTF-8', () => bytes('{"name": "', [0xed, 0xa0, 0x80], '"}'), json, 400, 'body: must be UTF-8'],
    ['is UTF-16', () => Buffer.from('{}', 'utf16le'), json, 400, expect.stringMatching(/^body: must be /)],
    ['is nested 33 deep', () => nested(33), json, 400, 'body: must not be nested deeper than 32 levels'],
    ['is nested without end', () => nested(400_000), json, 400, 'body: must not be nested deeper than 32 levels'],
    ['names __proto__', () => '{"__proto__": {"name": "a"}}', json, 400, '__proto__: unknown field'],
    [
      'names constructor',
      () => '{"constructor": 1}',
      json,
      400,
      expect.stringMatching(/^constructor: unknown field$|: is required$/),
    ],
    ['has no type', () => bytes('{}'), {}, 400, 'body: must be sent as content-type application/json'],
    [
      'is text',
      () => '{}',
      { 'content-type': 'text/plain' },
      400,
      'body: must be sent as content-type application/json',
    ],
    [
      'is JSON of another kind',
      () => '{}',
      { 'content-type': 'application/merge-patch+json' },
      400,
      'body: must be sent as content-type application/json',
    ],
    [
      'is a form',
      () => 'name=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      400,
      'body: must be sent as content-type application/json',
    ],
    ['is one byte over 1 MiB', () => '{}'.padEnd(MIB + 1), json, 413, 'body: must be at most 1 MiB'],
    ['is one byte over 1 MiB, in chunks', () => stream('{}'.padEnd(MIB + 1)), json, 413, 'body: must be at most 1 MiB'],
    ['is 10 MiB', () => new Uint8Array(10 * MIB), json, 413, 'body: must be at most 1 MiB'],
    ['is compressed', () => Bun.gzipSync('{}'), { ...json, 'content-encoding': 'gzip' }, 400, 'body: must be UTF-8'],
    [
      'is said to be compressed and is not',
      () => JSON.stringify(bodyOf(document, route)),
      { ...json, 'content-encoding': 'gzip' },
      400,
      'body: must be sent without a Content-Encoding',
    ],
  ]

  test.each(refused)('%s: refused', async (_, body, headers, status, message) => {
    await expectRefused(() => send(route, body(), headers), status, message)
  })

  test.each([['Application/JSON'], ['application/json; charset=utf-8'], ['application/json;charset="UTF-8"; x=y']])(
    'may be called %s',
    async (type) => {
      const body = JSON.stringify({ nonsense: bodyOf(document, route) })
      const answer = await send(route, body, { 'content-type': type })
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringMatching(/^nonsense: unknown field$|: is required$/),
      ])
    },
  )

  test('may be exactly 1 MiB, in chunks too', async () => {
    for (const body of ['{"nonsense": 1}'.padEnd(MIB), stream('{"nonsense": 1}'.padEnd(MIB))]) {
      const answer = await send(route, body, json)
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringMatching(/^nonsense: unknown field$|: is required$/),
      ])
    }
  })

  test('names the field it does not know', async () => {
    const body = { ...(bodyOf(document, route) as object), nonsense: 1 }
    await expectRefused(() => send(route, JSON.stringify(body), json), 400, 'nonsense: unknown field')
  })
})

describe('a call without a body', () => {
  test.each(withoutBody)('%s takes none or an empty object, and no more', async (_, route) => {
    for (const [body, headers] of [
      ['{"a": 1}', json],
      ['[]', json],
      ['{', json],
      ['{}', { 'content-type': 'text/plain' }],
    ] as const) {
      const before = await snapshot(app)
      const answer = await send(route, body, headers)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
      expect(await snapshot(app)).toEqual(before)
    }
    // The first may change what there is to do; refusals for the form of the request come earlier.
    for (const body of [undefined, '', '{}']) expect((await send(route, body, json)).status).not.toBe(400)
  })
})

describe('queries', () => {
  const refused: [string, RegExp][] = [
    ['nonsense=1', /^nonsense: unknown query parameter$/],
    ['__proto__=1', /^__proto__: unknown query parameter$/],
    ['constructor=1', /^constructor: unknown query parameter$/],
    ['toString', /^toString: unknown query parameter$/],
    ['=1', /^query: a parameter has no name$/],
    ['x=%zz', /^query: must be percent-encoded UTF-8$/],
    ['x=%ff', /^query: must be percent-encoded UTF-8$/],
    ['x=%', /^query: must be percent-encoded UTF-8$/],
    ['x=1&x=1', /^x: given twice$/],
    ['x=1&%78=2', /^x: given twice$/],
    [`${'x'.repeat(5000)}=1`, /^x{5000}: unknown query parameter$/],
  ]

  test.each(table)('%s refuses what it does not know, and says what', async (_, route) => {
    for (const [query, message] of refused) {
      const answer = await app.request(route.method, `${pathWith(route.path, ids)}?${query}`, { key: acme.key })
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
      expect(answer.body).toEqual(problem('invalid_request', answer.body.message))
    }
  })

  test.each([
    ['limit=1&limit=2', 'limit: given twice'],
    ['email=a@b.test&limit=1&email=c@d.test', 'email: given twice'],
    ['limit=', 'limit: must be a whole number of 0 or more'],
    ['limit', 'limit: must be a whole number of 0 or more'],
    ['limit=-1', 'limit: must be a whole number of 0 or more'],
    ['limit=1.5', 'limit: must be a whole number of 0 or more'],
    ['limit=1e3', 'limit: must be a whole number of 0 or more'],
    ['limit=0x10', 'limit: must be a whole number of 0 or more'],
    ['limit=%201', 'limit: must be a whole number of 0 or more'],
    ['limit=+1', 'limit: must be a whole number of 0 or more'],
    ['limit=%D9%A1', 'limit: must be a whole number of 0 or more'],
    ['limit[]=1', 'limit[]: unknown query parameter'],
    ['Limit=1', 'Limit: unknown query parameter'],
    ['unsubscribed=1', 'unsubscribed: must be true or false'],
    ['unsubscribed=TRUE', 'unsubscribed: must be true or false'],
    ['updated_since=2026-03-01', expect.stringMatching(/^updated_since: must be an RFC 3339 date-time/)],
    ['updated_since=2026-02-30T00:00:00Z', expect.stringMatching(/^updated_since: must be an RFC 3339 date-time/)],
    ['updated_since=2026-03-01T00:00:00+02:00', expect.stringMatching(/written %2B\)$/)],
    ['cursor=x', 'cursor: is not a cursor of this list'],
    ['cursor=', 'cursor: is not a cursor of this list'],
  ])('of a list: %s is refused', async (query, message) => {
    const answer = await acme.get(`/v1/contacts?${query}`)
    expect([answer.status, answer.body.message]).toEqual([400, message])
    expect(answer.body).toEqual(problem('invalid_request', answer.body.message))
  })

  test.each([
    '?',
    '?&',
    '?&&limit=1&',
    '?limit=1',
    '?limit=007',
    '?limit=99999999999999999999',
    '?email=%00',
    '?email=%F0%9F%98%80',
  ])('of a list: %s is fine', async (query) => {
    expect((await acme.get(`/v1/contacts${query}`)).status).toBe(200)
  })
})

describe('paths', () => {
  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/unknown'],
    ['GET', '/v1//contacts'],
    ['GET', '/v1/contacts//'],
    ['GET', '/v1/Contacts'],
    ['GET', '/v1%2Fme'],
    ['GET', '/v1/%6De%00'],
    ['PATCH', '/v1/contacts'],
    ['DELETE', '/v1/contacts'],
    ['OPTIONS', '/v1/contacts'],
    ['POST', '/v1/me'],
    ['GET', '/v1/me/x'],
    ['GET', '/v1/contacts/x/unsubscribe'],
  ])('%s %s is a 404', async (method, path) => {
    const answer = await app.request(method, path, { key: acme.key })
    expect([answer.status, answer.body]).toEqual([404, problem('not_found', expect.any(String))])
  })

  test('a trailing slash changes nothing', async () => {
    for (const path of ['/v1/me', '/v1/contacts', `/v1/contacts/${ids.contacts}`]) {
      expect((await acme.get(`${path}/`)).body).toEqual((await acme.get(path)).body)
    }
  })

  test.each(table.filter(([, { method }]) => method === 'GET'))(
    'HEAD answers as %s does, without the body',
    async (_, route) => {
      const path = pathWith(route.path, ids)
      const head = await app.request('HEAD', path, { key: acme.key })
      const get = await acme.get(path)
      expect([head.status, head.text]).toEqual([get.status, ''])
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect((await app.request('HEAD', `${path}?nonsense=1`, { key: acme.key })).status).toBe(400)
    },
  )

  test.each([[10_000], [100_000], [1_000_000]])('one of %d characters is refused', async (length) => {
    const answer = await fetch(`${app.url}/v1/contacts/${'x'.repeat(length)}`, { headers: { 'x-api-key': acme.key } })
    expect([404, 414, 431]).toContain(answer.status)
    await answer.text()
  })
})
