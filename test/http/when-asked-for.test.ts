import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { AppError } from '../../src/errors.ts'
import { file } from '../../src/http/answers/file.ts'
import { api } from '../../src/http/api.ts'
import { contextOf } from '../../src/http/context.ts'
import { listen } from '../../src/http/server.ts'
import { passedOn, whenAskedFor } from '../../src/http/when-asked-for.ts'
import type { Meter } from '../../src/ports/meter.ts'
import { allRoutes } from '../support/api/routes.ts'
import { startApp, type TestApp } from '../support/app.ts'

let service: TestApp
let loads = 0
/** How many loads fail before one does not. */
let failures = 0
let answered: string[] = []
let origin = ''
let stop: () => Promise<void>

const meter = {
  answered: (method: string, route: string | undefined, status: number) =>
    answered.push(`${method} ${route} ${status}`),
  refused: () => {},
} as unknown as Meter

beforeAll(async () => {
  service = await startApp()
})
afterAll(() => service.close())

/** A room at `/room` whose load takes a turn, beside a route that is there from the start. */
beforeEach(async () => {
  loads = 0
  failures = 0
  answered = []
  const { deps } = service
  const load = async () => {
    loads += 1
    await Bun.sleep(1)
    if (failures-- > 0) throw new Error('no descriptors left')
    const text = file('text/plain', async () => 'a file')
    return passedOn(deps)
      .get('/room', ({ request }) => contextOf(request).requestId, { scope: 'public' })
      .get('/room/file', ({ request }) => text(request), { scope: 'public' })
      .get('/room/fails', () => {
        throw new AppError('unavailable', 'not now', { retryAfter: 3 })
      })
      .get('/room/:name', ({ params }) => params.name, { scope: 'public' })
  }
  const app = new Elysia({ normalize: false })
    .use(api(deps))
    .use(whenAskedFor(deps, ['/room', '/room/*'], load))
    .get('/other', () => 'other', { scope: 'public' })
  const listener = listen({ ...deps.config, port: 0 })
  listener.serve(app, deps.log, meter)
  origin = listener.server.url.origin
  stop = () => listener.server.stop(true)
})
afterEach(() => stop())

const ask = async (path: string, init?: RequestInit) => {
  const answer = await fetch(origin + path, init)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('a room is loaded with the first request for it, and once', async () => {
  expect([(await ask('/other')).text, loads]).toEqual(['other', 0])
  const answers = await Promise.all(['/room/a', '/room/b', '/room/a'].map((path) => ask(path)))
  expect(answers.map(({ text }) => text)).toEqual(['a', 'b', 'a'])
  await ask('/room/c')
  expect(loads).toBe(1)
})

test('a load that fails is tried again with the next request', async () => {
  failures = 1
  expect((await ask('/room/a')).status).toBe(500)
  expect((await ask('/room/a')).text).toBe('a')
  expect(loads).toBe(2)
})

test('what comes through it is answered as if its routes had stood there all along', async () => {
  const { headers, text } = await ask('/room')
  expect(text).toBe(headers.get('x-request-id') as string)
  const head = await ask('/room/file', { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '6'])
  const refused = await ask('/room?a=1&a=2')
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    400,
    { error: 'invalid_request', requestId: refused.headers.get('x-request-id') },
  ])
  expect(await ask('/room/fails')).toMatchObject({ status: 503 })
  const absent = await ask('/room/no/such')
  expect([absent.status, JSON.parse(absent.text).error]).toEqual([404, 'not_found'])
  expect(await ask('/room/name', { method: 'POST', body: '{' })).toMatchObject({ status: 404 })
})

test('the log and the metrics know what it was by the pattern of its own route, or of none', async () => {
  for (const path of ['/room', '/room/secret', '/room/no/such']) await ask(path)
  expect(answered).toEqual(['GET /room 200', 'GET /room/:name 200', 'GET undefined 404'])
})

test('all routes of a service can be listed, without what leads to rooms', async () => {
  const { deps } = service
  const routes = await allRoutes(
    new Elysia()
      .use(whenAskedFor(deps, ['/room/*'], async () => passedOn(deps).get('/room/a', () => 'a')))
      .get('/b', () => 'b'),
  )
  expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(['GET /b', 'GET /room/a'])
})
