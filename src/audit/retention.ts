import { and, asc, eq, gt, lte, or, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { auditEntries, auditHeads, contactMerges, contacts, isConsent } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { BY_ITSELF, type Entry, entryRow, readHead, textOf } from './chain.ts'
import { type ChainKey, isSealed, sealOf } from './key.ts'

/*
 * Entries that are kept for a while only. They go from the beginning of the chain, and its head says how many are gone and which
 * hash the last of them had: what stays is a chain as before. What a contact agreed to and took back stays for as long as the
 * contact, by itself: its hash, made with the installation's key, says that nobody has changed it.
 */

/** The first entries that the chain still has. */
const oldest = prepared((db) =>
  db
    .select(named({ ...entryRow, position: auditEntries.position, hash: auditEntries.hash }))
    .from(auditEntries)
    .where(and(ofTenant(auditEntries), gt(auditEntries.position, sql.placeholder('after'))))
    .orderBy(asc(auditEntries.position))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

type Linked = Entry & { position: number; hash: string }

/**
 * The positions of the oldest entries from before `before`, in milliseconds since 1970, behind one position, `limit` at
 * most; those after the first newer one stay with it.
 */
export async function oldEntries(
  db: Reader,
  tenantId: string,
  before: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<number[]> {
  const head = await readHead(db, tenantId)
  const from = Math.max(after ?? 0, head?.dropped ?? 0)
  const entries = (await oldest(db).execute({ tenantId, after: from, limit })) as Linked[]
  const end = entries.findIndex(({ at }) => at > formatTime(before))
  return (end < 0 ? entries : entries.slice(0, end)).map(({ position }) => position)
}

/**
 * Lets go of the entries up to `through` that are from before `before`, `limit` at most, but for what contacts that are there
 * agreed to. Returns how many are gone from the chain; none where its head is not as frontdesk left it: `frontdesk check` says so.
 */
export async function dropEntries(
  tx: Tx,
  key: ChainKey,
  tenantId: string,
  before: number,
  { through, limit }: { through: number; limit: number },
): Promise<number> {
  const head = await readHead(tx, tenantId)
  if (!head || !isSealed(key, tenantId, head)) return 0
  const entries = (await oldest(tx).execute({ tenantId, after: head.dropped, limit })) as Linked[]
  const end = entries.findIndex(({ at, position }) => at > formatTime(before) || position > through)
  const gone = end < 0 ? entries : entries.slice(0, end)
  const last = gone.at(-1)
  if (!last) return 0
  const kept = await keptConsent(tx, tenantId, head.dropped, last.position)
  for (const entry of gone.filter(({ number }) => kept.has(number))) {
    const { position, hash: _, ...content } = entry
    const hash = key.hash(textOf(content, position, BY_ITSELF))
    await tx.update(auditEntries).set({ hash }).where(eq(auditEntries.number, entry.number))
  }
  const numbers = gone.flatMap(({ number }) => (kept.has(number) ? [] : [number]))
  await tx.delete(auditEntries).where(isOneOf(tx, auditEntries.number, JSON.stringify(numbers)))
  const shorter = { ...head, dropped: last.position, droppedHash: last.hash }
  const seal = sealOf(key, tenantId, shorter)
  const { dropped, droppedHash } = shorter
  await tx.update(auditHeads).set({ dropped, droppedHash, seal }).where(ofTenant(auditHeads, tenantId))
  return numbers.length
}

/** Numbers of the entries behind one position and up to another that say what contacts agreed to who are there, or merged. */
async function keptConsent(tx: Tx, tenantId: string, after: number, through: number): Promise<ReadonlySet<number>> {
  const own = and(ofTenant(contacts, tenantId), eq(contacts.id, auditEntries.recordId))
  const merged = and(ofTenant(contactMerges, tenantId), eq(contactMerges.contactId, auditEntries.recordId))
  const rows = await tx
    .select({ number: auditEntries.number })
    .from(auditEntries)
    .where(
      and(
        ofTenant(auditEntries, tenantId),
        gt(auditEntries.position, after),
        lte(auditEntries.position, through),
        isConsent(auditEntries.action),
        or(
          sql`EXISTS (SELECT 1 FROM ${contacts} WHERE ${own})`,
          sql`EXISTS (SELECT 1 FROM ${contactMerges} WHERE ${merged})`,
        ),
      ),
    )
  return new Set(rows.map(({ number }) => number))
}

/** Lets go of what contacts agreed to that is in no chain any more. For whoever deletes the contacts, in the same transaction. */
export async function forgetConsent(tx: Tx, tenantId: string, contactIds: readonly string[]): Promise<void> {
  const head = await readHead(tx, tenantId)
  if (!head || head.dropped === 0) return
  await tx
    .delete(auditEntries)
    .where(
      and(
        ofTenant(auditEntries, tenantId),
        isOneOf(tx, auditEntries.recordId, JSON.stringify(contactIds)),
        isConsent(auditEntries.action),
        lte(auditEntries.position, head.dropped),
      ),
    )
}
