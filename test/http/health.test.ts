import { describe, expect, test } from 'bun:test'
import { runStatement, startApp } from '../support/app.ts'

describe('/healthz', () => {
  test('says ok while the database answers, and 503 when it does not', async () => {
    const app = await startApp()
    const well = await app.request('GET', '/healthz')
    expect([well.status, well.body]).toEqual([200, { status: 'ok' }])
    await app.database.transaction((tx) => runStatement(tx, 'ALTER TABLE tenants RENAME TO gone'))
    const ill = await app.request('GET', '/healthz')
    expect([ill.status, ill.body]).toEqual([503, { status: 'unavailable' }])
    await app.database.transaction((tx) => runStatement(tx, 'ALTER TABLE gone RENAME TO tenants'))
    expect((await app.request('GET', '/healthz')).status).toBe(200)
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
