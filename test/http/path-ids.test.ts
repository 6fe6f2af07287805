import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('an id in a path means the same in capitals', async () => {
  const tenant = await app.createTenant()
  const { body: contact } = await tenant.post('/v1/contacts', { email: 'ada@acme.test' })
  const { body: form } = await tenant.post('/v1/forms', { title: 'Survey' })
  for (const path of [`/v1/contacts/${contact.id.toUpperCase()}`, `/v1/forms/${form.id.toUpperCase()}`]) {
    const answer = await tenant.get(path)
    expect([answer.status, answer.body.id]).toEqual([200, path.split('/')[3]?.toLowerCase()])
  }
})
