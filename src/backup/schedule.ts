import type { Config } from '../config.ts'
import { askedOnceWritten, type Database } from '../db/index.ts'
import { installation } from '../db/schema.ts'
import { readMarkFile } from '../files/mark-file.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'
import { formatTime } from '../lib/time.ts'
import type { Meter } from '../ports/meter.ts'
import { BrokenOff, type StartBackup, type StartLook, startBackup, startLook, type UnderWay } from './child.ts'
import type { Kept } from './make.ts'
import { ownerOf } from './names.ts'
import { openShelf } from './shelves/shelf.ts'
import { ownAmong, type Shelf, type Shelved } from './shelves/shelved.ts'
import {
  type BackupState,
  backupState,
  changeState,
  type Doubtful,
  doubtOf,
  LEASE,
  type Work,
  workUnderWay,
} from './state.ts'

/** How often a node that is at work says so, in milliseconds. */
const RENEWED_EVERY = 30_000
/** After a failure it is tried again after an eighth of the period, but within these, in milliseconds. */
const SOONEST_RETRY = 1_000
const LATEST_RETRY = 15 * 60_000
/** By how much the time of a backup may lie ahead, in milliseconds: of several within a second each is named by its own. */
const AHEAD = 60_000

interface ScheduleDeps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly meter?: Meter
  readonly startBackup?: StartBackup
  readonly startLook?: StartLook
}

/** Makes backups by themselves, as FRONTDESK_BACKUP_TO says: one at a time, by whichever node comes first. */
export class Backups {
  readonly #due
  #underWay: UnderWay<unknown> | null = null
  #ended: Promise<void> = Promise.resolve()

  constructor(private readonly deps: ScheduleDeps) {
    const { backup } = deps.config
    this.#due = askedOnceWritten(
      [installation],
      async (db, now) => backup && nextWork(await backupState(db), backup.everyMs, now).at,
    )
  }

  /** When there is something to do next, in milliseconds since 1970; null where none are made, and while this node is at it. */
  async nextDue(now: number): Promise<number | null> {
    return this.#underWay ? null : this.#due(this.deps.database.db, now)
  }

  /** Begins to make one, or to look at those that nobody has checked, unless another node is at it. */
  async start(now: number): Promise<boolean> {
    const { database, config } = this.deps
    const { backup } = config
    if (!backup || this.#underWay) return false
    const begun: { work: Work | null } = { work: null }
    await changeState(database, (state) => {
      const { at, work } = nextWork(state, backup.everyMs, now)
      begun.work = at > now ? null : work
      if (begun.work === null) return null
      const asked = work === 'making' ? { wantedAt: null } : { checkWantedAt: null }
      return { ...asked, busyUntil: now + LEASE, busyWith: work, begunAt: now }
    })
    if (begun.work === null) return false
    this.#ended = begun.work === 'making' ? this.#make(now) : this.#check()
    return false
  }

  /**
   * Looks what lies there. If the last one is gone another is due, unless there is an earlier one; a newer one, made by
   * hand, takes its place; those that nobody has checked are.
   */
  async look(): Promise<void> {
    const { config, database, clock } = this.deps
    if (!config.backup) return
    const { last, doubtful } = await backupState(database.db)
    if (last === null) return
    const shelf = await openShelf(config.backup.to)
    const owner = ownerOf(readMarkFile(config.dataDir))
    const lying = ownAmong(await shelf.list(), owner)
    const good = lying.filter((found) => found.isChecked && found.owner === owner)
    const isThere = good.some(({ name }) => name === last.name)
    const newest = good.find(({ at }) => at <= clock.now())
    const isFollowed = newest !== undefined && newest.at > last.at
    // One that was made by hand may have been kept instead of it.
    if (!isThere && !isFollowed) {
      this.deps.log.warn('the last backup is gone from where it was put', { name: last.name, place: shelf.place })
    }
    if (!isThere || isFollowed) {
      const found = newest ? noted(newest, shelf) : null
      await changeState(database, (state) => (state.last?.name === last.name ? { last: found } : null))
    }
    if (lying.some((backup) => !backup.isChecked && !doubtOf(backup, doubtful))) {
      await changeState(database, (state) => (state.checkWantedAt === null ? { checkWantedAt: clock.now() } : null))
    }
  }

  idle = (): Promise<void> => this.#ended

  /** Breaks off what is being made: the next start makes it, since it is due then. */
  async stop(_graceMs: number): Promise<void> {
    this.#underWay?.kill()
    await this.#ended
  }

  async #make(begunAt: number): Promise<void> {
    const { database, clock, log, meter, config } = this.deps
    try {
      const kept = await this.#followed((this.deps.startBackup ?? startBackup)(config, begunAt))
      meter?.backup('made')
      log.info('a backup was made and checked', fieldsOf(kept))
      for (const name of kept.missing) log.warn('a file that a record names was missing in the backup', { name })
      warnOfDoubtful(log, kept.doubtful)
      const { name, at, size, place, doubtful } = kept
      const last = { name, at, size, place, took: Math.max(0, clock.now() - begunAt) }
      await changeState(database, () => ({ last, doubtful, failure: null, busyUntil: null }))
    } catch (error) {
      if (error instanceof BrokenOff) return void (await changeState(database, () => ({ busyUntil: null })))
      meter?.backup('failed')
      const reason = reasonOf(error)
      log.error('no backup could be made', { reason })
      const failure = { at: clock.now(), reason }
      await changeState(database, () => ({ failure, busyUntil: null })).catch((fault) =>
        log.error('that no backup could be made could not be noted', { error: fault }),
      )
    }
  }

  async #check(): Promise<void> {
    const { database, log, config } = this.deps
    const found: { doubtful?: readonly Doubtful[] } = {}
    try {
      found.doubtful = await this.#followed((this.deps.startLook ?? startLook)(config))
      warnOfDoubtful(log, found.doubtful)
    } catch (error) {
      if (!(error instanceof BrokenOff)) log.error('backups could not be checked', { reason: reasonOf(error) })
    }
    await changeState(database, () => ({ ...found, busyUntil: null })).catch((fault) =>
      log.error('what was found of backups could not be noted', { error: fault }),
    )
  }

  /** Says meanwhile that this node is at it. */
  async #followed<T>(underWay: UnderWay<T>): Promise<T> {
    const { database, clock } = this.deps
    this.#underWay = underWay
    const renewal = setInterval(() => {
      changeState(database, () => ({ busyUntil: clock.now() + LEASE })).catch(() => {})
    }, RENEWED_EVERY)
    try {
      return await underWay.done
    } finally {
      clearInterval(renewal)
      // Before what came of it is noted: that wakes whoever asks what is due.
      this.#underWay = null
    }
  }
}

