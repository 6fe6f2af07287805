import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bodyOf, type Conformance, conformance, documentOf } from '../support/api/conformance.ts'
import {
  apiRoutes,
  hopeless,
  idsOf,
  makesItsRecord,
  nameOf,
  pathWith,
  type Route,
  randomIds,
} from '../support/api/routes.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { countByClockOf } from '../support/processes/nodes.ts'

const app: TestApp = await startApp()
const routes = apiRoutes(app)
const table = routes.map((route) => [nameOf(route), route] as const)
const withBody = table.filter(([, { takesBody }]) => takesBody)
const withIds = table.filter(([, route]) => route.path.includes(':') && !makesItsRecord(route))
const document = await documentOf(app)
const faultsOf: Conformance = conformance(document)

let acme: TestTenant

beforeAll(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** Sends with a key that may do everything, and holds the answer against the document. */
async function send(route: Route, path: string, body?: unknown): Promise<Answer> {
  const answer = await app.request(route.method, path, { key: acme.key, body })
  expect(faultsOf(route, answer)).toEqual([])
  return answer
}

describe('the order of checks', () => {
  test('429 goes before 403, 400 and 404, on every route', async () => {
    const limited = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1' } })
    countByClockOf(limited)
    const tenant = await limited.createTenant()
    const { key } = await tenant.createKey(['forms:read'])
    expect((await limited.request('GET', '/v1/me', { key })).status).toBe(200)
    for (const route of routes) {
      const path = `${pathWith(route.path, randomIds())}?x=1`
      const answer = await limited.request(route.method, path, { key, ...hopeless(route) })
      expect(faultsOf(route, answer)).toEqual([])
      expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([429, '', '60'])
    }
    await limited.close()
  })

  test.each(table)('%s: a 400 for the form of the request goes before the 404', async (_, route) => {
    const answer = await send(route, `${pathWith(route.path, randomIds())}?nonsense=1`)
    expect([answer.status, answer.body.message]).toEqual([400, 'nonsense: unknown query parameter'])
  })

  test.each(withBody)('%s: a 400 for the body goes before the 404', async (_, route) => {
    for (const body of ['{"broken', '[]', '', { nonsense: 1 }]) {
      const answer = await send(route, pathWith(route.path, randomIds()), body)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    }
  })

  test.each(withIds)('%s is a 404 for what is not there', async (_, route) => {
    const before = await snapshot(app)
    const body = bodyOf(document, route)
    const ids = [randomIds(), ...malformed.map((id) => idsOf(() => id))]
    for (const some of ids) {
      const path = pathWith(route.path, some)
      if (leadsElsewhere(path)) continue
      const answer = await send(route, path, body)
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
    }
    expect(await snapshot(app)).toEqual(before)
  })
})

/** Whether clients, who take `..` out of a path, ask another route by it: `/v1/forms/../responses`. */
function leadsElsewhere(path: string): boolean {
  const { pathname } = new URL(path, app.url)
  return pathname !== path && routes.some((route) => route.path.replace(/\/$/, '') === pathname)
}

/** Ids that cannot be any. */
const malformed = ['x', '0', '-1', '%', "' OR 1=1", '\0', '..', 'null', '__proto__', 'é', 'x'.repeat(300)]
