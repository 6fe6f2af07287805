import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createGroup } from '../../../src/groups/operations.ts'
import { revokeKey } from '../../../src/keys/operations.ts'
import type { TestApp } from '../../support/app.ts'
import { until } from '../../support/patience.ts'
import { emptyDatabase, startNodes } from '../../support/processes/nodes.ts'
import { refusalOf } from '../../support/refusal.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
let here: TestApp
let there: TestApp
beforeAll(async () => {
  nodes = await startNodes(2)
  ;[here, there] = nodes.apps as [TestApp, TestApp]
})
afterAll(() => nodes.close())

describe('what one node remembers', () => {
  test('of a key ends when another node revokes it', async () => {
    const tenant = await here.createTenant()
    const { key, keyId } = await tenant.createKey()
    for (const node of nodes.apps) expect((await node.request('GET', '/v1/me', { key })).status).toBe(200)
    await tenant.perform((tx, caller) => revokeKey(tx, caller, keyId))
    expect((await here.request('GET', '/v1/me', { key })).status).toBe(401)
    await until(async () => (await there.request('GET', '/v1/me', { key })).status === 401)
  })

  test('of groups is what another node has written since', async () => {
    const tenant = await here.createTenant()
    const { id } = (await tenant.post('/v1/contacts', { email: 'a@acme.test' })).body
    const show = () => there.request('GET', `/v1/contacts/${id}`, { key: tenant.key })
    expect((await show()).body.groups).toEqual([])
    const group = await tenant.perform((tx, caller) => createGroup(tx, caller, { name: 'News' }))
    await tenant.put(`/v1/contacts/${id}`, { groupIds: [group.id] })
    await until(async () => (await show()).body.groups[0]?.name === 'News')
  })
})

describe('migrations', () => {
  test('are applied once by three nodes that start at once', async () => {
    const empty = await emptyDatabase()
    const opened = await Promise.all([1, 2, 3].map(() => empty.open()))
    for (const database of opened) await database.close()
    const rows = await empty.sql`SELECT position FROM migrations ORDER BY position`
    expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index))
    await empty.sql.end()
  })

  test('of a newer version are refused', async () => {
    const empty = await emptyDatabase()
    await (await empty.open()).close()
    await empty.sql`INSERT INTO migrations SELECT max(position) + 1, 'newer' FROM migrations`
    expect(await refusalOf(empty.open())).toContain('written by another version')
    await empty.sql.end()
  })
})

test('64 writers to one contact, over two nodes: no 500, and no change is lost', async () => {
  const tenant = await here.createTenant()
  const { id } = (await tenant.post('/v1/contacts', { email: 'b@acme.test' })).body
  const fields = ['name', 'lastName', 'phone']
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      (nodes.apps[index % 2] as TestApp).request('PUT', `/v1/contacts/${id}`, {
        key: tenant.key,
        body: { [fields[index % 3] as string]: `v${index}` },
      }),
    ),
  )
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  const done = answers.filter(({ status }) => status === 200).length
  expect(await tenant.events()).toHaveLength(done + 1)
  // As if one had come after the other: no name comes back once another has replaced it.
  const names = (await tenant.events()).map(({ payload }) => payload.name)
  const changes = names.filter((name, index) => index > 0 && name !== names[index - 1])
  expect(new Set(changes).size).toBe(changes.length)
  expect(changes.length).toBe(answers.filter(({ status }, index) => status === 200 && index % 3 === 0).length)
})
