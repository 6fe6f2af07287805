import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { App } from '../../../src/app.ts'
import { createApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { listen } from '../../../src/http/server.ts'
import { headerFaults } from '../../support/api/common-headers.ts'
import { furnish } from '../../support/api/furnished.ts'
import { allRoutes, hopeless, pathWith, type Route, randomIds } from '../../support/api/routes.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { ConsoleBrowser, createPerson } from '../../support/pages/console.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  countByClockOf(app)
  acme = await app.createTenant()
})
afterAll(() => app.close())

describe('headers of every answer', () => {
  test.each([
    ['a route that sets nothing itself', 'GET', '/v1/me', 200],
    ['a list', 'GET', '/v1/contacts', 200],
    ['HEAD', 'HEAD', '/v1/me', 200],
    ['a refused query', 'GET', '/v1/me?x=1', 400],
    ['an unknown path', 'GET', '/v1/nope', 404],
    ['an unknown method', 'PATCH', '/v1/me', 404],
    ['an unknown id', 'DELETE', '/v1/contacts/none', 404],
  ])('%s has a request id and the limits', async (_, method, path, status) => {
    const answer = await app.request(method, path, { key: acme.key })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8}-\w+$/)
    expect(answer.headers.get('ratelimit-limit')).toBe('100000')
    expect(answer.headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
    expect(answer.headers.get('ratelimit-reset')).toBe('60')
  })

  test.each(['/docs', '/docs/json', '/healthz', '/nowhere'])('%s, outside of /v1, has a request id', async (path) => {
    const { headers } = await app.request('GET', path)
    expect(headers.get('x-request-id')).toBeString()
    expect(headers.get('ratelimit-limit')).toBeNull()
  })

  test('ids differ', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => acme.get('/v1/me')))
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50)
  })
})

/** Whether an answer of that path must be kept nowhere, by nobody (decisions §1, §10). */
const isNeverKept = (path: string) => /^\/(v1|healthz|f\/[^/]+\/definition)(\/|$)/.test(path)
const hasFile = (path: string) => /^\/v1\/(uploads|attachments)\//.test(path)

/** What is wrong with an answer's headers, with the request that it answers. */
function faultsOf(method: string, path: string, answer: Answer, strictTransport = false): unknown[] {
  const faults = headerFaults(answer, strictTransport)
  const kept = answer.headers.get('cache-control') ?? ''
  const wanted = hasFile(path) && answer.status === 200 ? 'private, no-store' : 'no-store'
  if (isNeverKept(path) && kept !== wanted) faults.push(`cache-control: ${kept}`)
  // A page that was led to asks where from, and what a redirect says of it counts.
  const fromConsole = path.startsWith('/console') && answer.status === 303
  if (fromConsole && answer.headers.get('referrer-policy') !== 'same-origin')
    faults.push('no referrer for the next page')
  return faults.length === 0 ? [] : [{ method, path, status: answer.status, faults }]
}

