import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { BackupConfig } from '../config.ts'
import type { Tx } from '../db/index.ts'
import { refusal, rule } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import { type BackupState, changeStateIn, isBusy } from './state.ts'

const MINUTE = 60_000
/** How soon after one another may be asked for by hand, whoever it is, and after one that failed; in milliseconds. */
const LIMIT = 10 * MINUTE
const LIMIT_AFTER_FAILURE = MINUTE

/**
 * Asks for a backup by hand; whichever node comes first makes it. It holds all of the installation, so all tenants share
 * its limit. Throws `conflict` while there is no place for it, one is under way, or one was asked for lately.
 */
export async function askForBackup(tx: Tx, caller: Caller, backup: BackupConfig | null): Promise<void> {
  const { at } = caller
  if (!backup) throw refusal('conflict', rule('no_backup_place'))
  await changeStateIn(tx, (state) => {
    refuseWhileBusy(state, at)
    const wait = (state.askedAt ?? Number.NEGATIVE_INFINITY) + limitOf(state) - at
    if (wait > 0 && wait <= LIMIT) {
      throw refusal('conflict', rule('backup_lately', { count: Math.ceil(wait / MINUTE) }))
    }
    return { wantedAt: at, askedAt: at }
  })
  await audit(tx, caller, 'backup.started', formatTime(at))
}

/** Asks that those which nobody has checked are looked at. Throws as `askForBackup`, but for the limit: that finds each but once. */
export async function askForLook(tx: Tx, { at }: Caller, backup: BackupConfig | null): Promise<void> {
  if (!backup) throw refusal('conflict', rule('no_backup_place'))
  await changeStateIn(tx, (state) => {
    refuseWhileBusy(state, at)
    return { checkWantedAt: at }
  })
}

function refuseWhileBusy(state: BackupState, now: number): void {
  if (isBusy(state, now)) throw refusal('conflict', rule('backup_under_way'))
}

function limitOf({ failure, askedAt }: BackupState): number {
  return failure && askedAt !== null && failure.at >= askedAt ? LIMIT_AFTER_FAILURE : LIMIT
}
