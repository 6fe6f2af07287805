import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { commandCaller } from '../../../src/caller.ts'
import { askedOnceWritten, type Database, openDatabase, remembered, type Tx } from '../../../src/db/index.ts'
import { groups } from '../../../src/db/schema.ts'
import { createGroup } from '../../../src/groups/operations.ts'
import { createOrganisation } from '../../../src/organisations/operations.ts'
import { createTenant } from '../../../src/tenants/operations.ts'
import { until } from '../../support/patience.ts'

const folders: string[] = []
const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function open(folder: string): Promise<Database> {
  const database = await openDatabase({ dataDir: folder })
  opened.push(database)
  return database
}

const at = Date.parse('2026-01-01T00:00:00Z')

/** A database with a tenant that has one group, and how to add others. */
async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-remembered-'))
  folders.push(folder)
  const database = await open(folder)
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Acme' }, at))
  const caller = commandCaller(tenantId, at)
  const addGroup = (tx: Tx, name: string) => createGroup(tx, caller, { name })
  await database.transaction((tx) => addGroup(tx, 'First'))
  return { folder, database, tenantId, caller, addGroup }
}

/** Names of groups, remembered, with how often they were really read. */
function groupNames() {
  const counter = { loads: 0 }
  const names = remembered([groups], async (db, tenantId) => {
    counter.loads++
    const found = await db.select({ name: groups.name }).from(groups).where(eq(groups.tenantId, tenantId))
    return found.map(({ name }) => name)
  })
  return { counter, names }
}

