import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { createDeps } from '../../src/deps.ts'
import { listen } from '../../src/http/server.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

/* While nothing can be stored (decisions §1). What the engine and the disk say then is thrown in their place. */

let app: TestApp
let acme: TestTenant
let fault: Error | null = null
let lines: Record<string, unknown>[] = []
let url: string
let stop: () => Promise<void>

const failing = (code: string) => Object.assign(new Error(`it says ${code}`), { code })

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  const { database } = app.deps
  const transaction: typeof database.transaction = (work) =>
    fault ? Promise.reject(fault) : database.transaction(work)
  const log = createLog((line) => lines.push(JSON.parse(line)), false)
  const listener = listen({ ...app.deps.config, port: 0 })
  listener.serve(createApp(createDeps({ ...app.deps, log, database: { ...database, transaction } })), log)
  url = listener.server.url.origin
  stop = () => listener.server.stop(true)
})
beforeEach(async () => {
  app.clock.advance(60_000)
  // The use of the key is stored once a minute, which is not what these tests look at.
  fault = null
  await call('GET', '/v1/me')
  lines = []
})
afterAll(async () => {
  await stop()
  await app.close()
})

const call = (method: string, path: string, body?: object) =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const create = () => call('POST', '/v1/contacts', { email: 'ada@acme.test' })

describe('while nothing can be stored', () => {
  const codes = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_BUSY']
  test.each([...codes, 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'])('%s makes a write a 503', async (code) => {
    fault = failing(code)
    const answer = await create()
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, 10])
    expect(await answer.json()).toEqual(
      problem('unavailable', 'nothing can be stored at the moment, and nothing was changed: try again later'),
    )
    expect((await call('GET', '/v1/contacts')).status).toBe(200)
  })

  test('the log has one line a second, and none for each request', async () => {
    fault = failing('SQLITE_FULL')
    for (let i = 0; i < 5; i += 1) await create()
    expect(lines.map(({ level, message, error, notLogged }) => [level, message, error, notLogged])).toEqual([
      ['error', 'a request was refused for now', 'it says SQLITE_FULL', 0],
    ])
    app.clock.advance(1000)
    await create()
    expect(lines.map(({ notLogged }) => notLogged)).toEqual([0, 4])
    fault = null
    await create()
    expect(lines.at(-1)).toMatchObject({ message: 'request', status: 201 })
  })
})

test('a fault of ours is a 500, with a line of its own', async () => {
  for (const error of [failing('SQLITE_ERROR'), new Error('a slip')]) {
    fault = error
    const answer = await create()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null])
    expect(await answer.json()).toMatchObject({
      error: 'internal_error',
      requestId: answer.headers.get('x-request-id'),
    })
  }
  expect(lines.map(({ message }) => message)).toEqual(['request failed', 'request', 'request failed', 'request'])
})
