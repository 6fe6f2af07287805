import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import {
  askedOnceWritten,
  type Database,
  isOneOf,
  listedRows,
  named,
  ofTenant,
  prepared,
  preparedWrite,
  type Reader,
  send,
  sendAll,
  type Tx,
} from '../db/index.ts'
import { auditEntries, auditHeads } from '../db/schema.ts'
import { type ChainKey, type Head, isSealed, sealOf } from './key.ts'

/*
 * Each tenant's entries form a chain: an entry's hash is made of its own content and the hash before it, so that one
 * changed or taken out shows in all that follow; and it is made with the installation's key, as is the seal of the head, so
 * that who can write the database can make neither. Linking is a step of its own, right after the commit: writers of a
 * tenant would otherwise wait for each other at the end of its chain.
 */

/** Entries linked in one transaction: other writers wait no longer than that takes. */
const STEP = 200

const entryRow = {
  number: auditEntries.number,
  tenantId: auditEntries.tenantId,
  at: auditEntries.at,
  via: auditEntries.via,
  authorType: auditEntries.authorType,
  authorId: auditEntries.authorId,
  authorName: auditEntries.authorName,
  address: auditEntries.address,
  action: auditEntries.action,
  recordId: auditEntries.recordId,
  fields: auditEntries.fields,
}

type Entry = Pick<typeof auditEntries.$inferSelect, keyof typeof entryRow>

const unlinked = prepared((db) =>
  db
    .select(named(entryRow))
    .from(auditEntries)
    .where(isNull(auditEntries.position))
    .orderBy(asc(auditEntries.number))
    .limit(STEP)
    .prepare(),
)

const firstUnlinked = prepared((db) =>
  db
    .select(named({ number: auditEntries.number }))
    .from(auditEntries)
    .where(isNull(auditEntries.position))
    .limit(1)
    .prepare(),
)

/** Whether entries wait for their place in the chain. */
async function hasUnlinkedEntries(db: Reader): Promise<boolean> {
  return (await firstUnlinked(db).execute()).length > 0
}

/** Now, where entries wait for their place in the chain; else null. For the scheduler. */
export const nextLinking = askedOnceWritten([auditEntries], async (db, now) =>
  (await hasUnlinkedEntries(db)) ? now : null,
)

const headOf = prepared((db) =>
  db
    .select(named({ count: auditHeads.count, hash: auditHeads.hash, plain: auditHeads.plain, seal: auditHeads.seal }))
    .from(auditHeads)
    .where(ofTenant(auditHeads))
    .prepare(),
)

/** null where nothing of the tenant was linked yet. */
async function readHead(db: Reader, tenantId: string): Promise<Head | null> {
  const [head] = await headOf(db).execute({ tenantId })
  return head ?? null
}

const headOfEarlier = prepared((db) =>
  db
    .select(named({ count: auditHeads.count, hash: auditHeads.hash }))
    .from(auditHeads)
    .where(ofTenant(auditHeads))
    .prepare(),
)

/** The head in a database of a version without seals. */
async function readEarlierHead(db: Reader, tenantId: string): Promise<Head | null> {
  const [head] = await headOfEarlier(db).execute({ tenantId })
  return head ? { ...head, plain: null, seal: null } : null
}

const moveHead = preparedWrite((tx) =>
  tx
    .insert(auditHeads)
    .values({
      tenantId: sql.placeholder('tenantId'),
      count: sql.placeholder('count'),
      hash: sql.placeholder('hash'),
      plain: sql.placeholder('plain'),
      seal: sql.placeholder('seal'),
    })
    .onConflictDoUpdate({
      target: auditHeads.tenantId,
      set: {
        count: sql`excluded.count`,
        hash: sql`excluded.hash`,
        plain: sql`excluded.plain`,
        seal: sql`excluded.seal`,
      },
    })
    .prepare(),
)

const link = {
  each: preparedWrite((tx) =>
    tx
      .update(auditEntries)
      .set({ position: sql`${sql.placeholder('position')}`, hash: sql`${sql.placeholder('hash')}` })
      .where(eq(auditEntries.number, sql.placeholder('number')))
      .prepare(),
  ),
  list: preparedWrite((tx) =>
    tx
      .update(auditEntries)
      .set({ position: sql`listed.position`, hash: sql`listed.hash` })
      .from(listedRows(tx, sql.placeholder('rows'), { number: 'number', position: 'number', hash: 'text' }))
      .where(
        and(isOneOf(tx, auditEntries.number, sql.placeholder('keys')), eq(auditEntries.number, sql`listed.number`)),
      )
      .prepare(),
  ),
}

