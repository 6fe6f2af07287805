import type { Deps } from '../../deps.ts'
import { nextHappening } from '../../events/happenings.ts'
import { throttled } from '../../work/pace.ts'
import type { Job } from '../../work/scheduler.ts'
import { workOnHappenings } from './working.ts'

/** Events that have waited for so long are hurried with, in milliseconds: rules are asked within two seconds (decisions §17). */
const LATE = 700
/** How much longer than its work a pause is: whoever makes tickets is before whoever looks at them, until those are late. */
const PATIENT = 24
const HURRIED = 0.5

/** Asks rules about what has happened. */
export function askingJob(
  deps: Pick<Deps, 'database' | 'channels' | 'log' | 'secrets' | 'config' | 'clock' | 'meter'>,
): Job {
  let isLate = false
  return throttled(
    deps.clock,
    {
      name: 'ask rules about what has happened',
      nextDue: (now) => nextHappening(deps.database.db, now),
      async run(now) {
        const { isMore, behind } = await workOnHappenings(deps, now)
        isLate = behind > LATE
        return isMore
      },
    },
    { factor: () => (isLate ? HURRIED : PATIENT) },
  )
}
