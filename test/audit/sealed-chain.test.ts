import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { and, asc, eq, gt } from 'drizzle-orm'
import { sealOlderChains } from '../../src/audit/carry-over.ts'
import { linkAllEntries } from '../../src/audit/chain.ts'
import { chainFaults, type Trust } from '../../src/audit/faults.ts'
import { type ChainKey, chainKeyOf } from '../../src/audit/key.ts'
import { check } from '../../src/check/index.ts'
import { auditEntries, auditHeads, installation } from '../../src/db/schema.ts'
import { AUDIT_FILE } from '../../src/folder/names.ts'
import { sealerWith } from '../../src/secrets/seal.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

/* Who can write the database, and knows how frontdesk links entries, has everything but the key. */

let app: TestApp
let acme: TestTenant
beforeEach(async () => {
  app = await startApp()
  acme = await app.createTenant()
  await happen(3)
})
afterEach(() => app.close())

const key = () => chainKeyOf(app.deps.secrets)
const faults = (chains: Trust['chains'] = 'sealed') =>
  chainFaults(app.database.db, acme.tenantId, { key: key(), chains, drops: true })
const link = () => linkAllEntries(app.database, key())
const start = () => sealOlderChains(app.dataDir, app.database, key(), app.clock.now())

/** Changes by a key, with their entries. */
async function happen(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await acme.post('/v1/contacts', { email: `${crypto.randomUUID()}@acme.test` })
  await link()
}

/** How earlier versions linked entries: with no key. */
const plain: ChainKey = { hash: (text) => new Bun.CryptoHasher('sha256').update(text).digest('base64url') }
/** Somebody else's. */
const other = chainKeyOf(sealerWith(new Uint8Array(32).fill(7)))

/** Changes who made the entry at `position`, and links that and all that follow again. */
async function rewrite(position: number, by: ChainKey): Promise<void> {
  await app.database.transaction(async (tx) => {
    const { tenantId } = acme
    await tx
      .update(auditEntries)
      .set({ authorName: 'Somebody else' })
      .where(and(eq(auditEntries.tenantId, tenantId), eq(auditEntries.position, position)))
    const own = eq(auditEntries.tenantId, tenantId)
    const entries = await tx.select().from(auditEntries).where(own).orderBy(asc(auditEntries.position))
    let before = entries[position - 2]?.hash ?? ''
    for (const { number, position: place, hash: _, ...content } of entries.slice(position - 1)) {
      before = by.hash(JSON.stringify([before, place, ...Object.values(content)]))
      await tx.update(auditEntries).set({ hash: before }).where(eq(auditEntries.number, number))
    }
    await tx.update(auditHeads).set({ hash: before }).where(eq(auditHeads.tenantId, tenantId))
  })
}

/** Makes the chain one that an earlier version has left, and nothing say that it is another. */
async function asEarlier(): Promise<void> {
  await rewrite(1, plain)
  await app.database.transaction(async (tx) => {
    await tx.update(auditHeads).set({ plain: null, seal: null })
    await tx.delete(installation).where(eq(installation.name, 'audit_keyed'))
  })
}

describe('entries that somebody wrote anew with all that follows', () => {
  test.each([
    ['as earlier versions linked them', plain],
    ['with a key of their own', other],
  ])('%s are named', async (_, by) => {
    await start()
    expect(await faults()).toEqual([])
    await rewrite(2, by)
    expect((await faults())[0]).toMatch(/^entry 2 .*was changed$/)
    // Further entries do not hide it.
    await happen(2)
    expect((await faults())[0]).toMatch(/^entry 2 .*was changed$/)
  })

  test('are a finding of frontdesk check', async () => {
    await start()
    const problems = async () => (await check(app.deps.config, Date.now())).map(({ problem }) => problem)
    const before = await problems()
    await rewrite(2, plain)
    const found = (await problems()).filter((problem) => !before.includes(problem))
    expect(found[0]).toMatch(/^audit log of Acme .*: entry 2 .*was changed$/)
  })
})

test('an end that was cut off shows, though the head was set back to what is left', async () => {
  const own = eq(auditEntries.tenantId, acme.tenantId)
  const [second] = await app.database.db
    .select()
    .from(auditEntries)
    .where(and(own, eq(auditEntries.position, 2)))
    .orderBy(auditEntries.number)
  await app.database.transaction(async (tx) => {
    await tx.delete(auditEntries).where(and(own, gt(auditEntries.position, 2)))
    await tx.update(auditHeads).set({ count: 2, hash: String(second?.hash) })
  })
  expect(await faults()).toEqual([expect.stringMatching(/^its head was not sealed with the key/)])
  await happen(2)
  expect(await faults()).toEqual([expect.stringMatching(/^its head was not sealed with the key/)])
})

describe('the chain of an earlier version', () => {
  beforeEach(asEarlier)

  test('is whole before and after it was sealed, and goes on with the key', async () => {
    expect(await faults('open')).toEqual([])
    expect(await start()).toBe(1)
    expect(await faults()).toEqual([])
    await happen(2)
    expect(await faults()).toEqual([])
    expect(existsSync(join(app.dataDir, AUDIT_FILE))).toBe(true)
    expect(await start()).toBe(0)
  })

  test('cannot be written anew once it is sealed, with no key', async () => {
    await start()
    const [{ count } = { count: 0 }] = await app.database.db.select().from(auditHeads)
    await happen(2)
    await rewrite(2, plain)
    expect((await faults())[0]).toMatch(new RegExp(`^entry ${count + 1} .* or the one before it was changed$`))
    await app.database.transaction((tx) => tx.update(auditHeads).set({ plain: 1_000 }))
    expect(await faults()).toEqual([expect.stringMatching(/^its head was not sealed with the key/)])
  })

  test('that somebody makes of a sealed one is not sealed again, while the data folder knows', async () => {
    await start()
    await happen(2)
    await asEarlier()
    expect(await start()).toBe(0)
    expect(await faults()).toEqual([expect.stringMatching(/^its head was not sealed with the key/)])
    const found = (await check(app.deps.config, Date.now())).map(({ problem }) => problem)
    expect(found).toContainEqual(expect.stringMatching(/its head was not sealed with the key/))
    await happen(1)
    expect(await faults()).not.toEqual([])
  })

  test('nor on a node whose folder does not know, while the database does', async () => {
    await start()
    rmSync(join(app.dataDir, AUDIT_FILE))
    await rewrite(1, plain)
    await app.database.transaction((tx) => tx.update(auditHeads).set({ plain: null, seal: null }))
    expect(await start()).toBe(0)
    expect(await faults()).toEqual([expect.stringMatching(/^its head was not sealed with the key/)])
  })

  test('stays as it was where it had been changed before it was sealed', async () => {
    await acme.perform((tx) => tx.update(auditEntries).set({ authorName: 'x' }).where(eq(auditEntries.position, 2)))
    await start()
    expect((await faults())[0]).toMatch(/^entry 2 .*was changed$/)
  })
})

test('without the key what it made is not looked at, and what is missing is', async () => {
  const keyless = () => chainFaults(app.database.db, acme.tenantId, { key: null, chains: 'sealed', drops: true })
  expect(await keyless()).toEqual([])
  await app.database.transaction((tx) => tx.delete(auditEntries).where(eq(auditEntries.position, 2)))
  expect(await keyless()).toEqual(['entry 2 is missing'])
})
