import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { ConsoleBrowser, signedIn } from '../support/console.ts'
import { snapshot } from '../support/snapshot.ts'

const app: TestApp = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })

interface ConsoleRoute {
  method: string
  path: string
  /** Whom it is for, as it tells the guard; `anyone` needs no session. */
  role: 'admin' | 'agent' | 'anyone' | undefined
}

/** Every route of the console, but for files that all pages load. */
const routes: ConsoleRoute[] = createApp(app.deps)
  .routes.filter(({ path }) => /^\/console(\/(?!assets\/)|$)/.test(path))
  .map(({ method, path, hooks }) => ({
    method: method === 'ALL' ? 'GET' : method,
    path,
    role: (hooks.detail as Record<string, ConsoleRoute['role']> | undefined)?.['x-console'],
  }))
const table = routes.map((route) => [`${route.method} ${route.path}`, route] as const)
const guarded = table.filter(([, { role }]) => role !== 'anyone')
/** Streams go on for minutes. */
const ENDLESS = new Set(['GET /console/inbox/events'])
/** Made up: another tenant's ids are as unknown as these. */
const pathOf = ({ path }: ConsoleRoute) => path.replace(/:\w+/g, () => Bun.randomUUIDv7()).replace('*', 'nothing')

let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>
let agent: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  acme = await app.createTenant()
  admin = await signedIn(app, acme, 'admin')
  agent = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

/** Asks for a page, or sends its form with nothing but the token, or as a script would where that is what is taken. */
async function visit(browser: ConsoleBrowser, route: ConsoleRoute): Promise<Answer> {
  if (route.method === 'GET') return browser.get(pathOf(route))
  const answer = await browser.post(pathOf(route))
  if (!answer.headers.get('content-type')?.includes('json')) return answer
  const headers = { 'content-type': 'application/json', 'x-csrf-token': await browser.csrf() }
  return browser.request('POST', pathOf(route), '{}', headers)
}

async function withoutTrace(work: () => Promise<void>): Promise<void> {
  const before = await snapshot(app)
  await work()
  expect(await snapshot(app)).toEqual(before)
}

describe('every route of the console', () => {
  test('names whom it is for', () => {
    expect(routes.length).toBeGreaterThan(3)
    expect(routes.filter(({ role }) => !['admin', 'agent', 'anyone'].includes(role ?? ''))).toEqual([])
  })

  test('that needs no session belongs to the sign-in', () => {
    for (const { path, role } of routes) {
      expect([path, role === 'anyone']).toEqual([path, /^\/console\/(sign-in|password)(\/|$)/.test(path)])
    }
  })

  test.each(guarded)('%s leads those without a session to the sign-in, and does nothing', async (_, route) => {
    await withoutTrace(async () => {
      const stranger = new ConsoleBrowser(app)
      for (const headers of [{}, { cookie: `frontdesk_session=${'x'.repeat(43)}` }] as Record<string, string>[]) {
        const body = route.method === 'GET' ? undefined : new URLSearchParams({ csrf: 'x' })
        const answer = await stranger.request(route.method, pathOf(route), body, headers)
        expect([answer.status, answer.text]).toEqual([303, ''])
        expect(answer.headers.get('location')).toMatch(/^\/console\/sign-in(\?next=%2Fconsole%2F[^&]*)?$/)
      }
    })
  })

  test.each(guarded)('%s treats a key of the API as nobody', async (_, route) => {
    const answer = await app.request(route.method, pathOf(route), { key: acme.key })
    expect([answer.status, answer.text]).toEqual([303, ''])
  })

  test.each(guarded.filter(([, { role }]) => role === 'admin'))(
    '%s is a 403 for an agent, and does nothing',
    async (_, route) => {
      const csrf = await agent.csrf()
      await withoutTrace(async () => {
        const path = pathOf(route)
        const answer = route.method === 'GET' ? await agent.get(path) : await agent.post(path, { csrf })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
        expect(answer.text).toContain('Only admins can do this')
      })
    },
  )

  test.each(guarded.filter(([name]) => !name.endsWith('/sign-out') && !ENDLESS.has(name)))(
    '%s knows no ids but the tenant’s own',
    async (_, route) => {
      const answer = await visit(admin, route)
      if (route.path.includes(':') || route.path.includes('*')) expect(answer.status).toBe(404)
      else expect(answer.status).toBeLessThan(500)
    },
  )

  test.each(guarded.filter(([, { method }]) => method !== 'GET'))(
    '%s takes no form of another session or site',
    async (_, route) => {
      const other = await admin.csrf()
      const csrf = await agent.csrf()
      const own = route.role === 'admin' ? admin : agent
      await withoutTrace(async () => {
        const path = pathOf(route)
        expect((await own.post(path, { csrf: '' })).status).toBe(403)
        expect((await own.post(path, { csrf: own === admin ? csrf : other })).status).toBe(403)
        const right = own === admin ? other : csrf
        expect((await own.post(path, { csrf: right }, { origin: 'https://evil.test' })).status).toBe(403)
        expect((await own.post(path, { csrf: right }, { 'sec-fetch-site': 'same-site' })).status).toBe(403)
      })
    },
  )

  test.each(guarded.filter(([name, { method, path }]) => method === 'GET' && !/[:*]/.test(path) && !ENDLESS.has(name)))(
    '%s is a page that no other site frames and no cache keeps',
    async (_, route) => {
      const answer = await visit(admin, route)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      if (answer.status !== 200) return
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    },
  )
})

test('a session that was revoked is none', async () => {
  const gone = await signedIn(app, acme, 'admin')
  const token = gone.cookies.get('frontdesk_session') as string
  await gone.post('/console/sign-out')
  gone.cookies.set('frontdesk_session', token)
  for (const [, route] of guarded.filter(([, { method }]) => method === 'GET'))
    expect((await gone.get(pathOf(route))).status).toBe(303)
})
