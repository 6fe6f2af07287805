import { shared } from '../../lib/concurrency/shared.ts'
import { within } from '../../lib/concurrency/within.ts'
import type { ReplicaState } from '../dialect.ts'
import type { DatabaseWatch } from '../watch.ts'
import { type Client, Link, LONGEST_STATEMENT } from './client.ts'
import { isConnectionLost, isTakingTooLong } from './faults.ts'
import type { Run } from './lean.ts'
import {
  committedPosition,
  faultOf,
  identityOf,
  type Position,
  type Replayed,
  replayedPosition,
  tooFarBehind,
  unusable,
} from './positions.ts'
import { read } from './reads.ts'

/** Connections to it. */
const CONNECTIONS = 8
/** In milliseconds; what is replayed there may lock tables for a moment. */
const STATEMENT_PATIENCE = { lock: 1_000, statement: LONGEST_STATEMENT }
/** For how many milliseconds a statement waits for the replica to have what was committed before it, and how often that is asked. */
const PATIENCE = 100
const PAUSE = 2
/** How often the replica is looked at, how long it may take to answer, and how far behind it may be before it is worth a word, in milliseconds. */
const HEARTBEAT = 1_000
const SILENCE = 3_000
const LATE = 5_000

const unasked: Replayed = { identity: '', isStandby: false, timeline: '', bytes: 0, age: null }

/**
 * Reads from a streaming replica what was committed before by whomever: for each statement the primary is asked how far its
 * log is, which costs it next to nothing and is asked once for all statements that wait, and the replica has to have
 * replayed that. So nobody reads less than what was answered to anybody, on whatever node. A replica that lags, is away or is
 * none any more is left out, and the primary reads.
 */
export class Replica {
  readonly #link: Link
  readonly #committed: () => Promise<Position>
  readonly #look: () => Promise<Replayed>
  #last = unasked
  /** Why it is left out; null where it is not. */
  #problem: string | null = 'was not asked yet'
  /** Whether it was behind for longer than statements wait. */
  #isBehind = false
  /** When it had everything, in milliseconds of this process. */
  #hadAll = performance.now()
  readonly #reads = { replica: 0, primary: 0 }
  #timer: Timer | undefined
  #isClosing = false

  constructor(
    url: string,
    private readonly primary: Link,
    /** Reads from the primary. */
    private readonly instead: Run,
    private readonly watch: DatabaseWatch,
  ) {
    this.#link = new Link(url, { max: CONNECTIONS, access: 'read only', role: 'standby', patience: STATEMENT_PATIENCE })
    this.#committed = shared(() => primary.ask(committedPosition))
    this.#look = shared(async () => (this.#last = await this.#ask(replayedPosition)))
  }

  /** Looks at it, and again from time to time. Resolves when it is known whether it can be used. */
  async start(): Promise<void> {
    await this.#beat()
  }

  readonly read: Run = async (...statement) => {
    if (await this.#hasEverything()) {
      try {
        const rows = await this.#ask((client) => read(client, ...statement))
        this.#reads.replica++
        return rows
      } catch (error) {
        // The primary would be kept busy for as long.
        if (isTakingTooLong(error)) throw error
      }
    }
    this.#reads.primary++
    return this.instead(...statement)
  }

  get state(): ReplicaState {
    return { problem: this.#problem, lag: this.#lag() / 1000, reads: { ...this.#reads } }
  }

  /** As `Link.close`. */
  async close(timeout?: number): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#timer)
    await this.#link.close(timeout)
  }

  async #hasEverything(): Promise<boolean> {
    if (this.#problem !== null || this.#isBehind) return false
    try {
      return await this.#reaches(await this.#committed())
    } catch {
      return false
    }
  }

  /** Waits for the replica to have replayed so much; gives up on one that takes long. */
  async #reaches(wanted: Position): Promise<boolean> {
    const deadline = performance.now() + PATIENCE
    while (!this.#has(wanted)) {
      const left = deadline - performance.now()
      if (left <= 0 || !(await within(left, this.#look()))) {
        this.#isBehind = true
        return false
      }
      if (this.#last.timeline !== wanted.timeline) return false
      if (!this.#has(wanted)) await Bun.sleep(PAUSE)
    }
    return true
  }

  #has({ timeline, bytes }: Position): boolean {
    return this.#last.timeline === timeline && this.#last.bytes >= bytes
  }

  async #ask<T>(query: (client: Client) => Promise<T>): Promise<T> {
    const { client } = this.#link
    try {
      return await this.#link.answer(client, query(client))
    } catch (error) {
      if (isConnectionLost(error)) {
        this.#link.renew(client)
        this.#note(unusable(error))
      }
      throw error
    }
  }

  async #beat(): Promise<void> {
    try {
      const [wanted, identity] = await Promise.all([this.#committed(), this.primary.ask(identityOf)])
      this.#note(await this.#examine(wanted, identity))
    } catch {
      // It is the primary that does not answer: of the replica nothing new is known.
    }
    if (!this.#isClosing) this.#timer = setTimeout(() => void this.#beat(), HEARTBEAT)
  }

  /** Why it cannot be used, or null. */
  async #examine(wanted: Position, identity: string): Promise<string | null> {
    const { client } = this.#link
    try {
      if (!(await within(SILENCE, this.#look()))) {
        this.#link.renew(client)
        return 'does not answer'
      }
    } catch (error) {
      return unusable(error)
    }
    const problem = faultOf(this.#last, wanted, identity)
    if (problem !== null) return problem
    this.#isBehind = !(await this.#reaches(wanted))
    if (!this.#isBehind) this.#hadAll = performance.now()
    return this.#lag() > LATE ? tooFarBehind(LATE) : null
  }

  /** By the age of what it replayed last, which is much where nobody has written for long: then by when it had everything. */
  #lag(): number {
    const since = performance.now() - this.#hadAll
    if (since < HEARTBEAT * 2 && !this.#isBehind) return 0
    return Math.max(0, Math.min(since, this.#problem === null ? (this.#last.age ?? since) : since))
  }

  #note(problem: string | null): void {
    if (this.#isClosing || problem === this.#problem) return
    this.#problem = problem
    this.watch.replica(problem)
  }
}