describe('every answer is kept by nobody unless it says so, guessed by nobody, and says what referrers are sent', () => {
  const site = 'https://desk.test'
  const environment = { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' }

  test.each([
    ['behind http', environment, false],
    ['behind https, with HSTS', { ...environment, FRONTDESK_BASE_URL: site }, true],
  ])('%s, on every route of every surface, whoever asks and however wrongly', async (_, given, isSecure) => {
    let source = ''
    const service = await startApp({ environment: given, replace: { demoSource: async () => source } })
    const { tenant, ids } = await furnish(await service.createTenant())
    source = ids.sources as string
    const agent = new ConsoleBrowser(service)
    await agent.signIn((await createPerson(tenant, 'agent')).email)
    const names = { launchCode: ids.f, sourceId: ids.sources, slug: ids.articles }
    const faults: unknown[] = []
    const statuses = new Set<number>()
    const look = async (method: string, path: string, options = {}) => {
      const answer = await service.request(method, path, options)
      statuses.add(answer.status)
      faults.push(...faultsOf(method, path, answer, isSecure))
    }
    const routes = await allRoutes(createApp(service.deps))
    for (const { method: one, path } of routes) {
      const known = path.startsWith('/v1') ? pathWith(path, ids) : pathNaming(path, names)
      const unknown = pathNaming(path.startsWith('/v1') ? pathWith(path, randomIds()) : path, {})
      for (const method of one === 'ALL' ? ['GET', 'POST'] : one === 'GET' ? ['GET', 'HEAD'] : [one]) {
        const isRead = method === 'GET' || method === 'HEAD'
        await look(method, known)
        await look(method, `${known}?nonsense=1`, { key: tenant.key })
        await look(method, unknown, { key: tenant.key, ...(isRead ? {} : hopeless({ method } as Route)) })
        if (!isRead) continue
        await look(method, known, { key: tenant.key })
        // An event stream does not end.
        if (!/stream|events$/.test(path) && path.startsWith('/console')) {
          faults.push(...faultsOf(method, known, await agent.request(method, known), isSecure))
        }
      }
    }
    for (const path of [
      '/v1',
      '/v1/nothing',
      '/nothing',
      '/f/nothing',
      '/chat/nothing',
      '/help/nothing',
      '/console/nothing',
    ]) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH', 'DELETE'])
        await look(method, path, { key: tenant.key })
    }
    expect(faults).toEqual([])
    expect(routes.length).toBeGreaterThan(150)
    for (const status of [200, 204, 303, 400, 401, 404]) expect(statuses).toContain(status)
    await service.close()
  })

  test('over every limit', async () => {
    const limited = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1', FRONTDESK_PUBLIC_RATE_LIMIT: '1' } })
    const { key } = await limited.createTenant()
    for (const [method, path, options] of [
      ['GET', '/v1/me', { key }],
      ['POST', '/f/none/responses', {}],
      ['POST', '/chat/none/visitors', {}],
      ['POST', '/console/sign-in', {}],
    ] as const) {
      await limited.request(method, path, options)
      const answer = await limited.request(method, path, options)
      expect([path, answer.status]).toEqual([path, 429])
      expect(faultsOf(method, path, answer)).toEqual([])
    }
    await limited.close()
  })

  test.each([
    [500, () => new Error('a fault of ours')],
    [503, () => Object.assign(new Error('full'), { code: 'ENOSPC' })],
  ])('where everything fails with a %i', async (status, fault) => {
    const { database } = app.deps
    const transaction = () => Promise.reject(fault())
    const failing = await startApp({ replace: { database: { ...database, transaction } } })
    const answer = await failing.request('POST', '/v1/contacts', { key: acme.key, body: { email: 'ada@acme.test' } })
    expect(answer.status).toBe(status)
    expect(faultsOf('POST', '/v1/contacts', answer)).toEqual([])
    const health = await failing.request('GET', '/healthz')
    expect([health.status, faultsOf('GET', '/healthz', health)]).toEqual([503, []])
    await failing.close()
  })

  test('before there is an app, and where one throws', async () => {
    const listener = listen(loadConfig({ FRONTDESK_PORT: '0', FRONTDESK_BASE_URL: site }, {}))
    const early = await fetch(listener.server.url)
    expect([early.status, headerFaults(early, true)]).toEqual([503, []])
    const broken = () => {
      throw new Error('never seen')
    }
    listener.serve({ fetch: broken } as unknown as App)
    const late = await fetch(listener.server.url)
    expect([late.status, headerFaults(late, true)]).toEqual([500, []])
    await listener.server.stop(true)
  })

  test('of any size: too large is said after whose request it is, with words', async () => {
    const huge = new Uint8Array(33 * 1024 * 1024)
    for (const [path, key, status] of [
      ['/v1/contacts', null, 401],
      ['/v1/contacts', acme.key, 413],
      ['/f/none/responses', null, 413],
    ] as const) {
      const answer = await app.request('POST', path, { key, body: huge })
      expect([path, answer.status, answer.body?.error]).toEqual([
        path,
        status,
        status === 413 ? 'invalid_request' : undefined,
      ])
      expect(faultsOf('POST', path, answer)).toEqual([])
    }
  })
})

/** The path with what is known in the place of parameters, or an id of nothing. */
function pathNaming(path: string, names: Readonly<Record<string, string | undefined>>): string {
  return path.replace(/:(\w+)\??/g, (_, name) => names[name] ?? Bun.randomUUIDv7()).replace('*', 'nothing')
}
