import { recountDue } from '../calendars/recounts.ts'
import { closeDueForms, nextClosing } from '../forms/closing.ts'
import { breakPromises, nextBroken } from '../promises/breaking.ts'
import { nextUntold, tellOfPartials } from '../responses/partial.ts'
import { recountDueTimes } from '../tickets/recounting.ts'
import { nextSnoozeEnd, wakeSnoozedTickets } from '../tickets/status.ts'
import type { Job } from '../work/scheduler.ts'
import { backupJobs } from './backups.ts'
import { consequences } from './consequences.ts'
import { eventRetention, retentionJobs } from './retention.ts'
import { columnJob, interruptedReplyJobs, orphanJob, upkeepJobs, watchJob } from './upkeep.ts'
import type { JobDeps, Workers } from './workers.ts'

/**
 * Everything that happens by the clock, in the order in which it is looked at. Not here, because it needs no clock: a key
 * expires by being compared with the time when it is used, and replies that were interrupted are marked when the service
 * starts.
 */
export function jobsOf(deps: JobDeps, workers: Workers): Job[] {
  return [
    ...turningPoints(deps),
    ...starts(workers),
    ...consequences(deps, workers),
    ...upkeepJobs(deps, workers),
    ...backupJobs(deps, workers),
    ...retentionJobs(deps),
    orphanJob(deps),
    columnJob(deps),
    ...interruptedReplyJobs(deps),
    watchJob(deps),
    // After the batches above, which write out their events when they close.
    eventRetention(deps),
  ]
}

/** What becomes something else at a time that was set for it. */
function turningPoints({ database }: JobDeps): Job[] {
  const { db } = database
  return [
    {
      name: 'wake snoozed tickets',
      nextDue: (now) => nextSnoozeEnd(db, now),
      run: async (now) => (await database.transaction((tx) => wakeSnoozedTickets(tx, now))) > 0,
    },
    {
      name: 'see which promises were not kept',
      nextDue: (now) => nextBroken(db, now),
      run: async (now) => (await database.transaction((tx) => breakPromises(tx, now))).length > 0,
    },
    {
      name: 'count due times anew',
      nextDue: (now) => recountDue(db, now),
      async run(now) {
        await database.transaction((tx) => recountDueTimes(tx, now))
        return true
      },
    },
    {
      name: 'tell of partial responses that were left alone',
      nextDue: (now) => nextUntold(db, now),
      run: (now) => database.transaction((tx) => tellOfPartials(tx, now)),
    },
    {
      name: 'close forms whose time has come',
      nextDue: (now) => nextClosing(db, now),
      run: (now) => database.transaction((tx) => closeDueForms(tx, now)),
    },
  ]
}

/** What workers have to begin with. */
function starts({
  notifications,
  mailboxes,
  replySending,
  chatMailSender,
  alertMailing,
  ruleMails,
  reportMailing,
  vectors,
  imports,
}: Workers): Job[] {
  return [
    {
      name: 'send mails about responses',
      nextDue: (now) => notifications.nextDue(now),
      run: (now) => notifications.start(now),
    },
    mailboxes,
    {
      name: 'send replies that nobody has taken back',
      nextDue: (now) => replySending.nextDue(now),
      run: (now) => replySending.start(now),
    },
    {
      name: 'mail answers to visitors who left',
      nextDue: (now) => chatMailSender.nextDue(now),
      run: (now) => chatMailSender.start(now),
    },
    {
      name: 'mail alerts',
      nextDue: (now) => alertMailing.nextDue(now),
      run: (now) => alertMailing.start(now),
    },
    {
      name: 'send mails of rules',
      nextDue: (now) => ruleMails.nextDue(now),
      run: (now) => ruleMails.start(now),
    },
    {
      name: 'mail reports in the morning',
      nextDue: (now) => reportMailing.nextDue(now),
      run: (now) => reportMailing.start(now),
    },
    {
      name: 'make vectors of articles',
      nextDue: (now) => vectors.nextDue(now),
      run: (now) => vectors.start(now),
    },
    {
      name: 'take in files of contacts',
      nextDue: (now) => imports.nextDue(now),
      run: (now) => imports.start(now),
    },
  ]
}
