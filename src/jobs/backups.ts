import { periodicallyByOneNode } from '../work/pace.ts'
import type { Job } from '../work/scheduler.ts'
import type { JobDeps, Workers } from './workers.ts'

/** How often it is looked whether the last backup is still there, in milliseconds. */
const LOOK_EVERY = 60 * 60 * 1000

/** Backups that are made by themselves. */
export function backupJobs({ clock, config }: JobDeps, { backups }: Workers): Job[] {
  if (!config.backup) return []
  return [
    {
      name: 'make a backup',
      nextDue: (now) => backups.nextDue(now),
      run: (now) => backups.start(now),
    },
    periodicallyByOneNode(clock, LOOK_EVERY, 'look whether the last backup is still there', () => backups.look()),
  ]
}