const noted = ({ name, at, size }: Shelved, { place }: Shelf) => ({ name, at, size, place })
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function fieldsOf({ name, place, size, removed }: Kept) {
  return { name, place, size, ...(removed.length > 0 ? { removed } : {}) }
}

function warnOfDoubtful(log: Log, doubtful: readonly Doubtful[]): void {
  for (const { name, verdict } of doubtful) {
    log.warn(verdict === 'damaged' ? 'a backup is damaged' : 'a backup cannot be judged by this version', { name })
  }
}

/** What is to be done next, and when. Making one goes first, since it looks at the others as well. */
function nextWork(state: BackupState, everyMs: number, now: number): { at: number; work: Work } {
  const underWay = workUnderWay(state, now)
  if (underWay !== null) return { at: state.busyUntil as number, work: underWay }
  const making = makingDue(state, everyMs, now)
  const isCheck = state.checkWantedAt !== null && making > now
  return isCheck ? { at: now, work: 'checking' } : { at: making, work: 'making' }
}

/** Times that lie further ahead than they can are of a clock that was wrong, and count for nothing. */
function makingDue({ last, failure, wantedAt }: BackupState, everyMs: number, now: number): number {
  if (wantedAt !== null) return now
  const planned = last === null || last.at > now + AHEAD ? now : last.at + everyMs
  if (failure === null || failure.at > now) return planned
  const retry = Math.min(Math.max(everyMs / 8, SOONEST_RETRY), LATEST_RETRY)
  return Math.max(planned, failure.at + retry)
}

/** When the next one is made, as long as nobody asks for one before, in milliseconds since 1970. */
export function nextBackupAt(state: BackupState, everyMs: number, now: number): number {
  return Math.max(now, makingDue(state, everyMs, now))
}

/** Whether the last good one is older than two periods. */
export function isOverdue({ last }: BackupState, everyMs: number, now: number): boolean {
  return last !== null && now - last.at > 2 * everyMs
}

/**
 * What `/healthz` says of backups: nothing while the last good one is not older than two periods. Why one failed only the
 * log and the console say: it names places and servers, and anybody may ask for this.
 */
export function backupWarning({
  config,
  database,
  clock,
}: Pick<ScheduleDeps, 'config' | 'database' | 'clock'>): () => Promise<string | null> {
  return async () => {
    const { backup } = config
    if (!backup) return null
    const state = await backupState(database.db)
    const { last, failure } = state
    const tried = failure ? `: the last try, of ${formatTime(failure.at)}, failed, and the log says why` : ''
    if (last === null) return failure && `no backup could be made yet${tried}`
    if (!isOverdue(state, backup.everyMs, clock.now())) return null
    return `the last good backup is of ${formatTime(last.at)}, longer ago than two periods${tried}`
  }
}