describe('what is remembered of a table', () => {
  test('is not read again while other tables are written', async () => {
    const { database, tenantId, caller } = await setUp()
    const { counter, names } = groupNames()
    expect(await names(database.db, tenantId)).toEqual(['First'])
    await database.transaction((tx) => createOrganisation(tx, caller, { name: 'Acme', domain: null }))
    expect(await names(database.db, tenantId)).toEqual(['First'])
    expect(counter.loads).toBe(1)
  })

  test('is read again after every commit that inserted, updated or deleted there', async () => {
    const { database, tenantId, addGroup } = await setUp()
    const { names } = groupNames()
    expect(await names(database.db, tenantId)).toEqual(['First'])
    await database.transaction((tx) => addGroup(tx, 'Second'))
    expect(await names(database.db, tenantId)).toEqual(['First', 'Second'])
    await database.transaction((tx) =>
      tx.update(groups).set({ name: 'New' }).where(eq(groups.name, 'First')).returning(),
    )
    expect(await names(database.db, tenantId)).toEqual(['New', 'Second'])
    await database.transaction((tx) => tx.delete(groups).where(eq(groups.name, 'Second')))
    expect(await names(database.db, tenantId)).toEqual(['New'])
  })

  test('is read once for all who ask at the same time, and anew for who asks after a commit', async () => {
    const { database, tenantId, addGroup } = await setUp()
    const { counter, names } = groupNames()
    const first = [names(database.db, tenantId), names(database.db, tenantId), names(database.db, tenantId)]
    expect(await Promise.all(first)).toEqual([['First'], ['First'], ['First']])
    expect(counter.loads).toBe(1)
    await database.transaction((tx) => addGroup(tx, 'Second'))
    expect(await Promise.all([names(database.db, tenantId), names(database.db, tenantId)])).toEqual([
      ['First', 'Second'],
      ['First', 'Second'],
    ])
    expect(counter.loads).toBe(2)
  })

  test('is read anew for who asks after a commit, also while it is being read for others', async () => {
    const { database, tenantId, addGroup } = await setUp()
    let loads = 0
    const goOn = Promise.withResolvers<void>()
    const names = remembered([groups], async (db, key) => {
      loads++
      const found = await db.select({ name: groups.name }).from(groups).where(eq(groups.tenantId, key))
      if (loads === 1) await goOn.promise
      return found.length
    })
    const early = names(database.db, tenantId)
    await database.transaction((tx) => addGroup(tx, 'Second'))
    expect(await names(database.db, tenantId)).toBe(2)
    goOn.resolve()
    expect(await early).toBe(1)
    expect(await names(database.db, tenantId)).toBe(2)
    expect(loads).toBe(2)
  })

  test('is not what failed: all who asked are told, and the next one reads', async () => {
    const { database, tenantId } = await setUp()
    let loads = 0
    const failing = remembered([groups], async () => {
      loads++
      if (loads === 1) throw new Error('out of reach')
      return loads
    })
    const both = await Promise.allSettled([failing(database.db, tenantId), failing(database.db, tenantId)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await failing(database.db, tenantId)).toBe(2)
  })

  test('is no more than fits', async () => {
    const { database } = await setUp()
    let loads = 0
    const load = async (_: unknown, key: string) => {
      loads++
      return key
    }
    const few = remembered([groups], load, 2)
    for (const key of ['a', 'b', 'c', 'a', 'b', 'c']) expect(await few(database.db, key)).toBe(key)
    expect(loads).toBe(4)
  })

  test('is read again after a statement of which nobody knows what it writes', async () => {
    const { database, tenantId } = await setUp()
    const { names } = groupNames()
    await names(database.db, tenantId)
    await database.transaction(async (tx) => void (await tx.run(sql`REPLACE INTO groups SELECT * FROM groups LIMIT 0`)))
    await database.transaction(async (tx) => void (await tx.run(sql`UPDATE OR FAIL groups SET name = 'Raw'`)))
    expect(await names(database.db, tenantId)).toEqual(['Raw'])
  })

  test('is not read again for what was taken back', async () => {
    const { database, tenantId, addGroup } = await setUp()
    const { names } = groupNames()
    await names(database.db, tenantId)
    const failing = database.transaction(async (tx) => {
      await addGroup(tx, 'Second')
      throw new Error('taken back')
    })
    expect(await failing.catch((error: Error) => error.message)).toBe('taken back')
    expect(await names(database.db, tenantId)).toEqual(['First'])
  })

  test('holds inside transactions as well, until one writes there itself', async () => {
    const { database, tenantId, caller, addGroup } = await setUp()
    const { counter, names } = groupNames()
    await database.transaction(async (tx) => {
      await createOrganisation(tx, caller, { name: 'Acme', domain: null })
      expect(await names(tx, tenantId)).toEqual(['First'])
    })
    await database.transaction(async (tx) => {
      expect(await names(tx, tenantId)).toEqual(['First'])
      expect(counter.loads).toBe(1)
      await addGroup(tx, 'Second')
      expect(await names(tx, tenantId)).toEqual(['First', 'Second'])
    })
    await database.transaction(async (tx) => expect(await names(tx, tenantId)).toEqual(['First', 'Second']))
  })

  test('of what a piece of work took back, nothing stays remembered for those that share its commit', async () => {
    const { database, tenantId, addGroup } = await setUp()
    const { names } = groupNames()
    const failing = database.transaction(async (tx) => {
      await addGroup(tx, 'Second')
      expect(await names(tx, tenantId)).toEqual(['First', 'Second'])
      throw new Error('taken back')
    })
    const beside = database.transaction((tx) => names(tx, tenantId))
    expect(await failing.catch((error: Error) => error.message)).toBe('taken back')
    expect(await beside).toEqual(['First'])
    expect(await database.transaction((tx) => names(tx, tenantId))).toEqual(['First'])
  })

  test('a transaction never begins with what another connection has changed', async () => {
    const { folder, database, tenantId, addGroup } = await setUp()
    const { names } = groupNames()
    const inside = () => database.transaction((tx) => names(tx, tenantId))
    expect(await inside()).toEqual(['First'])
    const elsewhere = await open(folder)
    await elsewhere.transaction((tx) => addGroup(tx, 'Second'))
    expect(await inside()).toEqual(['First', 'Second'])
  })

  test('what was read before a commit is not remembered after it, however late it comes', async () => {
    const { database, tenantId, addGroup } = await setUp()
    const [arrived, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isSlow = true
    const names = remembered([groups], async (db, id) => {
      const found = await db.select({ name: groups.name }).from(groups).where(eq(groups.tenantId, id))
      if (isSlow) {
        isSlow = false
        arrived.resolve()
        await letGo.promise
      }
      return found.map(({ name }) => name)
    })
    const slow = names(database.db, tenantId)
    await arrived.promise
    await database.transaction((tx) => addGroup(tx, 'Second'))
    expect(await names(database.db, tenantId)).toEqual(['First', 'Second'])
    letGo.resolve()
    expect(await slow).toEqual(['First'])
    expect(await names(database.db, tenantId)).toEqual(['First', 'Second'])
  })

  test('is read again soon after another connection wrote anything', async () => {
    const { folder, database, tenantId, addGroup } = await setUp()
    const { names } = groupNames()
    expect(await names(database.db, tenantId)).toEqual(['First'])
    const elsewhere = await open(folder)
    await elsewhere.transaction((tx) => addGroup(tx, 'Second'))
    while ((await names(database.db, tenantId)).length < 2) await Bun.sleep(1)
    expect(await names(database.db, tenantId)).toEqual(['First', 'Second'])
  })
})

describe('when something is due', () => {
  /** Answers `due`, and counts how often it is asked. */
  function question(due: number | null) {
    const counter = { asked: 0, due }
    const next = askedOnceWritten([groups], async () => {
      counter.asked++
      return counter.due
    })
    return { counter, next }
  }

  test('is not asked again while other tables are written, nothing or something later', async () => {
    const { database, caller } = await setUp()
    for (const due of [null, at + 1]) {
      const { counter, next } = question(due)
      expect(await next(database.db, at)).toBe(due)
      await database.transaction((tx) => createOrganisation(tx, caller, { name: 'Acme', domain: null }))
      expect([await next(database.db, at), counter.asked]).toEqual([due, 1])
    }
  })

  test('is asked again once its table was written', async () => {
    const { database, addGroup } = await setUp()
    const { counter, next } = question(null)
    await next(database.db, at)
    counter.due = at + 1
    await database.transaction((tx) => addGroup(tx, 'Second'))
    expect([await next(database.db, at), counter.asked]).toEqual([at + 1, 2])
  })

  test('is asked again for as long as it is due', async () => {
    const { database } = await setUp()
    const { counter, next } = question(at + 1)
    for (const now of [at, at + 1, at + 2]) await next(database.db, now)
    expect(counter.asked).toBe(3)
  })

  test('is asked again soon after another connection wrote', async () => {
    const { folder, database } = await setUp()
    const { counter, next } = question(null)
    await next(database.db, at)
    const other = await open(folder)
    await other.transaction((tx) => tx.update(groups).set({ name: 'Renamed' }))
    await until(async () => {
      await next(database.db, at)
      return counter.asked > 1
    })
  })
})
