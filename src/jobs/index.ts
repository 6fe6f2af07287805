import { askAnew } from '../db/index.ts'
import { byOneNode } from '../work/pace.ts'
import { Scheduler } from '../work/scheduler.ts'
import { jobsOf } from './list.ts'
import { createWorkers, type JobDeps } from './workers.ts'

export interface Jobs {
  /** Runs them from now on, as they become due. */
  start(): void
  /** Does everything that is due and resolves when that has happened, deliveries included. For tests. */
  runDue(): Promise<void>
  /** Starts nothing new; resolves when what is under way has ended, or was broken off after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/** The service's jobs, not yet running. */
export function createJobs(deps: JobDeps): Jobs {
  const workers = createWorkers(deps)
  const {
    deliveries,
    notifications,
    mailboxes,
    chatMailSender,
    vectors,
    imports,
    replySending,
    alertMailing,
    ruleMails,
    reportMailing,
    backups,
  } = workers
  const jobs = jobsOf(deps, workers).map((job) => byOneNode(deps.database, job))
  const scheduler = new Scheduler(deps, jobs, {
    async begin() {
      await deliveries.begin()
      await notifications.pullIn()
      await chatMailSender.pullIn()
      await alertMailing.pullIn()
      await ruleMails.pullIn()
      await replySending.begin()
      await vectors.begin()
      await imports.begin()
    },
    async clockWentBack(by) {
      await deliveries.clockWentBack(by)
      await notifications.pullIn()
      await chatMailSender.pullIn()
      await alertMailing.pullIn()
      await ruleMails.pullIn()
      await replySending.pullIn()
      await vectors.pullIn()
      await imports.pullIn()
    },
  })
  return {
    start: () => scheduler.start(),
    async runDue() {
      askAnew()
      while (await scheduler.look()) {
        while (await scheduler.look()) {}
        await Promise.all(
          [
            deliveries,
            notifications,
            chatMailSender,
            vectors,
            imports,
            replySending,
            alertMailing,
            ruleMails,
            reportMailing,
            backups,
          ].map((work) => work.idle()),
        )
      }
    },
    async stop(graceMs) {
      await scheduler.stop()
      await Promise.all(
        [
          deliveries,
          notifications,
          mailboxes,
          chatMailSender,
          vectors,
          imports,
          replySending,
          alertMailing,
          ruleMails,
          reportMailing,
          backups,
        ].map((work) => work.stop(graceMs)),
      )
    },
  }
}
