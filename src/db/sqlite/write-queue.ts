import type { Database as Sqlite, Statement } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import { isBusy } from '../../folder/busy.ts'
import { worked } from '../../lib/loop/activity.ts'
import { AtCommit } from '../at-commit.ts'
import type { DamageFound } from '../damage.ts'
import type { Tx } from '../dialect.ts'
import { type DatabaseWatch, SLOW, unwatched } from '../watch.ts'
import { drizzleOver } from './dialect.ts'
import { ForeignCommits } from './foreign-commits.ts'
import type { SyncedLog } from './synced-log.ts'
import { timed } from './timed.ts'
import { WrittenTables } from './written-tables.ts'

/** Writers that may share one commit. Bounds how long the first of them waits for the last. */
const GROUP_LIMIT = 64
/** How long a group waits for a writer in another process (the command line), in milliseconds. */
const BUSY_LIMIT = 10_000

interface Writer {
  work(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
  /** Whether it shares its commit with nobody, and so never runs again. */
  readonly isAlone: boolean
}

/** What became of a piece of work: how to answer it once the group is committed, and whether it has rows to be taken back. */
interface Outcome {
  readonly answer: () => void
  readonly isToUndo: boolean
}

/**
 * Group commit. Work that waits together runs in one SQLite transaction, and is answered once the disk holds all of it: the
 * sync is under way while the next group runs. Of a piece that throws nothing is stored but what the others wrote.
 */
export class WriteQueue {
  /** Called after every commit. */
  readonly committed = new Set<() => void>()
  #commits = 0
  readonly #written = new WrittenTables()
  readonly #tx: Tx
  readonly #atCommit: AtCommit<Tx>
  readonly #foreignCommits: ForeignCommits
  #waiting: Writer[] = []
  /** Those of the group that is being run. */
  #members: Writer[] = []
  #running: Promise<void> | null = null
  #ended = false
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #statements: Record<'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'undo', Statement>

  /** `log` has the disk hold what was committed. */
  constructor(
    private readonly sqlite: Sqlite,
    private readonly log: SyncedLog,
    private readonly damage: DamageFound,
    private readonly watch: DatabaseWatch = unwatched,
  ) {
    // A short wait here, retried below with pauses: a long one would stop every other request of the process.
    sqlite.run('PRAGMA busy_timeout = 20')
    this.#statements = {
      begin: sqlite.prepare('BEGIN IMMEDIATE'),
      commit: sqlite.prepare('COMMIT'),
      rollback: sqlite.prepare('ROLLBACK'),
      savepoint: sqlite.prepare('SAVEPOINT work'),
      release: sqlite.prepare('RELEASE work'),
      undo: sqlite.prepare('ROLLBACK TO work'),
    }
    this.#foreignCommits = new ForeignCommits(sqlite)
    const tx = drizzleOver(this.#written.watch(timed(sqlite, watch)))
    this.#atCommit = new AtCommit(tx)
    this.#tx = Object.assign(tx, {
      atCommit: this.#atCommit,
      version: (tables: readonly string[]) => (this.#written.isWriting(tables) ? undefined : this.version(tables)),
    })
  }

