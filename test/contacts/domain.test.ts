import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestContact, createTestOrganisation } from '../support/api/contacts.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('of several organisations with a domain, a new contact joins the oldest, and goes on to', async () => {
  const tenant = await app.createTenant()
  const oldest = await createTestOrganisation(tenant, { name: 'Oldest', domain: 'shared.test' })
  const join = async () =>
    (await createTestContact(tenant, { email: `${crypto.randomUUID()}@shared.test` })).organisationId
  expect(await join()).toBe(oldest.id)
  app.clock.advance(1_000)
  await createTestOrganisation(tenant, { name: 'Younger', domain: 'shared.test' })
  expect(await join()).toBe(oldest.id)
})
