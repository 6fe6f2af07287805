import { and, asc, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { events } from '../db/schema.ts'
import { isBehind, type Place, placeOf } from './places.ts'

/** Events looked through in one query: their payloads are read. */
const STEP = 2_000

/** Each is looked at once: an index on whom they tell of would make every event dearer, and somebody is erased seldom. */
const tellingOf = prepared((db) =>
  db
    .select(
      named({
        transaction: events.transactionNumber,
        number: events.number,
        isTelling: sql<number>`CASE WHEN ${events.payload} LIKE '%' || ${sql.placeholder('contactId')} || '%' THEN 1 ELSE 0 END`,
      }),
    )
    .from(events)
    .where(and(ofTenant(events), isBehind(db)))
    .orderBy(asc(events.transactionNumber), asc(events.number))
    .limit(STEP)
    .prepare(),
)

/** The numbers of the tenant's next events that tell of a contact, and how far was looked; null where that is the end. */
export async function eventsTellingOf(
  db: Reader,
  { tenantId, contactId }: { readonly tenantId: string; readonly contactId: string },
  after: Place,
): Promise<{ numbers: number[]; next: Place | null }> {
  const rows = await tellingOf(db).execute({ tenantId, contactId, ...after })
  const last = rows.at(-1)
  return {
    numbers: rows.flatMap(({ number, isTelling }) => (isTelling ? [number] : [])),
    next: rows.length === STEP ? (placeOf(last) ?? null) : null,
  }
}

const holding = prepared((db) =>
  db
    .select(named({ number: events.number }))
    .from(events)
    .where(and(ofTenant(events), isOneOf(db, events.responseId, sql.placeholder('ids'))))
    .prepare(),
)

/** The numbers of the tenant's events that hold one of these responses. */
export async function eventsHolding(db: Reader, tenantId: string, ids: readonly string[]): Promise<number[]> {
  const found = await holding(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return found.map(({ number }) => number)
}

/** Deletes events that wait for no subscription. By their numbers, which are few: the log's index holds all of the tenant's. */
export async function deleteEvents(tx: Tx, tenantId: string, numbers: readonly number[]): Promise<void> {
  const isTheirs = sql`${tx.engine.withoutIndex(events.tenantId)} = ${tenantId}`
  await tx.delete(events).where(and(isTheirs, isOneOf(tx, events.number, JSON.stringify(numbers))))
}
