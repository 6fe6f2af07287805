import { hasUnlinkedEntries, linkEntries } from '../audit/chain.ts'
import { chainKeyOf } from '../audit/key.ts'
import { nextBatchDue } from '../webhooks/batches/batches.ts'
import { fanOutStep, hasNewEvents } from '../webhooks/batches/fan-out.ts'
import { throttled } from '../work/pace.ts'
import type { Job } from '../work/scheduler.ts'
import type { JobDeps, Workers } from './workers.ts'

/** What follows from every write: its events go out, and its entries are linked. */
export function consequences({ database, config, clock, secrets }: JobDeps, { deliveries }: Workers): Job[] {
  const { db } = database
  const { windowMs } = config.webhook
  const chainKey = chainKeyOf(secrets)
  return [
    throttled(clock, {
      name: 'give new events to webhooks',
      nextDue: async (now) => ((await hasNewEvents(db)) ? now : null),
      async run(now) {
        for (;;) {
          const left = await database.transaction((tx) => fanOutStep(tx, now, windowMs))
          if (left !== 'rest') return left === 'more'
        }
      },
    }),
    {
      name: 'close and send webhook batches',
      nextDue: () => nextBatchDue(db),
      run: () => deliveries.start(),
    },
    throttled(clock, {
      name: 'link entries of the audit log',
      nextDue: async (now) => ((await hasUnlinkedEntries(db)) ? now : null),
      run: () => database.transaction((tx) => linkEntries(tx, chainKey)),
    }),
  ]
}
