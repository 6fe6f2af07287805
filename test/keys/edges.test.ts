import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a key must expire later than now, and works until the very millisecond before', async () => {
  const tenant = await app.createTenant()
  const inMs = (ms: number) => new Date(app.clock.now() + ms).toISOString()
  await expect(tenant.createKey(['forms:read'], inMs(0))).rejects.toThrow('expires: must lie in the future')
  const { key } = await tenant.createKey(['forms:read'], inMs(1))
  const status = async () => (await app.request('GET', '/v1/me', { key })).status
  expect(await status()).toBe(200)
  app.clock.advance(1)
  expect(await status()).toBe(401)
})
