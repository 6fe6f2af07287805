import { expect, test } from 'bun:test'
import { snapshot } from '../support/api/snapshot.ts'
import { startApp } from '../support/app.ts'

test('a snapshot that is taken again tells what was written since, in its own database', async () => {
  const [app, other] = [await startApp(), await startApp()]
  const { tenantId, key } = await app.createTenant()
  const before = await snapshot(app)
  expect(await snapshot(app)).toEqual(before)
  expect(await snapshot(other)).not.toEqual(before)
  expect((await app.request('POST', '/v1/contacts', { key, body: { email: 'ada@acme.test' } })).status).toBe(201)
  const after = await snapshot(app)
  expect([before.contacts, after.contacts]).toEqual([[], [expect.stringContaining(tenantId)]])
  await app.close()
  await other.close()
})
