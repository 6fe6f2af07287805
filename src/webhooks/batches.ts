import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { listOf, prepared, preparedWrite, type Reader, type Tx } from '../db/index.ts'
import { events, webhookBatches, webhookLists, webhooks } from '../db/sqlite/index.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { bodyHead, bodyList, eventJson } from './envelope.ts'

/* The queue of each subscription, as it stands in the scheduler table (api.md §3, decisions §9). */

/** Events in a batch at most. */
export const MAX_EVENTS = 500

/** Whose queue it is. */
export interface Owner {
  tenantId: string
  webhookId: string
}

const ofOwner = and(
  eq(webhookBatches.tenantId, sql.placeholder('tenantId')),
  eq(webhookBatches.webhookId, sql.placeholder('webhookId')),
)

const ofBatch = and(
  eq(webhookBatches.tenantId, sql.placeholder('tenantId')),
  eq(webhookBatches.id, sql.placeholder('id')),
)

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
    .where(
      and(inArray(events.number, listOf(sql.placeholder('numbers'))), eq(events.tenantId, sql.placeholder('tenantId'))),
    )
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

const isActive = sql`EXISTS (
  SELECT 1 FROM ${webhooks}
  WHERE ${webhooks.tenantId} = ${webhookBatches.tenantId} AND ${webhooks.id} = ${webhookBatches.webhookId}
    AND ${webhooks.active} AND ${webhooks.deletedAt} IS NULL
)`

const headOf = prepared((db) =>
  db
    .select({ id: webhookBatches.id, dueAt: webhookBatches.dueAt })
    .from(webhookBatches)
    .where(and(ofOwner, gt(webhookBatches.position, 0)))
    .orderBy(asc(webhookBatches.position))
    .limit(1)
    .prepare(),
)

const wake = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({ dueAt: sql`${sql.placeholder('now')}` })
    .where(and(ofBatch, isNull(webhookBatches.closesAt), isActive))
    .prepare(),
)

/**
 * Makes the oldest waiting batch of an active subscription due, unless it has a time already or still collects. Harmless
 * while that batch is being sent: `takeDue` knows, and the end of the attempt calls this again.
 */
export async function makeHeadDue(tx: Tx, { tenantId, webhookId }: Owner, now: number): Promise<void> {
  const [head] = await headOf(tx).execute({ tenantId, webhookId })
  if (head?.dueAt === null) await wake(tx).execute({ tenantId, id: head.id, now: formatTime(now) })
}

/** After a start nothing is being sent: makes the oldest waiting batch of every active subscription due. */
export async function makeAllHeadsDue(tx: Tx, now: number): Promise<void> {
  await tx
    .update(webhookBatches)
    .set({ dueAt: formatTime(now) })
    .where(
      and(
        sql`(${webhookBatches.tenantId}, ${webhookBatches.webhookId}, ${webhookBatches.position}) IN (
          SELECT queue.tenant_id, queue.webhook_id, min(queue.position) FROM webhook_batches AS queue
          WHERE queue.position > 0 GROUP BY queue.tenant_id, queue.webhook_id
        )`,
        // Follows from the above, and keeps the search to what waits: the history is far longer.
        gt(webhookBatches.position, 0),
        isNull(webhookBatches.dueAt),
        isNull(webhookBatches.closesAt),
        isActive,
      ),
    )
}

/** Nothing of the subscription is due until it is active again. What was being collected is complete with that. */
export async function pause(tx: Tx, owner: Owner, now: number): Promise<void> {
  const open = await tx
    .select({ id: webhookBatches.id })
    .from(webhookBatches)
    .where(and(ownedBy(owner), isNotNull(webhookBatches.closesAt)))
  for (const { id } of open) await closeBatch(tx, owner.tenantId, id, now)
  await tx
    .update(webhookBatches)
    .set({ dueAt: null })
    .where(and(ownedBy(owner), gt(webhookBatches.position, 0), isNotNull(webhookBatches.dueAt)))
}

