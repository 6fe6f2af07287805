import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, preparedWrite, type Tx } from '../db/index.ts'
import { events, webhookBatches, webhookLists } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { bodyHead, bodyList, eventJson } from './envelope.ts'

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
      bodyHead: sql`${sql.placeholder('head')}`,
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

/** Numbers of the lists written so far in a transaction, by the events in them. */
export type Written = Map<string, number>

/** Ends the collecting and writes the body, which is the same on every attempt from here on. Returns its parts. */
export async function closeBatch(tx: Tx, tenantId: string, id: string, now: number, written: Written = new Map()) {
  const [batch] = await collected(tx).execute({ tenantId, id })
  if (!batch?.numbers) throw new Error(`batch ${id} does not collect`)
  const listNumber = written.get(batch.numbers) ?? (await writeList(tx, tenantId, batch.numbers))
  written.set(batch.numbers, listNumber)
  const head = bodyHead({ batchId: id, subscriberId: batch.webhookId, timestamp: formatTime(now) })
  await close(tx).execute({ tenantId, id, head, list: listNumber })
  return { head, listNumber }
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
    .where(and(isOneOf(db, events.number, sql.placeholder('numbers')), ofTenant(events)))
    .orderBy(asc(events.number))
    .prepare(),
)

const insertList = preparedWrite((tx) =>
  tx
    .insert(webhookLists)
    .values({ tenantId: sql.placeholder('tenantId'), list: sql.placeholder('list') })
    .returning({ number: webhookLists.number })
    .prepare(),
)

async function writeList(tx: Tx, tenantId: string, numbers: string): Promise<number> {
  const found = await eventsOf(tx).execute({ tenantId, numbers: `[${numbers}]` })
  const [row] = await insertList(tx).execute({ tenantId, list: bodyList(found.map(eventJson)) })
  return (row as { number: number }).number
}
