import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('one key on two different calls at the same time lets one through and is a conflict for the other', async () => {
  const tenant = await app.createTenant()
  const key = { 'idempotency-key': 'shared' }
  const answers = await Promise.all([
    tenant.post('/v1/contacts', { email: 'ada@acme.test' }, key),
    tenant.post('/v1/forms', { title: 'Survey' }, key),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('either key header is enough beside another kind of Authorization', async () => {
  const tenant = await app.createTenant()
  const headers = { authorization: 'Basic cHJveHk6c2VjcmV0', 'x-api-key': tenant.key }
  expect((await app.request('GET', '/v1/me', { headers })).status).toBe(200)
})
