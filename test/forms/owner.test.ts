import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createUser } from '../../src/users/accounts.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a form made through the API belongs to the first billable user, however many there are', async () => {
  const tenant = await app.createTenant()
  for (const billable of [false, true]) {
    app.clock.advance(1_000)
    const email = `later-${billable}@${tenant.tenantId}.test`
    await tenant.perform((tx, caller) => createUser(tx, caller, { email, role: 'agent', billable, passwordHash: '-' }))
    const { body } = await tenant.post('/v1/forms', { title: 'Survey' })
    expect(body.ownerId).toBe(tenant.userId)
  }
})
