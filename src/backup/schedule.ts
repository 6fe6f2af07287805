import type { Config } from '../config.ts'
import { askedOnceWritten, type Database } from '../db/index.ts'
import { installation } from '../db/schema.ts'
import { readMarkFile } from '../files/mark-file.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'
import { formatTime } from '../lib/time.ts'
import { BrokenOff, type Making, type StartBackup, startBackup } from './child.ts'
import type { Kept } from './make.ts'
import { ownerOf } from './names.ts'
import { openShelf } from './shelf.ts'
import { type BackupState, backupState, changeState } from './state.ts'

/** How long a node that makes one is taken to live without a word of it, and how often it says so, in milliseconds. */
const LEASE = 120_000
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
  readonly startBackup?: StartBackup
}

/** Makes backups by themselves, as FRONTDESK_BACKUP_TO says: one at a time, by whichever node comes first. */
export class Backups {
  readonly #due
  #making: Making | null = null
  #ended: Promise<void> = Promise.resolve()

  constructor(private readonly deps: ScheduleDeps) {
    const { backup } = deps.config
    this.#due = askedOnceWritten(
      [installation],
      async (db, now) => backup && dueAt(await backupState(db), backup.everyMs, now),
    )
  }

  /** When the next is due, in milliseconds since 1970; null where none are made, and while this node is making one. */
  async nextDue(now: number): Promise<number | null> {
    return this.#making ? null : this.#due(this.deps.database.db, now)
  }

  /** Begins one, unless another node is making one. */
  async start(now: number): Promise<boolean> {
    const { database, config } = this.deps
    const { backup } = config
    if (!backup || this.#making) return false
    const isOurs = await changeState(database, (state) =>
      (dueAt(state, backup.everyMs, now) ?? now) > now ? null : { busyUntil: now + LEASE, wantedAt: null },
    )
    if (!isOurs) return false
    const making = (this.deps.startBackup ?? startBackup)(config, now)
    this.#making = making
    this.#ended = this.#follow(making).finally(() => {
      this.#making = null
    })
    return false
  }

  /** Looks whether the last one is still there; if it is not, another is due, unless there is an earlier one. */
  async look(): Promise<void> {
    const { config, database, clock } = this.deps
    if (!config.backup) return
    const { last } = await backupState(database.db)
    if (last === null) return
    const shelf = await openShelf(config.backup.to)
    const owner = ownerOf(readMarkFile(config.dataDir))
    const good = (await shelf.list()).filter((found) => found.isChecked && found.owner === owner)
    if (good.some(({ name }) => name === last.name)) return
    const newest = good.find(({ at }) => at <= clock.now())
    const found = newest ? { name: newest.name, at: newest.at, size: newest.size, place: shelf.place } : null
    this.deps.log.warn('the last backup is gone from where it was put', { name: last.name, place: shelf.place })
    await changeState(database, (state) => (state.last?.name === last.name ? { last: found } : null))
  }

  idle = (): Promise<void> => this.#ended

  /** Breaks off what is being made: the next start makes it, since it is due then. */
  async stop(_graceMs: number): Promise<void> {
    this.#making?.kill()
    await this.#ended
  }

  async #follow({ made }: Making): Promise<void> {
    const { database, clock, log } = this.deps
    const renewal = setInterval(() => {
      changeState(database, () => ({ busyUntil: clock.now() + LEASE })).catch(() => {})
    }, RENEWED_EVERY)
    try {
      const kept = await made
      clearInterval(renewal)
      log.info('a backup was made and checked', fieldsOf(kept))
      for (const name of kept.missing) log.warn('a file that a record names was missing in the backup', { name })
      const { name, at, size, place } = kept
      await changeState(database, () => ({ last: { name, at, size, place }, failure: null, busyUntil: null }))
    } catch (error) {
      clearInterval(renewal)
      if (error instanceof BrokenOff) return void (await changeState(database, () => ({ busyUntil: null })))
      const reason = error instanceof Error ? error.message : String(error)
      log.error('no backup could be made', { reason })
      const failure = { at: clock.now(), reason }
      await changeState(database, () => ({ failure, busyUntil: null })).catch((fault) =>
        log.error('that no backup could be made could not be noted', { error: fault }),
      )
    }
  }
}

function fieldsOf({ name, place, size, removed }: Kept) {
  return { name, place, size, ...(removed.length > 0 ? { removed } : {}) }
}

/** Times that lie further ahead than they can are of a clock that was wrong, and count for nothing. */
function dueAt({ last, failure, wantedAt, busyUntil }: BackupState, everyMs: number, now: number): number {
  if (busyUntil !== null && busyUntil > now && busyUntil <= now + LEASE) return busyUntil
  if (wantedAt !== null) return now
  const planned = last === null || last.at > now + AHEAD ? now : last.at + everyMs
  if (failure === null || failure.at > now) return planned
  const retry = Math.min(Math.max(everyMs / 8, SOONEST_RETRY), LATEST_RETRY)
  return Math.max(planned, failure.at + retry)
}

/** What `/healthz` says of backups: nothing while the last good one is not older than two periods. */
export function backupWarning({
  config,
  database,
  clock,
}: Pick<ScheduleDeps, 'config' | 'database' | 'clock'>): () => Promise<string | null> {
  return async () => {
    const { backup } = config
    if (!backup) return null
    const { last, failure } = await backupState(database.db)
    const why = failure ? `: ${failure.reason}` : ''
    if (last === null) return failure && `no backup could be made yet${why}`
    if (clock.now() - last.at <= 2 * backup.everyMs) return null
    return `the last good backup is of ${formatTime(last.at)}, longer ago than two periods${why}`
  }
}
