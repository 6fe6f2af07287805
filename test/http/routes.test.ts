import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { commonHeaders } from '../../src/http/answers/common-headers.ts'
import { revokeKey } from '../../src/keys/operations.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { type Conformance, conformance, documentOf } from '../support/api/conformance.ts'
import { type Furnished, furnish } from '../support/api/furnished.ts'
import { problem } from '../support/api/problem.ts'
import { apiRoutes, hopeless, nameOf, pathWith, randomIds } from '../support/api/routes.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../support/app.ts'

const app: TestApp = await startApp()
const routes = apiRoutes(app)
const table = routes.map((route) => [nameOf(route), route] as const)

let acme: TestTenant
let furnished: Furnished
let faultsOf: Conformance

beforeAll(async () => {
  furnished = await furnish(await app.createTenant())
  acme = furnished.tenant
  faultsOf = conformance(await documentOf(app))
})
afterAll(() => app.close())

const keys = new Map<string, string>()

/** A key of exactly these scopes: a tenant cannot have many, so it is used again. */
async function keyWith(granted: readonly string[]): Promise<string> {
  const key = keys.get(granted.join()) ?? (await acme.createKey(granted)).key
  keys.set(granted.join(), key)
  return key
}

/** Runs requests that must leave no trace. */
async function withoutTrace(work: () => Promise<void>): Promise<void> {
  const before = await snapshot(app)
  await work()
  expect(await snapshot(app)).toEqual(before)
}

describe('every route under /v1', () => {
  test('names a scope; the key itself can be read with any key, and events with any that reads what they are about', () => {
    expect(routes.length).toBeGreaterThan(30)
    for (const { scope } of routes) expect([...scopes, 'none'] as string[]).toContain(scope)
    expect(routes.filter(({ scope }) => scope === 'none').map(nameOf)).toEqual(['GET /v1/me', 'GET /v1/events'])
  })

  test('uses every scope, so that none is granted in vain', () => {
    expect(scopes.filter((scope) => !routes.some((route) => route.scope === scope))).toEqual([])
  })

  test.each(table.filter(([, { scope }]) => scope !== 'none'))(
    '%s is a 403 that names the scope a key lacks, whatever else is wrong, and does nothing',
    async (_, route) => {
      const key = await keyWith(scopes.filter((scope) => scope !== route.scope))
      await withoutTrace(async () => {
        for (const [path, options] of [
          [pathWith(route.path, furnished.ids), {}],
          [`${pathWith(route.path, randomIds())}?nonsense=1&nonsense=2`, hopeless(route)],
        ] as const) {
          const answer = await app.request(route.method, path, { key, ...options })
          expect(faultsOf(route, answer)).toEqual([])
          expect([answer.status, answer.body]).toEqual([
            403,
            problem('insufficient_scope', `this key lacks the scope ${route.scope}`),
          ])
        }
      })
    },
  )

  test.each(table)('%s lets a key with its scope alone in', async (_, route) => {
    const key = await keyWith([route.scope === 'none' ? 'responses:read' : route.scope])
    const { status } = await app.request(route.method, pathWith(route.path, randomIds()), { key })
    expect(status).not.toBe(403)
    expect(status).not.toBe(401)
  })
})

describe('without a good key', () => {
  const bad: [string, (tenant: TestTenant) => Promise<Record<string, string>>][] = [
    ['no key', async () => ({})],
    ['an unknown key', async () => ({ authorization: `Bearer sk_${'x'.repeat(43)}` })],
    ['an unknown key in the other header', async () => ({ 'x-api-key': `sk_${'x'.repeat(43)}` })],
    ['a key without its sk_', async ({ key }) => ({ authorization: `Bearer ${key.slice(3)}` })],
    ['a key cut short', async ({ key }) => ({ authorization: `Bearer ${key.slice(0, -1)}` })],
    ['a key with something behind it', async ({ key }) => ({ authorization: `Bearer ${key} x` })],
    ['a key in capitals', async ({ key }) => ({ authorization: `Bearer ${key.toUpperCase()}` })],
    ['another scheme', async ({ key }) => ({ authorization: `Basic ${btoa(`${key}:`)}` })],
    ['a scheme alone', async () => ({ authorization: 'Bearer' })],
    ['a key in the path alone', async ({ key }) => ({ referer: key })],
    [
      'a bad Authorization beside a good X-Api-Key',
      async ({ key }) => ({ authorization: 'Bearer x', 'x-api-key': key }),
    ],
    ['SQL', async () => ({ 'x-api-key': "sk_' OR '1'='1" })],
    ['a huge key', async () => ({ 'x-api-key': `sk_${'x'.repeat(8000)}` })],
    ['an expired key', async (tenant) => ({ authorization: `Bearer ${await expiredKey(tenant)}` })],
    ['a revoked key', async (tenant) => ({ authorization: `Bearer ${await revokedKey(tenant)}` })],
  ]

  test.each(bad)(
    '%s: the identical empty 401 on every route, path and method, before anything is read',
    async (_, headersOf) => {
      const tenant = await app.createTenant()
      const headers = await headersOf(tenant)
      await withoutTrace(async () => {
        for (const route of routes) {
          const path = pathWith(route.path, furnished.ids)
          expectRefusal(await app.request(route.method, path, { headers }))
          expectRefusal(
            await app.request(route.method, `${path}?x=1`, {
              ...hopeless(route),
              headers: { ...hopeless(route).headers, 'idempotency-key': 'x', ...headers },
            }),
          )
        }
        for (const [method, path] of [
          ['GET', '/v1'],
          ['GET', '/v1/'],
          ['GET', '/v1/unknown'],
          ['DELETE', '/v1/me'],
          ['PATCH', '/v1/contacts'],
          ['OPTIONS', '/v1/contacts'],
          ['HEAD', '/v1/me'],
          ['POST', '/v1/contacts'],
        ] as const) {
          const body = method === 'POST' ? new Uint8Array(2 * 1024 * 1024) : undefined
          expectRefusal(await app.request(method, path, { headers, body }))
        }
      })
    },
  )

  function expectRefusal(answer: Answer): void {
    const { 'x-request-id': id, date: _, ...rest } = Object.fromEntries(answer.headers)
    const common = commonHeaders({ baseUrl: app.url })
    expect([answer.status, answer.text, rest]).toEqual([401, '', { 'content-length': '0', ...common }])
    expect(id).toBeString()
  }

  async function expiredKey(tenant: TestTenant): Promise<string> {
    const { key } = await tenant.createKey(scopes, new Date(app.clock.now() + 1000).toISOString())
    expect((await app.request('GET', '/v1/me', { key })).status).toBe(200)
    app.clock.advance(1000)
    return key
  }

  async function revokedKey(tenant: TestTenant): Promise<string> {
    const { key, keyId } = await tenant.createKey()
    expect((await app.request('GET', '/v1/me', { key })).status).toBe(200)
    await tenant.perform((tx, caller) => revokeKey(tx, caller, keyId))
    return key
  }
})
