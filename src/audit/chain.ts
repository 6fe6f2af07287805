import { and, asc, eq, isNull, sql } from 'drizzle-orm'
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

/** What an entry says. For this folder. */
export const entryRow = {
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

export type Entry = Pick<typeof auditEntries.$inferSelect, keyof typeof entryRow>

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
    .select(
      named({
        count: auditHeads.count,
        hash: auditHeads.hash,
        plain: auditHeads.plain,
        dropped: auditHeads.dropped,
        droppedHash: auditHeads.droppedHash,
        seal: auditHeads.seal,
      }),
    )
    .from(auditHeads)
    .where(ofTenant(auditHeads))
    .prepare(),
)

/** null where nothing of the tenant was linked yet. For this folder. */
export async function readHead(db: Reader, tenantId: string): Promise<Head | null> {
  const [head] = await headOf(db).execute({ tenantId })
  return head ?? null
}

/** Of a chain of which every entry is kept. For this folder. */
export const WHOLE = { dropped: 0, droppedHash: null }

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
    const seal = isOurs ? sealOf(key, tenantId, { ...(head ?? EMPTY), count, hash, plain }) : head.seal
    await send(tx, moveHead, { tenantId, count, hash, plain, seal })
  }
  return entries.length === STEP
}

/** Links all there is. For commands, and for a service that stops: nothing is left to whoever comes next. */
export async function linkAllEntries(database: Database, key: ChainKey): Promise<void> {
  if (!(await hasUnlinkedEntries(database.db))) return
  while (await database.transaction((tx) => linkEntries(tx, key))) {}
}

/**
 * What the hash of an entry is made of, at `position` and behind one with the hash `before`, '' for the first, `BY_ITSELF` for one
 * that stays while those around it go. For this folder.
 */
export function textOf(entry: Entry, position: number, before: string): string {
  const { number: _, ...content } = entry
  return JSON.stringify([
    before,
    position,
    ...Object.keys(entryRow)
      .slice(1)
      .map((key) => content[key as keyof typeof content]),
  ])
}

/** Stands for the hash before an entry that is in no chain any more: no hash looks like it. */
export const BY_ITSELF = 'by itself'

/** The head of a tenant without entries. For this folder. */
export const EMPTY = { count: 0, hash: '', plain: 0, ...WHOLE, seal: null }