/**
 * Links the oldest entries, of all tenants, 200 at most. A head that somebody else wrote is not sealed by it: `chainFaults`
 * goes on to show that. Returns whether there are more.
 */
export async function linkEntries(tx: Tx, key: ChainKey): Promise<boolean> {
  const entries = await unlinked(tx).execute()
  for (const [tenantId, own] of Map.groupBy(entries, (entry) => entry.tenantId)) {
    const head = await readHead(tx, tenantId)
    let { count, hash } = head ?? EMPTY
    const links = own.map((entry) => {
      count += 1
      hash = key.hash(textOf(entry, count, hash))
      return { number: entry.number, position: count, hash }
    })
    await sendAll(tx, link, links, 'number')
    const plain = head === null ? 0 : (head.plain ?? head.count)
    const isOurs = head === null || isSealed(key, tenantId, head)
    const seal = isOurs ? sealOf(key, tenantId, { count, hash, plain }) : head.seal
    await send(tx, moveHead, { tenantId, count, hash, plain, seal })
  }
  return entries.length === STEP
}

/** Links all there is. For commands, and for a service that stops: nothing is left to whoever comes next. */
export async function linkAllEntries(database: Database, key: ChainKey): Promise<void> {
  if (!(await hasUnlinkedEntries(database.db))) return
  while (await database.transaction((tx) => linkEntries(tx, key))) {}
}

/** What the hash of an entry is made of, at `position` and behind one with the hash `before`, '' for the first. */
function textOf(entry: Entry, position: number, before: string): string {
  const { number: _, ...content } = entry
  return JSON.stringify([
    before,
    position,
    ...Object.keys(entryRow)
      .slice(1)
      .map((key) => content[key as keyof typeof content]),
  ])
}

/** As earlier versions linked entries. */
function plainHash(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('base64url')
}

const EMPTY = { count: 0, hash: '', plain: 0, seal: null }

const CHUNK = 1_000

const linkedAfter = prepared((db) =>
  db
    .select(named({ ...entryRow, position: auditEntries.position, hash: auditEntries.hash }))
    .from(auditEntries)
    .where(and(ofTenant(auditEntries), gt(auditEntries.position, sql.placeholder('after'))))
    .orderBy(asc(auditEntries.position))
    .limit(CHUNK)
    .prepare(),
)

/** How far the chains of a database can be trusted to be keyed. */
export interface Trust {
  /** null where it is not at hand: then what it made is not looked at. */
  readonly key: ChainKey | null
  /** `earlier`: of a version without seals. `open`: its chains are yet to be sealed, by the next start. */
  readonly chains: 'earlier' | 'open' | 'sealed'
}

/**
 * What is wrong with a tenant's chain, a sentence each that names the entry: one that was changed, that is missing, or
 * the end cut off, and a head that frontdesk did not write (decisions §14). Nothing when it is whole. Reads all of it, in
 * pieces.
 */
export async function chainFaults(db: Reader, tenantId: string, { key, chains }: Trust): Promise<string[]> {
  const read = async () => (await (chains === 'earlier' ? readEarlierHead : readHead)(db, tenantId)) ?? EMPTY
  const faults: string[] = []
  let head = await read()
  let last = { position: 0, hash: '' }
  for (;;) {
    const entries = await linkedAfter(db).execute({ tenantId, after: last.position })
    // Where a head was never sealed, an earlier version linked all there is.
    const plain = (chains === 'earlier' ? null : head.plain) ?? Number.POSITIVE_INFINITY
    for (const { position, hash, ...entry } of entries as (Entry & typeof last)[]) {
      const text = textOf(entry, position, last.hash)
      const expected = position <= plain ? plainHash(text) : (key?.hash(text) ?? hash)
      if (position > last.position + 1) faults.push(missing(last.position + 1, position - 1))
      else if (expected !== hash)
        faults.push(`entry ${position} (${entry.action} at ${entry.at}) or the one before it was changed`)
      last = { position, hash }
    }
    if (entries.length === CHUNK) continue
    // Entries may be linked while we read: the reading is complete once the head is the same before and after.
    const before = head
    head = await read()
    if (head.hash === before.hash && head.count === before.count) break
  }
  const { count } = head
  if (count > last.position) faults.push(missing(last.position + 1, count))
  else if (count < last.position) faults.push(`its head counts ${count} entries, but there are ${last.position}`)
  else if (head.hash !== last.hash) faults.push(`its head does not belong to entry ${last.position}`)
  if (faults.length === 0 && count > 0 && chains === 'sealed' && key !== null && !isSealed(key, tenantId, head)) {
    faults.push(`its head was not sealed with the key of this installation: entries may have been replaced or cut off`)
  }
  return faults
}

function missing(first: number, last: number): string {
  return first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`
}
