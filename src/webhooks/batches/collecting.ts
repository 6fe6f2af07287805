import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, preparedWrite, type Tx } from '../../db/index.ts'
import { events, webhookBatches, webhookLists } from '../../db/schema.ts'
import { hashOf } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { bodyHead, bodyList, eventJson } from '../body/envelope.ts'

/* A batch from its first event until its body is written (decisions §9). */

/** Events in a batch at most. */
export const MAX_EVENTS = 500

/** Whose queue it is. */
export interface Owner {
  tenantId: string
  webhookId: string
}

/** One batch, by `tenantId` and `id`. */
export const ofBatch = and(ofTenant(webhookBatches), eq(webhookBatches.id, sql.placeholder('id')))

/** The place behind everything that waits. */
export const lastPosition = sql`(
  SELECT coalesce(max(queue.position), 0) + 1 FROM webhook_batches AS queue
  WHERE queue.tenant_id = ${sql.placeholder('tenantId')} AND queue.webhook_id = ${sql.placeholder('webhookId')}
    AND queue.position > 0
)`

const insertBatch = preparedWrite((tx) =>
  tx
    .insert(webhookBatches)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      webhookId: sql.placeholder('webhookId'),
      state: 'collecting',
      position: lastPosition,
      dueAt: sql.placeholder('closesAt'),
      closesAt: sql.placeholder('closesAt'),
      eventCount: sql.placeholder('count'),
      eventNumbers: sql.placeholder('numbers'),
      attempts: 0,
      createdAt: sql.placeholder('createdAt'),
    })
    .prepare(),
)

/** A batch that collects until `closesAt`, behind all others of its subscription. Returns its id. */
export async function openBatch(tx: Tx, owner: Owner, numbers: number[], closesAt: string, now: number) {
  const id = newId(now)
  const columns = { id, closesAt, count: numbers.length, numbers: numbers.join(), createdAt: formatTime(now) }
  await insertBatch(tx).execute({ ...owner, ...columns })
  return id
}

const insertClosed = preparedWrite((tx) =>
  tx
    .insert(webhookBatches)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      webhookId: sql.placeholder('webhookId'),
      state: 'pending',
      position: lastPosition,
      closedAt: sql.placeholder('at'),
      listNumber: sql.placeholder('listNumber'),
      eventCount: sql.placeholder('count'),
      attempts: 0,
      createdAt: sql.placeholder('at'),
    })
    .prepare(),
)

/** A batch that is complete from the beginning, behind all others of its subscription; none of events that are gone. */
export async function addClosed(tx: Tx, owner: Owner, numbers: readonly number[], now: number): Promise<void> {
  const listNumber = await listOf(tx, owner.tenantId, numbers.join())
  if (listNumber === null) return
  await insertClosed(tx).execute({ ...owner, id: newId(now), at: formatTime(now), listNumber, count: numbers.length })
}

const append = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({
      eventNumbers: sql`${webhookBatches.eventNumbers} || ',' || ${sql.placeholder('numbers')}`,
      eventCount: sql`${webhookBatches.eventCount} + ${sql.placeholder('count')}`,
    })
    .where(ofBatch)
    .prepare(),
)

/** Adds events to a batch that collects. */
export async function appendEvents(tx: Tx, tenantId: string, id: string, numbers: number[]): Promise<void> {
  await append(tx).execute({ tenantId, id, numbers: numbers.join(), count: numbers.length })
}

const close = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({
      state: 'pending',
      dueAt: null,
      closesAt: null,
      eventNumbers: null,
      closedAt: sql`${sql.placeholder('closedAt')}`,
      listNumber: sql`${sql.placeholder('list')}`,
    })
    .where(and(ofBatch, isNotNull(webhookBatches.closesAt)))
    .prepare(),
)

const collected = prepared((db) =>
  db
    .select({ webhookId: webhookBatches.webhookId, numbers: webhookBatches.eventNumbers })
    .from(webhookBatches)
    .where(ofBatch)
    .prepare(),
)

/** Numbers of the lists found or written so far in a transaction, by the events in them. */
export type Written = Map<string, number>

/**
 * Ends the collecting: the body is the same on every attempt from here on. Returns what it is made of; null, and there is no
 * batch any more, where all of its events were deleted meanwhile.
 */
export async function closeBatch(tx: Tx, tenantId: string, id: string, now: number, written: Written = new Map()) {
  const [batch] = await collected(tx).execute({ tenantId, id })
  if (!batch?.numbers) throw new Error(`batch ${id} does not collect`)
  const listNumber = written.get(batch.numbers) ?? (await listOf(tx, tenantId, batch.numbers))
  if (listNumber === null) {
    await tx.delete(webhookBatches).where(and(ofTenant(webhookBatches, tenantId), eq(webhookBatches.id, id)))
    return null
  }
  written.set(batch.numbers, listNumber)
  const closedAt = formatTime(now)
  await close(tx).execute({ tenantId, id, closedAt, list: listNumber })
  return { closedAt, listNumber }
}

/** How the body of a batch that has closed begins, the same to the byte each time. */
export function bodyHeadOf(batch: {
  id: string
  webhookId: string
  closedAt: string | null
  head: string | null
}): string {
  const { id, webhookId, closedAt, head } = batch
  if (closedAt === null) return head as string
  return bodyHead({ batchId: id, subscriberId: webhookId, timestamp: closedAt })
}

const eventsOf = prepared((db) =>
  db
    .select({
      eventId: events.eventId,
      event: events.event,
      timestamp: events.timestamp,
      payload: events.payload,
    })
    .from(events)
    // By their numbers, which are few: the log's index holds all of the tenant's.
    .where(
      and(
        isOneOf(db, events.number, sql.placeholder('numbers')),
        sql`${db.engine.withoutIndex(events.tenantId)} = ${sql.placeholder('tenantId')}`,
      ),
    )
    .orderBy(asc(events.number))
    .prepare(),
)

const insertList = preparedWrite((tx) =>
  tx
    .insert(webhookLists)
    .values({
      tenantId: sql.placeholder('tenantId'),
      eventsHash: sql.placeholder('eventsHash'),
      list: sql.placeholder('list'),
    })
    .returning({ number: webhookLists.number })
    .prepare(),
)

const listByEvents = prepared((db) =>
  db
    .select(named({ number: webhookLists.number }))
    .from(webhookLists)
    .where(and(ofTenant(webhookLists), eq(webhookLists.eventsHash, sql.placeholder('eventsHash'))))
    .prepare(),
)

/** The list with these events, which batches that closed in other transactions may have as well; null for no events. */
async function listOf(tx: Tx, tenantId: string, numbers: string): Promise<number | null> {
  const eventsHash = hashOf(numbers)
  const [known] = await listByEvents(tx).execute({ tenantId, eventsHash })
  if (known) return known.number
  const found = await eventsOf(tx).execute({ tenantId, numbers: `[${numbers}]` })
  if (found.length === 0) return null
  const [row] = await insertList(tx).execute({ tenantId, eventsHash, list: bodyList(found.map(eventJson)) })
  return (row as { number: number }).number
}
