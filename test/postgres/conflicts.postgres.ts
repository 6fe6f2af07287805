import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { updateContact } from '../../src/contacts/operations.ts'
import { getContact } from '../../src/contacts/read.ts'
import type { TestApp } from '../support/app.ts'
import { startNodes } from '../support/processes/nodes.ts'

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
  const quick: Promise<number>[] = []
  // Time stands still: after ten seconds it would be alone sooner.
  const clock = spyOn(performance, 'now').mockReturnValue(performance.now())
  const changing = tenant.perform(async (tx, caller) => {
    attempts++
    await getContact(tx, caller.tenantId, id)
    const other = change(`n${attempts}`)
    quick.push(other)
    // Others change it meanwhile, however long that takes, until they cannot, and have to wait for this one.
    await (attempts < 5 ? other : Promise.race([other, Bun.sleep(3000)]))
    return updateContact(tx, caller, id, { lastName: 'Slow' })
  })
  const changed = await changing.finally(() => clock.mockRestore())
  expect(changed.lastName).toBe('Slow')
  expect(attempts).toBe(5)
  expect(new Set(await Promise.all(quick))).toEqual(new Set([200]))
  expect((await there.request('GET', `/v1/contacts/${id}`, { key: tenant.key })).body.lastName).toBe('Slow')
})

test('a transaction that conflicts where everything takes long is not given up before it was alone', async () => {
  const [here, there] = nodes.apps as [TestApp, TestApp]
  const tenant = await here.createTenant()
  const { id } = (await tenant.post('/v1/contacts', { email: 'late@acme.test' })).body
  const now = performance.now.bind(performance)
  let late = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => now() + late)
  let attempts = 0
  try {
    const changed = await tenant.perform(async (tx, caller) => {
      attempts++
      await getContact(tx, caller.tenantId, id)
      if (attempts === 1) {
        const { status } = await there.request('PUT', `/v1/contacts/${id}`, {
          key: tenant.key,
          body: { name: 'Quick' },
        })
        expect(status).toBe(200)
        late = 60_000
      }
      return updateContact(tx, caller, id, { lastName: 'Late' })
    })
    expect(changed).toMatchObject({ name: 'Quick', lastName: 'Late' })
    expect(attempts).toBe(2)
  } finally {
    clock.mockRestore()
  }
})
