import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../../dialect.ts'
import { type DatabaseWatch, unwatched } from '../../watch.ts'
import { explained, isConflict, isConnectionLost, unavailable, uncertain } from '../faults.ts'
import type { Commits } from './commits.ts'
import { type Kind, Writer } from './writer.ts'

/** Transactions under way at once. More would only get into each other's way. */
const WRITERS = 8
/** How often a transaction is run again before its caller has to. */
const ATTEMPTS = 50
/**
 * After so many conflicts, or milliseconds, a transaction is run alone. Of a steady stream of others that are quicker, a
 * long one would else meet some each time.
 */
const UNLUCKY = 4
const PATIENCE = 10_000
/** How often a lost connection is made again for a transaction that had not come to its commit. */
const RECONNECTS = 3
/** The longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE = 100

/** Runs transactions on a few connections, again where they conflict. */
export class Writers {
  readonly #free: Writer[]
  readonly #all: Writer[]
  readonly #waiting: ((writer: Writer) => void)[] = []
  readonly #inside = new AsyncLocalStorage<true>()
  #underWay = 0
  #idle = () => {}
  #unlucky: Promise<unknown> = Promise.resolve()

  constructor(
    url: string,
    private readonly commits: Commits,
    watch: DatabaseWatch = unwatched,
  ) {
    this.#all = Array.from({ length: WRITERS }, () => new Writer(url, watch))
    this.#free = [...this.#all]
  }

  /** As `Database.transaction`. Throws `unavailable` when the server is away or conflicts do not end. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#admit(() => this.#persist(work))
  }

  /** As `Database.longTransaction`. Throws `unavailable` when the server is away. */
  runLong<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#admit(() =>
      this.#once(work, 'long', () => {}).catch((error) => {
        throw explained(error)
      }),
    )
  }

  async #admit<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#inside.getStore()) {
      throw new Error('transaction() inside transaction(): pass tx on instead, the inner one would wait for the outer')
    }
    this.#underWay++
    try {
      return await this.#inside.run(true, begin)
    } finally {
      this.#underWay--
      if (this.#underWay === 0) this.#idle()
    }
  }

  /** How many transactions wait for a connection or are under way. */
  get load(): number {
    return this.#underWay
  }

  /** Waits for the transactions under way. */
  async close(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
    await Promise.all(this.#all.map((writer) => writer.close()))
  }

  /** Ends what is still under way with an error. */
  async abandon(): Promise<void> {
    await Promise.all(this.#all.map((writer) => writer.close(0)))
  }

  async #persist<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE
    let reconnects = 0
    for (let attempt = 1; ; attempt++) {
      let committing = false
      const isAlone = attempt > UNLUCKY || performance.now() > deadline
      const run = (kind: Kind) => this.#once(work, kind, () => (committing = true))
      try {
        return await (isAlone ? this.#inTurn(() => run('alone')) : run('shared'))
      } catch (error) {
        const isLost = isConnectionLost(error)
        const again = isConflict(error) || (isLost && !committing && ++reconnects <= RECONNECTS)
        if (!again) throw explained(isLost && committing ? uncertain(error) : error)
        // Where the machine is busy, patience may end before it was alone, where nothing gets in its way.
        if (attempt === ATTEMPTS || ((isLost || isAlone) && performance.now() > deadline)) {
          throw isLost ? explained(error) : unavailable('Too many others are changing the same: try again.', error)
        }
        await Bun.sleep(Math.random() * Math.min(LONGEST_PAUSE, 2 ** attempt))
      }
    }
  }

  async #once<T>(work: (tx: Tx) => Promise<T>, kind: Kind, committing: () => void): Promise<T> {
    const writer = this.#free.pop() ?? (await new Promise<Writer>((resolve) => this.#waiting.push(resolve)))
    try {
      const { value, written } = await writer.run(work, kind, committing)
      this.commits.note(written)
      return value
    } finally {
      const next = this.#waiting.shift()
      if (next) next(writer)
      else this.#free.push(writer)
    }
  }

  /** One after the other, of all that come here. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.#unlucky.then(run, run)
    this.#unlucky = mine.catch(() => {})
    return mine
  }
}