  /**
   * Runs `work` and resolves once it is on disk. Rejects with what `work` threw, its rows taken back; after `end`,
   * without running it. It may run again, where somebody else's rows are taken back, unless it `isAlone`.
   */
  run<T>(work: (tx: Tx) => Promise<T>, isAlone = false): Promise<T> {
    if (this.#ended) return Promise.reject(new Error('the database is closed'))
    if (this.#inside.getStore()) {
      throw new Error('transaction() inside transaction(): pass tx on instead, the inner one would wait for the outer')
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject, isAlone })
      this.#running ??= this.#loop()
    })
  }

  /**
   * A number that changes with every commit, of other connections at most 5 ms late; with `tables`, of this
   * connection's only with those that wrote any of these. In a transaction it is never late.
   */
  version(tables?: readonly string[]): number {
    const own = tables === undefined ? this.#commits : this.#written.version(tables)
    return own + this.#foreignCommits.lately()
  }

  /** How many writers wait or are at work. */
  get load(): number {
    return this.#waiting.length + this.#members.length
  }

  /** Resolves when nothing waits any more. Whoever comes later is refused: the connection may be closed by then. */
  async end(): Promise<void> {
    while (this.#running) await this.#running
    this.#ended = true
    await this.log.end()
  }

  async #loop(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      await this.#commitGroup()
    }
    this.#running = null
  }

  /** Turns the event loop for as long as that brings more writers: all requests that have arrived share the commit. */
  async #gather(): Promise<void> {
    let before: number
    do {
      before = this.#waiting.length
      await new Promise(setImmediate)
    } while (this.#waiting.length > before && this.#waiting.length < GROUP_LIMIT)
  }

  async #commitGroup(): Promise<void> {
    const answers: (() => void)[] = []
    const members: Writer[] = []
    this.#members = members
    let began = 0
    try {
      await this.#begin()
      await this.#runGroup(members, answers)
      await this.#atCommit.write()
      began = this.#commit()
      this.#commits++
      this.#written.committed()
    } catch (error) {
      this.damage.note(error)
      this.#takenBack()
      if (this.sqlite.inTransaction) this.#statements.rollback.run()
      if (members.length === 0) members.push(...this.#waiting.splice(0))
      for (const writer of members) writer.reject(error)
      return
    } finally {
      this.#members = []
    }
    this.log.synced(() => {
      this.watch.committed((performance.now() - began) / 1000)
      for (const answer of answers) answer()
      for (const listener of this.committed) listener()
    })
  }

  /** Returns when it began. A commit that carries the log over into the database takes longer than others. */
  #commit(): number {
    const began = performance.now()
    this.#statements.commit.run()
    const now = performance.now()
    if (now - began >= SLOW) this.watch.slow('COMMIT', now - began)
    worked(now)
    return began
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + BUSY_LIMIT
    for (;;) {
      try {
        this.#statements.begin.run()
        this.#foreignCommits.look()
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
        await Bun.sleep(10)
      }
    }
  }

  /**
   * Runs those who wait, and adds them to `members` and how they are answered to `answers`. With a savepoint for each, SQLite
   * would copy every page that they change, which is an eighth of what a contact costs. So there are none until somebody has
   * rows to be taken back: then everybody's are, and all before it run once more, each with one.
   */
  async #runGroup(members: Writer[], answers: (() => void)[]): Promise<void> {
    let isApart = false
    for (let writer = this.#next(members); writer; writer = this.#next(members)) {
      members.push(writer)
      if (isApart) {
        answers.push(await this.#runApart(writer))
        continue
      }
      const { answer, isToUndo } = await this.#attempt(writer)
      if (isToUndo) {
        isApart = true
        this.#statements.rollback.run()
        this.#takenBack()
        await this.#begin()
        answers.length = 0
        for (const earlier of members.slice(0, -1)) answers.push(await this.#runApart(earlier))
      }
      answers.push(answer)
    }
  }

  /** Takes the next out of those who wait, where there is one that may join these. */
  #next(members: readonly Writer[]): Writer | undefined {
    if (members.length === GROUP_LIMIT || members[0]?.isAlone) return
    if (members.length > 0 && this.#waiting[0]?.isAlone) return
    return this.#waiting.shift()
  }

  async #runApart(writer: Writer): Promise<() => void> {
    this.#statements.savepoint.run()
    const { answer, isToUndo } = await this.#attempt(writer)
    if (isToUndo) {
      this.#statements.undo.run()
      this.#atCommit.forget()
    } else await this.#atCommit.write()
    this.#statements.release.run()
    return answer
  }

  /** Nothing of the transaction is left. */
  #takenBack(): void {
    this.#written.rolledBack()
    this.#atCommit.forget()
  }

  /** Another number once anything was changed, or is to be. */
  get #changes(): number {
    return this.#written.statements + this.#atCommit.uses
  }

  /** Throws when the whole transaction is lost. */
  async #attempt(writer: Writer): Promise<Outcome> {
    const before = this.#changes
    try {
      const value = await this.#inside.run(true, () => writer.work(this.#tx))
      return { answer: () => writer.resolve(value), isToUndo: false }
    } catch (error) {
      this.damage.note(error)
      // A full disk or an I/O error makes SQLite roll back everything at once: then nobody's rows are left.
      if (!this.sqlite.inTransaction) throw error
      return { answer: () => writer.reject(error), isToUndo: this.#changes !== before }
    }
  }
}
