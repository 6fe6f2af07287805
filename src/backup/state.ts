import { type Database, type Reader, remembered, type Tx } from '../db/index.ts'
import { installationValue, noteAnew } from '../db/installation-values.ts'
import { installation } from '../db/schema.ts'

/* What the database knows of backups, so that all nodes know it, whichever of them made one. Times are ms since 1970. */

/** A backup that was made by itself. */
export interface LastBackup {
  readonly name: string
  readonly at: number
  readonly size: number
  readonly place: string
  /** How long it took, in milliseconds; earlier versions did not note it. */
  readonly took?: number
}

/** What a look found of a backup that is not good: damaged, or (null) that nobody can judge it. */
export interface Doubtful {
  readonly name: string
  readonly size: number
  readonly writtenAt: number
  readonly verdict: 'damaged' | null
}

export interface BackupState {
  /** The last good one; null where there is none. */
  readonly last: LastBackup | null
  /** Why the last attempt failed, if it did, and when. */
  readonly failure: { readonly at: number; readonly reason: string } | null
  /** When somebody asked for one, that was not begun since. */
  readonly wantedAt: number | null
  /** When somebody asked for one last. */
  readonly askedAt: number | null
  /** When a look at those that nobody has checked was asked for, that was not begun since. */
  readonly checkWantedAt: number | null
  /** Until when a node says that it is at work, on what, and since when. */
  readonly busyUntil: number | null
  readonly busyWith: Work
  readonly begunAt: number | null
  /** Those that lie there and were found not to be good, as they were then. */
  readonly doubtful: readonly Doubtful[]
}

/** What a node does about backups: makes one, or looks at those that nobody has checked. */
export type Work = 'making' | 'checking'

const NOTHING: BackupState = {
  last: null,
  failure: null,
  wantedAt: null,
  askedAt: null,
  checkWantedAt: null,
  busyUntil: null,
  busyWith: 'making',
  begunAt: null,
  doubtful: [],
}

/** For how long a node that is at work is taken to live without a word of it, in milliseconds. */
export const LEASE = 120_000

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
  return database.transaction((tx) => changeStateIn(tx, change))
}

/** As `changeState`, in a transaction that does more. */
export async function changeStateIn(
  tx: Tx,
  change: (state: BackupState) => Partial<BackupState> | null,
): Promise<boolean> {
  const state = parse(await installationValue(tx, 'backup'))
  const changed = change(state)
  if (changed === null) return false
  await noteAnew(tx, 'backup', JSON.stringify({ ...state, ...changed }))
  return true
}

/** What a node is at; null where none is. A lease that lies further ahead than it can is of a clock that was wrong. */
export function workUnderWay({ busyUntil, busyWith }: BackupState, now: number): Work | null {
  return busyUntil !== null && busyUntil > now && busyUntil <= now + LEASE ? busyWith : null
}

/** What a look found of a backup, if it is not good and nobody has written it since. */
export function doubtOf(
  { name, size, writtenAt }: Omit<Doubtful, 'verdict'>,
  doubtful: readonly Doubtful[],
): Doubtful | undefined {
  return doubtful.find((one) => one.name === name && one.size === size && one.writtenAt === writtenAt)
}

/** Whether something is under way, or asked for. */
export function isBusy(state: BackupState, now: number): boolean {
  return state.wantedAt !== null || state.checkWantedAt !== null || workUnderWay(state, now) !== null
}
