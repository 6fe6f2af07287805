import { and, eq } from 'drizzle-orm'
import { ruleCaller } from '../../caller.ts'
import { evaluate } from '../../conditions/evaluate.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { ruleReplies } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { firstHappenings, forgetHappenings, type Happened, noteAttempt } from '../../events/happenings.ts'
import { MAX_DEPTH, type Trigger, triggers } from '../../kinds/rules.ts'
import type { RuleOutcome } from '../../ports/meter.ts'
import { type Done, perform } from '../actions/perform.ts'
import type { Rule } from '../model.ts'
import { enabledRules } from '../read.ts'
import type { About } from './about.ts'
import { askedBy, factsOf } from './facts.ts'
import { failuresOf, noteHealth } from './health.ts'
import { impossibleRules } from './impossible.ts'
import {
  type Asked,
  type Failed,
  hasRunSince,
  keepMisses,
  keepRun,
  pruneMisses,
  pruneRuns,
  REPEATED,
  RUNS_KEPT,
} from './runs.ts'
import { planWaits } from './waits.ts'

/** Events of one transaction at most, and for how long more of them are begun, in milliseconds: other writers wait no longer. */
const STEP = 200
const BUDGET = 10
/** How often an event is worked on that something goes wrong with which should not. */
const MOST_ATTEMPTS = 3
/** Within which a rule does not set itself off about one record, in milliseconds (decisions §17). */
const ITSELF_AGAIN = 60_000

type WorkDeps = Pick<Deps, 'database' | 'channels' | 'log' | 'secrets' | 'config' | 'meter'>

/** What one transaction knows of a tenant. */
interface Company {
  rules: ReadonlyMap<Trigger, readonly Rule[]>
  impossible: ReadonlyMap<string, string>
  failures: Map<string, number>
  /** What has more runs to be kept now. */
  ran: Set<string>
  missed: Set<Trigger>
}

/** What one transaction works with. */
interface Work {
  tx: Tx
  deps: WorkDeps
  now: number
  companies: Map<string, Company>
  /** How many of the events that are still to come are of one kind: what is going to be forgotten is not written. */
  left: Map<string, number>
  /** What became of the rules that were asked, in order. */
  outcomes: RuleOutcome[]
}

/**
 * Asks rules about what has happened first, and does what they say: all in one transaction with taking it out of the queue, so
 * that each rule sees each event once, whatever is killed. Says whether more may be left, and how long ago the last of it
 * happened, in milliseconds.
 */
export async function workOnHappenings(deps: WorkDeps, now: number): Promise<{ isMore: boolean; behind: number }> {
  let current: Happened | null = null
  try {
    const { outcomes, ...told } = await deps.database.transaction(async (tx) => {
      const all = await firstHappenings(tx, STEP)
      const work: Work = { tx, deps, now, companies: new Map(), left: countedBy(all, kindOf), outcomes: [] }
      const began = performance.now()
      const done: number[] = []
      for (const happened of all) {
        current = happened
        if (happened.attempts < MOST_ATTEMPTS) await workOn(work, happened)
        done.push(happened.number)
        if (performance.now() - began > BUDGET) break
      }
      await forgetHappenings(tx, done)
      for (const [tenantId, { ran, missed }] of work.companies) {
        for (const ruleId of ran) await pruneRuns(tx, tenantId, ruleId)
        for (const trigger of missed) await pruneMisses(tx, tenantId, trigger)
      }
      const next = all[done.length]
      const isMore = next !== undefined || all.length === STEP
      return { isMore, behind: next ? now - Date.parse(next.at) : 0, outcomes: work.outcomes }
    })
    // After the commit: what was taken back did not run.
    if (deps.meter) for (const outcome of outcomes) deps.meter.ruleRan(outcome)
    return told
  } catch (error) {
    await noteFailure(deps, current, error)
    throw error
  }
}

/** An event with which something goes wrong that should not is tried again, and then left: others are not to wait for ever. */
async function noteFailure({ database, log }: WorkDeps, current: Happened | null, error: unknown): Promise<void> {
  if (current === null) return
  const { number, happening, recordId } = current
  log.error('rules could not be asked about an event', { number, happening, recordId, error })
  await database.transaction((tx) => noteAttempt(tx, number))
}

