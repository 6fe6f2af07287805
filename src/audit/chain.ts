import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Database, named, ofTenant, prepared, preparedWrite, type Reader, send, type Tx } from '../db/index.ts'
import { auditEntries, auditHeads } from '../db/schema.ts'

/*
 * Each tenant's entries form a chain: an entry's hash is made of its own content and the hash before it, so that one
 * changed or taken out shows in all that follow. Linking is a step of its own, right after the commit: writers of a
 * tenant would otherwise wait for each other at the end of its chain.
 */

/** Entries linked in one transaction: other writers wait no longer than that takes. */
const STEP = 500

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

/** Whether entries wait for their place in the chain. For the scheduler. */
export async function hasUnlinkedEntries(db: Reader): Promise<boolean> {
  return (await firstUnlinked(db).execute()).length > 0
}

const headOf = prepared((db) =>
  db
    .select(named({ count: auditHeads.count, hash: auditHeads.hash }))
    .from(auditHeads)
    .where(ofTenant(auditHeads))
    .prepare(),
)

/** How many entries a tenant's chain has, and the hash of the last. */
async function readHead(db: Reader, tenantId: string): Promise<{ count: number; hash: string }> {
  const [head] = await headOf(db).execute({ tenantId })
  return head ?? { count: 0, hash: '' }
}

const moveHead = preparedWrite((tx) =>
  tx
    .insert(auditHeads)
    .values({ tenantId: sql.placeholder('tenantId'), count: sql.placeholder('count'), hash: sql.placeholder('hash') })
    .onConflictDoUpdate({
      target: auditHeads.tenantId,
      set: { count: sql`excluded.count`, hash: sql`excluded.hash` },
    })
    .prepare(),
)

const link = preparedWrite((tx) =>
  tx
    .update(auditEntries)
    .set({ position: sql`${sql.placeholder('position')}`, hash: sql`${sql.placeholder('hash')}` })
    .where(eq(auditEntries.number, sql.placeholder('number')))
    .prepare(),
)

/** Links the oldest entries, of all tenants, 500 at most. Returns whether there are more. */
export async function linkEntries(tx: Tx): Promise<boolean> {
  const entries = await unlinked(tx).execute()
  for (const [tenantId, own] of Map.groupBy(entries, (entry) => entry.tenantId)) {
    let { count, hash } = await readHead(tx, tenantId)
    for (const entry of own) {
      count += 1
      hash = hashOf(entry, count, hash)
      await send(tx, link, { number: entry.number, position: count, hash })
    }
    await send(tx, moveHead, { tenantId, count, hash })
  }
  return entries.length === STEP
}

/** Links all there is. For commands, and for a service that stops: nothing is left to whoever comes next. */
export async function linkAllEntries(database: Database): Promise<void> {
  if (!(await hasUnlinkedEntries(database.db))) return
  while (await database.transaction(linkEntries)) {}
}

/** The link of an entry at `position` whose predecessor has the hash `before`, '' for the first. */
function hashOf(entry: Entry, position: number, before: string): string {
  const { number: _, ...content } = entry
  const text = JSON.stringify([
    before,
    position,
    ...Object.keys(entryRow)
      .slice(1)
      .map((key) => content[key as keyof typeof content]),
  ])
  return new Bun.CryptoHasher('sha256').update(text).digest('base64url')
}

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

/**
 * What is wrong with a tenant's chain, a sentence each that names the entry: one that was changed, that is missing, or
 * the end cut off (decisions §14). Nothing when it is whole. Reads all of it, in pieces.
 */
export async function chainFaults(db: Reader, tenantId: string): Promise<string[]> {
  const faults: string[] = []
  let head = await readHead(db, tenantId)
  let last = { position: 0, hash: '' }
  for (;;) {
    const entries = await linkedAfter(db).execute({ tenantId, after: last.position })
    for (const { position, hash, ...entry } of entries as (Entry & typeof last)[]) {
      if (position > last.position + 1) faults.push(missing(last.position + 1, position - 1))
      else if (hashOf(entry, position, last.hash) !== hash)
        faults.push(`entry ${position} (${entry.action} at ${entry.at}) or the one before it was changed`)
      last = { position, hash }
    }
    if (entries.length === CHUNK) continue
    // Entries may be linked meanwhile. While its head stands still, a chain is what was read of it.
    const before = head
    head = await readHead(db, tenantId)
    if (head.hash === before.hash && head.count === before.count) break
  }
  const { count } = head
  if (count > last.position) faults.push(missing(last.position + 1, count))
  else if (count < last.position) faults.push(`its head counts ${count} entries, but there are ${last.position}`)
  else if (head.hash !== last.hash) faults.push(`its head does not belong to entry ${last.position}`)
  return faults
}

function missing(first: number, last: number): string {
  return first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`
}
