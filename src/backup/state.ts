import { type Database, type Reader, remembered } from '../db/index.ts'
import { installationValue, noteAnew } from '../db/installation-values.ts'
import { installation } from '../db/schema.ts'

/* What the database knows of backups, so that all nodes know it, whichever of them made one. Times are ms since 1970. */

/** A backup that was made by itself. */
export interface LastBackup {
  readonly name: string
  readonly at: number
  readonly size: number
  readonly place: string
}

export interface BackupState {
  /** The last good one; null where there is none. */
  readonly last: LastBackup | null
  /** Why the last attempt failed, if it did, and when. */
  readonly failure: { readonly at: number; readonly reason: string } | null
  /** When somebody asked for one, that was not begun since. */
  readonly wantedAt: number | null
  /** Until when a node says that it is making one. */
  readonly busyUntil: number | null
}

const NOTHING: BackupState = { last: null, failure: null, wantedAt: null, busyUntil: null }

const read = remembered([installation], (db) => installationValue(db, 'backup'), 1)

export async function backupState(db: Reader): Promise<BackupState> {
  return parse(await read(db, 'backup'))
}

function parse(text: string | null): BackupState {
  return text === null ? NOTHING : { ...NOTHING, ...JSON.parse(text) }
}

/** Changes what is known; `change` may leave it as it is by returning null. Returns whether it was changed. */
export async function changeState(
  database: Pick<Database, 'transaction'>,
  change: (state: BackupState) => Partial<BackupState> | null,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const state = parse(await installationValue(tx, 'backup'))
    const changed = change(state)
    if (changed === null) return false
    await noteAnew(tx, 'backup', JSON.stringify({ ...state, ...changed }))
    return true
  })
}
