import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { remembered, type Tx } from '../../src/db/index.ts'
import { groups } from '../../src/db/schema.ts'
import { createGroup } from '../../src/groups/operations.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { openDataOf } from '../support/data/postgres.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Names of groups, remembered, with how often they were really read. */
function groupNames() {
  const counter = { loads: 0 }
  const names = remembered([groups], async (db, tenantId) => {
    counter.loads++
    const found = await db.select({ name: groups.name }).from(groups).where(eq(groups.tenantId, tenantId))
    return found.map(({ name }) => name).sort()
  })
  return { counter, names }
}

test('a transaction reads once what it needs again, until it writes there, and nothing that another has read', async () => {
  const tenant = await app.createTenant()
  const { counter, names } = groupNames()
  for (const [added, before] of [
    ['First', []],
    ['Second', ['First']],
  ] as const) {
    counter.loads = 0
    await tenant.perform(async (tx, caller) => {
      const both = [names(tx, caller.tenantId), names(tx, caller.tenantId)]
      expect(await Promise.all(both)).toEqual([[...before], [...before]])
      expect([await names(tx, caller.tenantId), counter.loads]).toEqual([[...before], 1])
      await createGroup(tx, caller, { name: added })
      expect([await names(tx, caller.tenantId), counter.loads]).toEqual([[...before, added], 2])
    })
  }
})

test('what a transaction remembers counts as read: of two that both add what the other did not see, one is run again', async () => {
  const tenant = await app.createTenant()
  const { names } = groupNames()
  const bothRead = Promise.withResolvers<void>()
  let [attempts, read] = [0, 0]
  const addNext = () =>
    tenant.perform(async (tx, caller) => {
      attempts++
      await names(tx, caller.tenantId)
      if (++read === 2) bothRead.resolve()
      await bothRead.promise
      const known = await names(tx, caller.tenantId)
      await createGroup(tx, caller, { name: `Group ${known.length + 1}` })
    })
  await Promise.all([addNext(), addNext()])
  expect(attempts).toBe(3)
  expect(await tenant.perform((tx, caller) => names(tx, caller.tenantId))).toEqual(['Group 1', 'Group 2'])
})

test('a long transaction sees what others commit meanwhile, and remembers nothing', async () => {
  const tenant = await app.createTenant()
  const { names } = groupNames()
  const add = (name: string) => tenant.perform((tx: Tx, caller) => createGroup(tx, caller, { name }))
  const database = await openDataOf(app.dataDir)
  try {
    await database.longTransaction(async (tx) => {
      const { tenantId } = await tenant.perform(async (_, caller) => caller)
      expect(await names(tx, tenantId)).toEqual([])
      await add('First')
      expect(await names(tx, tenantId)).toEqual(['First'])
    })
  } finally {
    await database.close()
  }
})
