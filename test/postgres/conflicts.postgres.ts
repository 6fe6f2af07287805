import { afterAll, beforeAll, expect, test } from 'bun:test'
import { updateContact } from '../../src/contacts/operations.ts'
import { getContact } from '../../src/contacts/read.ts'
import type { TestApp } from '../support/app.ts'
import { startNodes } from '../support/nodes.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
beforeAll(async () => {
  nodes = await startNodes(2, { FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => nodes.close())

test('a transaction that quicker ones get in the way of each time comes to its end, and they to theirs', async () => {
  const [here, there] = nodes.apps as [TestApp, TestApp]
  const tenant = await here.createTenant()
  const { id } = (await tenant.post('/v1/contacts', { email: 'often@acme.test' })).body
  const change = (name: string) =>
    there.request('PUT', `/v1/contacts/${id}`, { key: tenant.key, body: { name } }).then(({ status }) => status)
  let attempts = 0
  let isOver = false
  const statuses: number[] = []
  const slow = tenant.perform(async (tx, caller) => {
    attempts++
    await getContact(tx, caller.tenantId, id)
    // Long enough for others to change it, unless they cannot.
    await Bun.sleep(150)
    return updateContact(tx, caller, id, { lastName: 'Slow' })
  })
  const quick = (async () => {
    for (let i = 0; !isOver; i++) statuses.push(await change(`n${i}`))
  })()
  expect((await slow).lastName).toBe('Slow')
  isOver = true
  await quick
  expect(attempts).toBe(5)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await there.request('GET', `/v1/contacts/${id}`, { key: tenant.key })).body.lastName).toBe('Slow')
}, 30_000)