/** Gives up everything that waits, when its subscription is deleted. */
export async function drop(tx: Tx, owner: Owner, now: number): Promise<void> {
  await tx
    .update(webhookBatches)
    .set({
      state: 'failed',
      position: null,
      dueAt: null,
      closesAt: null,
      eventNumbers: null,
      finishedAt: formatTime(now),
    })
    .where(and(ownedBy(owner), gt(webhookBatches.position, 0)))
}

function ownedBy({ tenantId, webhookId }: Owner) {
  return and(eq(webhookBatches.tenantId, tenantId), eq(webhookBatches.webhookId, webhookId))
}

const earliestDue = prepared((db) =>
  db
    .select({ dueAt: webhookBatches.dueAt })
    .from(webhookBatches)
    .where(isNotNull(webhookBatches.dueAt))
    .orderBy(asc(webhookBatches.dueAt))
    .limit(1)
    .prepare(),
)

/** When the scheduler has to look at a batch next, in milliseconds since 1970, or null when none waits for a time. */
export async function nextBatchDue(db: Reader): Promise<number | null> {
  const [first] = await earliestDue(db).execute()
  return first?.dueAt ? Date.parse(first.dueAt) : null
}

/** A batch to be sent now. Nobody else gets it before `makeHeadDue`. */
export interface Claim extends Owner {
  batchId: string
  /** Made so far, of the present set. */
  attempts: number
  /** The body: its beginning, and which list of events it ends with. */
  head: string
  listNumber: number
}

/** Batches taken in one transaction: bounds how long other writers wait. */
const TAKE_LIMIT = 500

const take = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({ dueAt: null })
    .where(
      sql`(${webhookBatches.tenantId}, ${webhookBatches.id}) IN (
        SELECT due.tenant_id, due.id FROM webhook_batches AS due
        WHERE due.due_at <= ${sql.placeholder('now')} ORDER BY due.due_at LIMIT ${sql.raw(String(TAKE_LIMIT))}
      )`,
    )
    .returning({
      tenantId: webhookBatches.tenantId,
      webhookId: webhookBatches.webhookId,
      batchId: webhookBatches.id,
      attempts: webhookBatches.attempts,
      closesAt: webhookBatches.closesAt,
      head: webhookBatches.bodyHead,
      listNumber: webhookBatches.listNumber,
      // Written out: in RETURNING a column has no table's name before it, and would be the inner table's.
      isFirst: sql<number>`NOT EXISTS (
        SELECT 1 FROM webhook_batches AS older
        WHERE older.tenant_id = webhook_batches.tenant_id AND older.webhook_id = webhook_batches.webhook_id
          AND older.position > 0 AND older.position < webhook_batches.position
      )`,
    })
    .prepare(),
)

/**
 * Takes up to 500 batches that are due: closes those that collected, and returns those to be sent now. One of a
 * subscription that is `busy`, or that has an older one waiting, gets its turn later.
 */
export async function takeDue(tx: Tx, now: number, busy: ReadonlySet<string>): Promise<Claim[]> {
  const written: Written = new Map()
  const claims: Claim[] = []
  for (const { closesAt, isFirst, ...batch } of await take(tx).execute({ now: formatTime(now) })) {
    const closed = closesAt === null ? null : await closeBatch(tx, batch.tenantId, batch.batchId, now, written)
    if (isFirst && !busy.has(batch.webhookId)) claims.push({ ...batch, ...closed } as Claim)
  }
  return claims
}

/**
 * Pulls in what lies further ahead than any wait can be, because the clock was set back. Retries wait for at most
 * `retryMs`, batches that collect for at most `windowMs`.
 */
export async function pullIn(tx: Tx, now: number, { retryMs, windowMs }: { retryMs: number; windowMs: number }) {
  const [retry, close] = [formatTime(now + retryMs), formatTime(now + windowMs)]
  await tx
    .update(webhookBatches)
    .set({ dueAt: retry })
    .where(and(gt(webhookBatches.dueAt, retry), isNull(webhookBatches.closesAt)))
  await tx
    .update(webhookBatches)
    .set({ dueAt: close, closesAt: close })
    .where(and(gt(webhookBatches.dueAt, close), isNotNull(webhookBatches.closesAt)))
}
