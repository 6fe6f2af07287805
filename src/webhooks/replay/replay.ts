import { and, asc, eq, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { askedOnceWritten, type Database, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { webhookBatches, webhookReplays } from '../../db/schema.ts'
import { invalid, refusal, rule } from '../../errors.ts'
import { countLog, endOfLog, readLog } from '../../events/log.ts'
import { type Place, placeBefore } from '../../events/places.ts'
import { formatTime } from '../../lib/time.ts'
import { makeHeadDue } from '../batches/batches.ts'
import { addClosed, MAX_EVENTS } from '../batches/collecting.ts'
import { findWebhook } from '../operations.ts'

/*
 * What is in the log of events is sent to one subscription again (decisions §23): as batches behind what waits, a few at a time,
 * so that a long time neither fills the queue nor holds up anybody else.
 */

/** What is committed after a replay has begun is none of it: it is sent as all that is new. */
const given = 'committed'
/** Batches of a subscription that wait while more of a replay are made. */
const MOST_WAITING = 3

/** Of which time it is: `since` is inclusive, `until` exclusive and null for all until now. */
export interface ReplaySpan {
  readonly since: string
  readonly until: string | null
}

/** What a replay is going to send. */
export interface PlannedReplay extends ReplaySpan {
  readonly after: Place
  readonly last: Place
  readonly eventCount: number
}

/** Looks up what there is to send again, of the kinds that the subscription asks for. Throws `not_found` and `invalid_request`. */
export async function planReplay(
  db: Reader,
  tenantId: string,
  webhookId: string,
  { since, until }: ReplaySpan,
): Promise<PlannedReplay> {
  const { events: kinds } = await findWebhook(db, tenantId, webhookId)
  if (until !== null && until <= since) throw invalid('until', rule('after_since'))
  const last = await endOfLog(db, tenantId, given)
  const after = await placeBefore(db, since)
  const span = { since, until: until ?? undefined, given } as const
  return { since, until, after, last, eventCount: await countLog(db, tenantId, { ...span, after, upTo: last, kinds }) }
}

/** Begins a replay. Throws `not_found`, and `conflict` while another of the same subscription is under way. */
export async function startReplay(
  tx: Tx,
  caller: Caller,
  webhookId: string,
  { since, until, after, last, eventCount }: PlannedReplay,
): Promise<{ eventCount: number }> {
  const { tenantId } = caller
  const webhook = await findWebhook(tx, tenantId, webhookId)
  const begun = await tx
    .insert(webhookReplays)
    .values({
      tenantId,
      webhookId: webhook.id,
      since,
      until,
      afterTransaction: after.transaction,
      afterNumber: after.number,
      lastTransaction: last.transaction,
      lastNumber: last.number,
      createdAt: formatTime(caller.at),
    })
    .onConflictDoNothing()
    .returning({ id: webhookReplays.webhookId })
  if (begun.length === 0) throw refusal('conflict', rule('replay_under_way'))
  await audit(tx, caller, 'webhook.replayed', webhook.id)
  return { eventCount }
}

const waiting = sql`(
  SELECT count(*) FROM ${webhookBatches}
  WHERE ${webhookBatches.tenantId} = ${webhookReplays.tenantId} AND ${webhookBatches.webhookId} = ${webhookReplays.webhookId}
    AND ${webhookBatches.position} > 0
)`

const next = prepared((db) =>
  db
    .select(
      named({
        tenantId: webhookReplays.tenantId,
        webhookId: webhookReplays.webhookId,
        since: webhookReplays.since,
        until: webhookReplays.until,
        afterTransaction: webhookReplays.afterTransaction,
        afterNumber: webhookReplays.afterNumber,
        lastTransaction: webhookReplays.lastTransaction,
        lastNumber: webhookReplays.lastNumber,
      }),
    )
    .from(webhookReplays)
    .where(sql`${waiting} < ${sql.raw(String(MOST_WAITING))}`)
    .orderBy(asc(webhookReplays.tenantId), asc(webhookReplays.webhookId))
    .limit(1)
    .prepare(),
)

/** Now, where more of a replay can be put into a queue; else null. For the scheduler. */
export const nextReplay = askedOnceWritten([webhookReplays, webhookBatches], async (db, now) =>
  (await next(db).execute()).length > 0 ? now : null,
)

/** Puts the next events of a replay into the queue of its subscription, as one batch. Returns whether there may be more. */
export async function replaySome(database: Database, now: number): Promise<boolean> {
  const { db } = database
  const [replay] = await next(db).execute()
  if (!replay) return false
  const { tenantId, webhookId, since, until } = replay
  const { events: kinds } = await findWebhook(db, tenantId, webhookId)
  const after = { transaction: replay.afterTransaction, number: replay.afterNumber }
  const upTo = { transaction: replay.lastTransaction, number: replay.lastNumber }
  const span = { since, until: until ?? undefined, given } as const
  const { events, place, isMore } = await readLog(db, tenantId, { ...span, after, upTo, kinds, limit: MAX_EVENTS })
  await database.transaction(async (tx) => {
    if (!(await goOn(tx, { tenantId, webhookId, after, place, isMore })) || events.length === 0) return
    const numbers = events.map(({ number }) => number)
    await addClosed(tx, { tenantId, webhookId }, numbers, now)
    await makeHeadDue(tx, { tenantId, webhookId }, now)
  })
  return true
}

/** Notes how far a replay is. False where another node was quicker, or it has ended meanwhile. */
async function goOn(
  tx: Tx,
  of: { tenantId: string; webhookId: string; after: Place; place: Place; isMore: boolean },
): Promise<boolean> {
  const { tenantId, webhookId, after, place, isMore } = of
  const isIt = and(
    ofTenant(webhookReplays, tenantId),
    eq(webhookReplays.webhookId, webhookId),
    eq(webhookReplays.afterTransaction, after.transaction),
    eq(webhookReplays.afterNumber, after.number),
  )
  const moved = isMore
    ? await tx
        .update(webhookReplays)
        .set({ afterTransaction: place.transaction, afterNumber: place.number })
        .where(isIt)
        .returning({ id: webhookReplays.webhookId })
    : await tx.delete(webhookReplays).where(isIt).returning({ id: webhookReplays.webhookId })
  return moved.length > 0
}

/** Whether something is still to be sent again to a subscription. */
export async function isReplaying(db: Reader, tenantId: string, webhookId: string): Promise<boolean> {
  return (await replayOf(db).execute({ tenantId, webhookId })).length > 0
}

const replayOf = prepared((db) =>
  db
    .select(named({ since: webhookReplays.since }))
    .from(webhookReplays)
    .where(and(ofTenant(webhookReplays), eq(webhookReplays.webhookId, sql.placeholder('webhookId'))))
    .prepare(),
)
