import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { lastNumber, setCounter, takeNumbers } from '../../../src/db/counters.ts'
import { type Database, openDatabase, type Tx } from '../../../src/db/index.ts'
import { tenants } from '../../../src/db/schema.ts'
import { createTenant } from '../../../src/tenants/operations.ts'

/* In a file, what those who share a commit take of a counter is written once, before the commit. */

let folder: string
let database: Database
let tenantId: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-numbers-'))
  database = await openDatabase({ dataDir: folder })
  tenantId = (await database.transaction((tx) => createTenant(tx, { name: 'Acme' }, 0))).tenantId
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const take =
  (count = 1) =>
  (tx: Tx) =>
    takeNumbers(tx, tenantId, 'ticket', count)
const last = (db: Parameters<typeof lastNumber>[0]) => lastNumber(db, tenantId, 'ticket')

const refused = (work: (tx: Tx) => Promise<unknown>) => async (tx: Tx) => {
  await work(tx)
  throw new Error('refused')
}

/** What became of pieces of work that were handed over at once, and the number stored after that. */
async function together(...works: ((tx: Tx) => Promise<unknown>)[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(works.map((work) => database.transaction(work)))
  return [
    ...settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    await last(database.db),
  ]
}

/** Counts how often the counter's row is stored. */
async function countStores(): Promise<() => Promise<number>> {
  await database.transaction(async (tx) => {
    await tx.run(sql`CREATE TABLE stores (n integer)`)
    await tx.run(sql`CREATE TRIGGER stored AFTER UPDATE ON counters BEGIN INSERT INTO stores VALUES (1); END`)
  })
  return async () => {
    const [row] = await database.db.select({ count: sql<number>`(SELECT count(*) FROM stores)` }).from(tenants)
    return row?.count ?? 0
  }
}

test('each gets numbers of their own, and they are stored once', async () => {
  expect(await together(take())).toEqual([1, 1])
  const stores = await countStores()
  expect(await together(take(), take(3), take())).toEqual([2, 3, 6, 6])
  expect(await stores()).toBe(1)
})

test('so does who asks twice at once, of two tenants', async () => {
  const other = (await database.transaction((tx) => createTenant(tx, { name: 'Other' }, 0))).tenantId
  const both = (tx: Tx) => Promise.all([take()(tx), take(2)(tx), takeNumbers(tx, other, 'ticket', 1), take()(tx)])
  expect(await together(both, take())).toEqual([[1, 2, 1, 4], 5, 5])
})

test('what somebody took who throws is given to the next, though they wrote nothing else', async () => {
  expect(await together(take(), refused(take(5)), take(), refused(take(7)), take())).toEqual([
    1,
    'refused',
    2,
    'refused',
    3,
    3,
  ])
})

test('nothing is taken where SQLite takes everything back, or the commit fails', async () => {
  const fail = async (tx: Tx) => {
    await take()(tx)
    await tx.run(sql`ROLLBACK`)
    throw new Error('the disk failed')
  }
  expect(await together(take(), fail)).toEqual(['the disk failed', 'the disk failed', 0])
  await database.transaction(async (tx) =>
    tx.run(sql`CREATE TRIGGER full BEFORE INSERT ON counters BEGIN SELECT RAISE(ABORT, 'full'); END`),
  )
  expect(await together(take(), take())).toEqual([expect.stringContaining('full'), expect.stringContaining('full'), 0])
  await database.transaction(async (tx) => tx.run(sql`DROP TRIGGER full`))
  expect(await together(take())).toEqual([1, 1])
})

test('the last number is known at once, and a counter that is set goes on from there', async () => {
  const set = (tx: Tx) => setCounter(tx, tenantId, 'ticket', 40)
  expect(await together(take(2), last, take(), set, take(), last)).toEqual([1, 2, 3, undefined, 41, 41, 41])
})

test('another process is heard of: its numbers are not given again', async () => {
  const beside = await openDatabase({ dataDir: folder })
  expect(await together(take())).toEqual([1, 1])
  expect(await beside.transaction(take())).toBe(2)
  expect(await together(take(), take())).toEqual([3, 4, 4])
  await beside.close()
})
