import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, preparedWrite, type Reader, send, type Tx } from '../../db/index.ts'
import { ruleMisses, ruleRuns } from '../../db/schema.ts'
import type { Trigger } from '../../kinds/rules.ts'
import { formatTime } from '../../lib/time.ts'
import type { Done } from '../actions/perform.ts'
import type { Rule } from '../model.ts'
import { getRule } from '../read.ts'

/** Of a rule, and of what was none for any rule, so many are kept (decisions §17). */
export const RUNS_KEPT = 500

/** What stands in the place of a condition where a rule was not asked: it has set itself off a moment ago. */
export const REPEATED = 'repeated'

/** A run as people are shown it. */
export interface Run {
  readonly at: string
  readonly event: Trigger
  /** The id of the ticket, response or contact. */
  readonly record: string
  readonly matched: boolean
  /** Where the condition stands that failed first. */
  readonly failedCondition: string | null
  readonly actions: readonly Done[]
}

/** An event that rules were asked about. */
export interface Asked {
  readonly tenantId: string
  readonly number: number
  readonly trigger: Trigger
  readonly recordId: string
  readonly at: string
}

const insertRun = preparedWrite((tx) =>
  tx
    .insert(ruleRuns)
    .values({
      tenantId: sql.placeholder('tenantId'),
      ruleId: sql.placeholder('ruleId'),
      number: sql.placeholder('number'),
      trigger: sql.placeholder('trigger'),
      recordId: sql.placeholder('recordId'),
      actions: sql.placeholder('actions'),
      at: sql.placeholder('at'),
    })
    .prepare(),
)

/** Keeps what a rule did. A second run of one event is an error of ours, and ends the transaction. */
export async function keepRun(tx: Tx, event: Asked, ruleId: string, done: readonly Done[]): Promise<void> {
  await send(tx, insertRun, { ...event, ruleId, actions: JSON.stringify(done) })
}

const insertMiss = preparedWrite((tx) =>
  tx
    .insert(ruleMisses)
    .values({
      tenantId: sql.placeholder('tenantId'),
      trigger: sql.placeholder('trigger'),
      number: sql.placeholder('number'),
      recordId: sql.placeholder('recordId'),
      failed: sql.placeholder('failed'),
      at: sql.placeholder('at'),
    })
    .prepare(),
)

/** The numbers of rules that an event was none for, by the place of the condition that failed first. */
export type Failed = Record<string, number[]>

/** Keeps for which rules an event was none. */
export async function keepMisses(tx: Tx, event: Asked, failed: Failed): Promise<void> {
  await send(tx, insertMiss, { ...event, failed: JSON.stringify(failed) })
}

const oldestRunKept = prepared((db) =>
  db
    .select(named({ number: ruleRuns.number }))
    .from(ruleRuns)
    .where(and(ofTenant(ruleRuns), eq(ruleRuns.ruleId, sql.placeholder('ruleId'))))
    .orderBy(desc(ruleRuns.number))
    .limit(1)
    .offset(RUNS_KEPT - 1)
    .prepare(),
)

/** Forgets what a rule did before its newest 500 runs. */
export async function pruneRuns(tx: Tx, tenantId: string, ruleId: string): Promise<void> {
  const [oldest] = await oldestRunKept(tx).execute({ tenantId, ruleId })
  if (!oldest) return
  const before = and(ofTenant(ruleRuns, tenantId), eq(ruleRuns.ruleId, ruleId), lt(ruleRuns.number, oldest.number))
  await tx.delete(ruleRuns).where(before)
}

const oldestMissKept = prepared((db) =>
  db
    .select(named({ number: ruleMisses.number }))
    .from(ruleMisses)
    .where(and(ofTenant(ruleMisses), eq(ruleMisses.trigger, sql.placeholder('trigger'))))
    .orderBy(desc(ruleMisses.number))
    .limit(1)
    .offset(RUNS_KEPT - 1)
    .prepare(),
)

/** Forgets which events before the newest 500 were none for rules. */
export async function pruneMisses(tx: Tx, tenantId: string, trigger: Trigger): Promise<void> {
  const [oldest] = await oldestMissKept(tx).execute({ tenantId, trigger })
  if (!oldest) return
  const before = and(
    ofTenant(ruleMisses, tenantId),
    eq(ruleMisses.trigger, trigger),
    lt(ruleMisses.number, oldest.number),
  )
  await tx.delete(ruleMisses).where(before)
}

/** The newest 500 runs of a rule, the newest first. Throws `not_found`. */
export async function listRuns(db: Reader, tenantId: string, id: string): Promise<Run[]> {
  const rule = await getRule(db, tenantId, id)
  const runs = await db
    .select()
    .from(ruleRuns)
    .where(and(ofTenant(ruleRuns, tenantId), eq(ruleRuns.ruleId, rule.id)))
    .orderBy(desc(ruleRuns.number))
    .limit(RUNS_KEPT)
  const matched = runs.map(({ number, ...run }) => ({
    number,
    run: { ...shown(run), matched: true, failedCondition: null, actions: JSON.parse(run.actions) as Done[] },
  }))
  return [...matched, ...(await missesOf(db, tenantId, rule))]
    .sort((one, other) => other.number - one.number)
    .slice(0, RUNS_KEPT)
    .map(({ run }) => run)
}

async function missesOf(db: Reader, tenantId: string, rule: Rule): Promise<{ number: number; run: Run }[]> {
  const events = await db
    .select()
    .from(ruleMisses)
    .where(and(ofTenant(ruleMisses, tenantId), eq(ruleMisses.trigger, rule.on)))
    .orderBy(desc(ruleMisses.number))
    .limit(RUNS_KEPT)
  return events.flatMap(({ number, failed, ...event }) => {
    const place = Object.entries(JSON.parse(failed) as Failed).find(([, rules]) => rules.includes(rule.number))?.[0]
    if (place === undefined) return []
    const failedCondition = place === REPEATED ? REPEATED : `when.${place}`
    return [{ number, run: { ...shown(event), matched: false, failedCondition, actions: [] } }]
  })
}

const shown = ({ at, trigger: event, recordId: record }: { at: string; trigger: Trigger; recordId: string }) => ({
  at,
  event,
  record,
})

const latestRun = prepared((db) =>
  db
    .select(named({ at: ruleRuns.at }))
    .from(ruleRuns)
    .where(
      and(
        ofTenant(ruleRuns),
        eq(ruleRuns.recordId, sql.placeholder('recordId')),
        eq(ruleRuns.ruleId, sql.placeholder('ruleId')),
      ),
    )
    .orderBy(desc(ruleRuns.number))
    .limit(1)
    .prepare(),
)

/** Whether the rule has done something about the record since `since`, in milliseconds since 1970. */
export async function hasRunSince(tx: Tx, tenantId: string, ruleId: string, recordId: string, since: number) {
  const [latest] = await latestRun(tx).execute({ tenantId, ruleId, recordId })
  return latest !== undefined && latest.at > formatTime(since)
}
