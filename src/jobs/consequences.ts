import { linkEntries, nextLinking } from '../audit/chain.ts'
import { chainKeyOf } from '../audit/key.ts'
import { keepSomeFigures } from '../reports/keeping.ts'
import { nextDueSoon, tellDueSoon } from '../rules/running/dues.ts'
import { askingJob } from '../rules/running/job.ts'
import { endWaits, nextWaitEnd } from '../rules/running/waits.ts'
import { nextChanged } from '../tickets/changed.ts'
import { nextBatchDue } from '../webhooks/batches/batches.ts'
import { fanOutStep, nextFanOut } from '../webhooks/batches/fan-out.ts'
import { nextReplay, replaySome } from '../webhooks/replay/replay.ts'
import { throttled } from '../work/pace.ts'
import type { Job } from '../work/scheduler.ts'
import type { JobDeps, Workers } from './workers.ts'

/** What follows from every write: its events go out, and its entries are linked. */
export function consequences(deps: JobDeps, { deliveries }: Workers): Job[] {
  const { database, config, clock, secrets, live } = deps
  const { db } = database
  const { windowMs } = config.webhook
  const chainKey = chainKeyOf(secrets)
  return [
    {
      name: 'set off rules of customers who wait',
      nextDue: (now) => nextWaitEnd(db, now),
      run: (now) => database.transaction((tx) => endWaits(tx, now)),
    },
    {
      name: 'set off rules of tickets that are due soon',
      nextDue: (now) => nextDueSoon(db, now),
      run: (now) => database.transaction((tx) => tellDueSoon(tx, now)),
    },
    askingJob(deps),
    throttled(clock, {
      name: 'give new events to webhooks',
      nextDue: (now) => nextFanOut(db, now),
      async run(now) {
        for (;;) {
          const left = await database.transaction((tx) => fanOutStep(tx, now, windowMs))
          if (left !== 'rest') return left === 'more'
        }
      },
    }),
    {
      name: 'send events of the log again',
      nextDue: (now) => nextReplay(db, now),
      run: (now) => replaySome(database, now),
    },
    {
      name: 'close and send webhook batches',
      nextDue: (now) => nextBatchDue(db, now),
      run: () => deliveries.start(),
    },
    // Of entries that are linked together, many change the same pages of the log's indexes.
    throttled(
      clock,
      {
        name: 'link entries of the audit log',
        nextDue: (now) => nextLinking(db, now),
        async run() {
          while (await database.transaction((tx) => linkEntries(tx, chainKey))) {}
          return false
        },
      },
      { gathers: true },
    ),
    throttled(clock, {
      name: 'count tickets that have changed',
      nextDue: (now) => nextChanged(db, now),
      async run() {
        const changed = await keepSomeFigures(database)
        // Whoever looks at one sees what has become of it, whoever changed it: a colleague, a rule or a program.
        if (changed) live.change(changed)
        return changed !== null
      },
    }),
  ]
}
