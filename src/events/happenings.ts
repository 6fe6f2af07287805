import { and, asc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import {
  askedOnceWritten,
  isOneOf,
  named,
  ofTenant,
  prepared,
  preparedWrite,
  remembered,
  send,
  type Tx,
} from '../db/index.ts'
import { happeningQueue, rules } from '../db/schema.ts'
import { type Happening, MAX_DEPTH, type Trigger } from '../kinds/rules.ts'
import { formatTime } from '../lib/time.ts'

/* What sets off rules, beside the six events that webhooks are told of (decisions §17). */

const triggersOfTenant = prepared((db) =>
  db
    .select(named({ trigger: rules.trigger }))
    .from(rules)
    .where(and(ofTenant(rules), eq(rules.enabled, true)))
    .prepare(),
)

/** What the tenant's rules are set off by: known without a query until one is changed. */
const heardBy = remembered([rules], async (db, tenantId: string): Promise<ReadonlySet<Happening>> => {
  const rows = await triggersOfTenant(db).execute({ tenantId })
  const heard = new Set<Happening>(rows.map(({ trigger }) => trigger))
  if (heard.has('ticket.waiting')) heard.add('ticket.waits')
  return heard
})

const insert = preparedWrite((tx) =>
  tx
    .insert(happeningQueue)
    .values({
      tenantId: sql.placeholder('tenantId'),
      happening: sql.placeholder('happening'),
      recordId: sql.placeholder('recordId'),
      messageId: sql.placeholder('messageId'),
      at: sql.placeholder('at'),
      depth: sql.placeholder('depth'),
      ruleId: sql.placeholder('ruleId'),
    })
    .prepare(),
)

/**
 * Asks already now what `happen` will have to know. Where the engine is a server, what is asked together takes one way there
 * and back, and what is written after it can go with the commit.
 */
export async function foreseeHappenings(tx: Tx, { tenantId }: Caller): Promise<void> {
  await heardBy(tx, tenantId)
}

/**
 * Notes what happened to a record, in the transaction of the change, for the rules of the tenant. Nothing is written where no
 * rule asks for it, nor of what the last of three rules changed.
 */
export async function happen(
  tx: Tx,
  { tenantId, at, depth = 0 }: Caller,
  happening: Happening,
  recordId: string,
  messageId: string | null = null,
): Promise<void> {
  if (depth >= MAX_DEPTH || !(await heardBy(tx, tenantId)).has(happening)) return
  await send(tx, insert, { tenantId, happening, recordId, messageId, at: formatTime(at), depth, ruleId: null })
}

/** Notes that the time of a rule has come, of what goes by the clock: for this rule alone. */
export async function happenFor(
  tx: Tx,
  tenantId: string,
  ruleId: string,
  happening: Trigger,
  recordId: string,
  at: number,
): Promise<void> {
  const happened = { tenantId, happening, recordId, messageId: null, at: formatTime(at), depth: 0, ruleId }
  await send(tx, insert, happened)
}

/** Rows of one statement. */
const CHUNK = 500

/** Notes the same of many records, for this rule alone. */
export async function happenForEach(
  tx: Tx,
  tenantId: string,
  ruleId: string,
  happening: Happening,
  recordIds: readonly string[],
  at: number,
): Promise<void> {
  const same = { tenantId, happening, at: formatTime(at), depth: 0, ruleId }
  for (let from = 0; from < recordIds.length; from += CHUNK) {
    const rows = recordIds.slice(from, from + CHUNK).map((recordId) => ({ ...same, recordId }))
    await tx.insert(happeningQueue).values(rows)
  }
}

const anyQueued = prepared((db) =>
  db
    .select(named({ number: happeningQueue.number }))
    .from(happeningQueue)
    .limit(1)
    .prepare(),
)

/** Now, where something has happened that rules have not been asked about; else null. For the scheduler. */
export const nextHappening = askedOnceWritten([happeningQueue], async (db, now) =>
  (await anyQueued(db).execute()).length > 0 ? now : null,
)

const firstQueued = prepared((db) =>
  db.select().from(happeningQueue).orderBy(asc(happeningQueue.number)).limit(sql.placeholder('most')).prepare(),
)

/** What has happened, of one tenant's. */
export type Happened = typeof happeningQueue.$inferSelect

/** What has happened first, `most` at most. Whoever has worked on it calls `forgetHappenings`, in the same transaction. */
export async function firstHappenings(tx: Tx, most: number): Promise<Happened[]> {
  return firstQueued(tx).execute({ most })
}

const dequeue = preparedWrite((tx) =>
  tx
    .delete(happeningQueue)
    .where(isOneOf(tx, happeningQueue.number, sql.placeholder('numbers')))
    .prepare(),
)

/** Takes out what was worked on. */
export async function forgetHappenings(tx: Tx, numbers: readonly number[]): Promise<void> {
  await send(tx, dequeue, { numbers: JSON.stringify(numbers) })
}

/** Notes that working on it failed once more. */
export async function noteAttempt(tx: Tx, number: number): Promise<void> {
  await tx
    .update(happeningQueue)
    .set({ attempts: sql`${happeningQueue.attempts} + 1` })
    .where(eq(happeningQueue.number, number))
}
