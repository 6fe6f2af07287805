import { and, asc, gt, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { auditEntries, auditHeads } from '../db/schema.ts'
import { hashOf } from '../lib/hash.ts'
import { BY_ITSELF, EMPTY, type Entry, entryRow, readHead, textOf, WHOLE } from './chain.ts'
import { type ChainKey, type Head, isSealed } from './key.ts'

/* Whether a chain of the audit log is as frontdesk linked it. */

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
  return head ? { ...head, ...WHOLE, plain: null, seal: null } : null
}

const headOfWhole = prepared((db) =>
  db
    .select(named({ count: auditHeads.count, hash: auditHeads.hash, plain: auditHeads.plain, seal: auditHeads.seal }))
    .from(auditHeads)
    .where(ofTenant(auditHeads))
    .prepare(),
)

/** The head in a database of a version that keeps every entry. */
async function readWholeHead(db: Reader, tenantId: string): Promise<Head | null> {
  const [head] = await headOfWhole(db).execute({ tenantId })
  return head ? { ...head, ...WHOLE } : null
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

/** How far the chains of a database can be trusted to be keyed. */
export interface Trust {
  /** null where it is not at hand: then what it made is not looked at. */
  readonly key: ChainKey | null
  /** `earlier`: of a version without seals. `open`: its chains are yet to be sealed, by the next start. */
  readonly chains: 'earlier' | 'open' | 'sealed'
  /** Whether the database is of a version that may keep entries for a while only. */
  readonly drops: boolean
}

/**
 * What is wrong with a tenant's chain, a sentence each that names the entry: one that was changed, that is missing, or
 * the end cut off, and a head that frontdesk did not write (decisions §14). Nothing when it is whole. Reads all of it, in
 * pieces.
 */
export async function chainFaults(db: Reader, tenantId: string, trust: Trust): Promise<string[]> {
  for (;;) {
    const { faults, head, start } = await readChain(db, tenantId, trust)
    // Where entries were let go of meanwhile, what was read of them means nothing.
    if (head.dropped !== start) continue
    const { key, chains } = trust
    if (
      faults.length === 0 &&
      head.count > 0 &&
      chains === 'sealed' &&
      key !== null &&
      !isSealed(key, tenantId, head)
    ) {
      return ['its head was not sealed with the key of this installation: entries may have been replaced or cut off']
    }
    return faults
  }
}

/** Follows the chain from where it begins, at `start`, to its head. */
async function readChain(db: Reader, tenantId: string, { key, chains, drops }: Trust) {
  const readLater = drops ? readHead : readWholeHead
  const read = async () => (await (chains === 'earlier' ? readEarlierHead : readLater)(db, tenantId)) ?? EMPTY
  const faults: string[] = []
  let head: Head = await read()
  const start = head.dropped
  // Where a head was never sealed, an earlier version linked all there is.
  const plain = () => (chains === 'earlier' ? null : head.plain) ?? Number.POSITIVE_INFINITY
  const keyed = (text: string, hash: string) => key?.hash(text) ?? hash
  let last = { position: start, hash: head.droppedHash ?? '' }
  for (let after = 0; ; ) {
    const entries = (await linkedAfter(db).execute({ tenantId, after })) as (Entry & typeof last)[]
    for (const { position, hash, ...entry } of entries) {
      after = position
      const named = `entry ${position} (${entry.action} at ${entry.at})`
      if (position <= start) {
        if (keyed(textOf(entry, position, BY_ITSELF), hash) !== hash) faults.push(`${named} was changed`)
        continue
      }
      const text = textOf(entry, position, last.hash)
      if (position > last.position + 1) faults.push(missing(last.position + 1, position - 1))
      // Earlier versions linked entries without a key.
      else if ((position <= plain() ? hashOf(text) : keyed(text, hash)) !== hash)
        faults.push(`${named} or the one before it was changed`)
      last = { position, hash }
    }
    if (entries.length === CHUNK) continue
    // Entries may be linked while we read: the reading is complete once the head is the same before and after.
    const before = head
    head = await read()
    if (head.dropped !== start || (head.hash === before.hash && head.count === before.count)) break
  }
  const { count } = head
  if (count > last.position) faults.push(missing(last.position + 1, count))
  else if (count < last.position) faults.push(`its head counts ${count} entries, but there are ${last.position}`)
  else if (head.hash !== last.hash) faults.push(`its head does not belong to entry ${last.position}`)
  return { faults, head, start }
}

function missing(first: number, last: number): string {
  return first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`
}
