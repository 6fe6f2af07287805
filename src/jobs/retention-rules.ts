import { retentionRules } from '../kinds/retention.ts'
import { apply } from '../retention/applying.ts'
import { nextRun, waitingRuns } from '../retention/runs.ts'
import { listTenantIds } from '../tenants/operations.ts'
import { throttled } from '../work/pace.ts'
import type { Job } from '../work/scheduler.ts'
import type { JobDeps } from './workers.ts'

/** How often every rule of every tenant is looked at, and how long it rests after it has failed, in milliseconds. */
const EVERY = 60 * 60 * 1000
const REST = 10 * 60 * 1000
/** How long a turn takes before other jobs have theirs, in milliseconds. */
const TURN = 20
const TENANTS = 100

/**
 * Deletes what tenants no longer keep (decisions §22): of all of them at the start and every hour, and what somebody has just
 * set at once. Each run of the job is a turn of some milliseconds.
 */
export function retentionJob(deps: JobDeps): Job {
  const { database, clock, log } = deps
  let round: AsyncGenerator<void> | null = null
  let [nextHourly, restsUntil] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

  /** One rule that fails keeps no other from being carried out. */
  async function* attempt(tenantId: string, rule: (typeof retentionRules)[number]) {
    try {
      yield* apply(deps, { tenantId, rule })
    } catch (error) {
      restsUntil = clock.monotonic() + REST
      log.error('what is no longer to be kept could not be deleted', { tenantId, rule, error })
    }
  }

  async function* setJustNow() {
    for (const { tenantId, rule } of await waitingRuns(database.db)) yield* attempt(tenantId, rule)
  }

  async function* everything() {
    yield* setJustNow()
    for (let after = ''; ; ) {
      const ids = await listTenantIds(database.db, after, TENANTS)
      for (const id of ids) for (const rule of retentionRules) yield* attempt(id, rule)
      if (ids.length < TENANTS) return
      after = ids.at(-1) as string
    }
  }

  const job: Job = {
    name: 'delete what is no longer to be kept',
    async nextDue(now) {
      const at = clock.monotonic()
      if (round) return now
      const wanted = restsUntil > at ? null : await nextRun(database.db, now)
      return wanted ?? now + Math.max(0, nextHourly - at)
    },
    async run() {
      const begun = clock.monotonic()
      if (!round) {
        const isHourly = begun >= nextHourly
        if (isHourly) nextHourly = begun + EVERY
        round = isHourly ? everything() : setJustNow()
      }
      do {
        const { done } = await round.next()
        if (!done) continue
        round = null
        return false
      } while (clock.monotonic() - begun < TURN)
      return true
    },
  }
  return throttled(clock, job)
}
