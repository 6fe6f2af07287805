import { expireUpgradeBackups } from '../backup/before-migration.ts'
import { periodically, periodicallyByOneNode } from '../work/pace.ts'
import type { Job } from '../work/scheduler.ts'
import type { JobDeps, Workers } from './workers.ts'

/** How often it is looked whether the last backup is still there, in milliseconds. */
const LOOK_EVERY = 60 * 60 * 1000
const EXPIRY_EVERY = 24 * 60 * 60 * 1000

/** Backups that are made by themselves, and those of upgrades. */
export function backupJobs({ clock, config }: JobDeps, { backups }: Workers): Job[] {
  const expiry = periodically(clock, EXPIRY_EVERY, 'remove backups made before upgrades long ago', () =>
    expireUpgradeBackups(config, clock.now()),
  )
  if (!config.backup) return [expiry]
  return [
    expiry,
    {
      name: 'make a backup',
      nextDue: (now) => backups.nextDue(now),
      run: (now) => backups.start(now),
    },
    periodicallyByOneNode(clock, LOOK_EVERY, 'look whether the last backup is still there', () => backups.look()),
  ]
}
