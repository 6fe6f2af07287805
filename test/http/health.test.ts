import { describe, expect, test } from 'bun:test'
import { healthRoutes } from '../../src/http/health.ts'
import { runStatement, startApp, type TestApp } from '../support/app.ts'

const ok = [200, { status: 'ok', warnings: [] }]
const failing = (reason: string) => [503, { status: 'failing', reason }]

/** Asks once what was found before no longer counts. */
async function health(app: TestApp) {
  app.clock.advance(1000)
  const { status, body } = await app.request('GET', '/healthz')
  return [status, body]
}

describe('/healthz', () => {
  test('says ok while the database answers, and 503 when it does not', async () => {
    const app = await startApp()
    expect(await health(app)).toEqual(ok)
    const run = (statement: string) => app.database.transaction((tx) => runStatement(tx, statement))
    await run('ALTER TABLE tenants RENAME TO gone')
    expect(await health(app)).toEqual(failing('the database cannot be read'))
    await run('ALTER TABLE gone RENAME TO tenants')
    expect(await health(app)).toEqual(ok)
    // Reading goes on, and a transaction that writes nothing would too.
    await run('ALTER TABLE installation RENAME TO gone')
    expect(await health(app)).toEqual(failing('nothing can be stored'))
    await run('ALTER TABLE gone RENAME TO installation')
    expect(await health(app)).toEqual(ok)
    await app.close()
  })

  test('is failing while the disk has less room than it should', async () => {
    const app = await startApp({ environment: { FRONTDESK_MIN_FREE_MB: '1000000000' } })
    expect(await health(app)).toEqual(
      failing('less than 1000000000 MB are free on the disk: what strangers send is refused'),
    )
    expect((await (await app.createTenant()).post('/v1/contacts', { email: 'ada@acme.test' })).status).toBe(201)
    await app.close()
  })

  test('writes to the disk once a second, however often it is asked', async () => {
    const app = await startApp()
    // Counted where they are asked for: what the start wrote is heard of later on PostgreSQL.
    let commits = 0
    const { transaction } = app.database
    app.database.transaction = (work) => {
      commits += 1
      return transaction(work)
    }
    await Promise.all(Array.from({ length: 20 }, () => app.request('GET', '/healthz')))
    await app.request('GET', '/healthz')
    expect(commits).toBe(1)
    expect(await health(app)).toEqual(ok)
    expect(commits).toBe(2)
    await app.close()
  })

  test('names what to look at, and stays ok', async () => {
    const app = await startApp()
    const warnings = [() => null, () => 'a first thing', async () => 'a second']
    const routes = healthRoutes(app.deps, warnings)
    const response = await routes.handle(new Request('http://localhost/healthz'))
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ok', warnings: ['a first thing', 'a second'] },
    ])
    await app.close()
  })

  test('takes no key, and no limit', async () => {
    const app = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1' } })
    const answers = await Promise.all([1, 2, 3].map(() => app.request('GET', '/healthz')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await app.close()
  })
})

test('host names of any length lead to the same paths', async () => {
  const app = await startApp()
  const { get } = await app.createTenant()
  for (const host of ['x', 'api', 'x:80', 'desk.acme.test', '[::1]:3000']) {
    expect((await app.request('GET', '/healthz', { headers: { host } })).status).toBe(200)
    expect((await get('/v1/me', undefined, { host })).status).toBe(200)
    expect((await app.request('GET', '/v1/me', { headers: { host } })).status).toBe(401)
  }
  await app.close()
})
