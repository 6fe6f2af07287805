import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listKeys } from '../../src/keys/operations.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { until } from '../support/patience.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a key must expire later than now, and works until the very millisecond before', async () => {
  const tenant = await app.createTenant()
  const inMs = (ms: number) => new Date(app.clock.now() + ms).toISOString()
  expect(await refusalOf(tenant.createKey(['forms:read'], inMs(0)))).toContain('expires: must lie in the future')
  const { key } = await tenant.createKey(['forms:read'], inMs(1))
  const status = async () => (await app.request('GET', '/v1/me', { key })).status
  expect(await status()).toBe(200)
  app.clock.advance(1)
  expect(await status()).toBe(401)
})

test('when a key was last used is stored at its first use, and then twice a minute at most', async () => {
  const quiet = await startApp()
  const tenant = await quiet.createTenant()
  const lastUsed = async () => {
    const [key] = await tenant.perform((tx) => listKeys(tx, tenant.tenantId))
    return key?.lastUsedAt && Date.parse(key.lastUsedAt)
  }
  /** After a use: what is stored, beside the answer, in the end. */
  const stored = async (expected: number) => {
    await tenant.get('/v1/me')
    await until(async () => (await lastUsed()) === expected)
  }
  const start = quiet.clock.now()
  await stored(start)
  quiet.clock.advance(29_999)
  await stored(start)
  quiet.clock.advance(1)
  await stored(start + 30_000)
  await quiet.close()
})