const kindOf = ({ tenantId, happening }: Happened) => `${tenantId} ${happening}`

function countedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

async function companyOf({ tx, companies }: Work, tenantId: string): Promise<Company> {
  const known = companies.get(tenantId)
  if (known) return known
  const company: Company = {
    rules: await enabledRules(tx, tenantId),
    impossible: await impossibleRules(tx, tenantId),
    failures: await failuresOf(tx, tenantId),
    ran: new Set(),
    missed: new Set(),
  }
  companies.set(tenantId, company)
  return company
}

async function workOn(work: Work, happened: Happened): Promise<void> {
  const { tx } = work
  const { tenantId, recordId, messageId, happening, ruleId, number, at } = happened
  work.left.set(kindOf(happened), (work.left.get(kindOf(happened)) ?? 1) - 1)
  if (happening === 'ticket.waits') return planWaits(tx, happened)
  const company = await companyOf(work, tenantId)
  const all = company.rules.get(happening) ?? []
  const asked = ruleId === null ? all : all.filter(({ id }) => id === ruleId)
  const depth = await depthOf(tx, happened)
  if (asked.length === 0 || depth >= MAX_DEPTH) return
  const about: About = { subject: triggers[happening], id: recordId, messageId }
  const facts = await factsOf(tx, tenantId, about, Date.parse(at), askedBy(all))
  if (facts === null) return
  const event: Asked = { tenantId, number, trigger: happening, recordId, at }
  const failed: Failed = {}
  for (const rule of asked) {
    const impossible = company.impossible.get(rule.id)
    const outcome = impossible === undefined ? evaluate(rule.conditions, facts) : null
    const place =
      outcome === null ? null : outcome.holds ? await placeRepeated(work, rule, happened, depth) : outcome.failed
    if (place !== null) {
      work.outcomes.push('not_matched')
      const numbers = failed[place]
      if (numbers) numbers.push(rule.number)
      else failed[place] = [rule.number]
      continue
    }
    const { done, error, stops } =
      impossible === undefined
        ? await act(work, rule, about, tenantId, depth)
        : {
            done: rule.actions.map((action) => ({ do: action.do, ok: false, error: impossible })),
            error: impossible,
            stops: false,
          }
    work.outcomes.push(error === null ? 'done' : 'failed')
    await keepRun(tx, event, rule.id, done)
    company.ran.add(rule.id)
    const isOn = await noteHealth(tx, tenantId, rule, error, company.failures, work.now)
    if (!isOn) company.rules = await enabledRules(tx, tenantId)
    if (stops) break
  }
  const isKept = (work.left.get(kindOf(happened)) ?? 0) < RUNS_KEPT
  if (Object.keys(failed).length === 0 || !isKept) return
  await keepMisses(tx, event, failed)
  company.missed.add(happening)
}

/** That a rule has set itself off about the record a moment ago; else null. */
async function placeRepeated(
  { tx }: Work,
  rule: Rule,
  { tenantId, recordId, at }: Happened,
  depth: number,
): Promise<string | null> {
  if (depth === 0) return null
  return (await hasRunSince(tx, tenantId, rule.id, recordId, Date.parse(at) - ITSELF_AGAIN)) ? REPEATED : null
}

async function act(
  { tx, deps, now }: Work,
  rule: Rule,
  about: About,
  tenantId: string,
  depth: number,
): Promise<{ done: Done[]; error: string | null; stops: boolean }> {
  const caller = ruleCaller(tenantId, rule.name, depth + 1, now)
  const { done, failed, stops } = await perform({ tx, deps, caller, rule, about })
  return { done, error: failed, stops }
}

/** How many rules led to it. What a rule has answered is told of once it is sent, by whoever sends it. */
async function depthOf(tx: Tx, { tenantId, happening, messageId, depth }: Happened): Promise<number> {
  if (happening !== 'message.sent' || messageId === null) return depth
  const [reply] = await tx
    .select({ depth: ruleReplies.depth })
    .from(ruleReplies)
    .where(and(ofTenant(ruleReplies, tenantId), eq(ruleReplies.messageId, messageId)))
  return Math.max(depth, reply?.depth ?? 0)
}
