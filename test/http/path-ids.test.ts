import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'

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

test.each(['%', '%zz', '%ff', '%ED%A0%80'])('what encodes no text names nothing: %p', async (undecodable) => {
  const tenant = await app.createTenant()
  const { id: sourceId } = await createTestSource(tenant)
  const upsert = await tenant.put(`/v1/contacts/by-email/${undecodable}`, { name: 'Ada' })
  expect([upsert.status, upsert.body.param]).toEqual([400, 'email'])
  const article = await tenant.put(`/v1/livechat/sources/${sourceId}/articles/${undecodable}`, { title: 'Refunds' })
  expect([article.status, article.body.error]).toEqual([404, 'not_found'])
  const read = await tenant.get(`/v1/contacts/${undecodable}`)
  expect([read.status, read.body.error]).toEqual([404, 'not_found'])
})
