import type { Database } from './dialect.ts'

/** How often commits of other processes are looked for, in milliseconds. No query. */
const LOOK_EVERY = 50
/** How long nothing is read after that failed, or while it cannot be heard whether anything is new, in milliseconds. */
const REST = 1_000

/**
 * Reads anew after each commit that wrote some tables, by this process or another, from `start` to `stop`: one reading at a
 * time, and one more for what came meanwhile. `names` are of tables that are `announced`.
 */
export class CommitWatch {
  #version: number | undefined
  #restsUntil = 0
  #again = false
  #reading: Promise<void> | null = null
  #end: (() => void) | null = null

  constructor(
    private readonly database: Pick<Database, 'db' | 'onCommit'>,
    private readonly names: readonly string[],
    private readonly read: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Looks from now on. */
  start(): void {
    if (this.#end) return
    const unsubscribe = this.database.onCommit(() => this.#look())
    const timer = setInterval(() => this.#look(), LOOK_EVERY)
    timer.unref()
    this.#end = () => {
      unsubscribe()
      clearInterval(timer)
    }
  }

  stop(): void {
    this.#end?.()
    this.#end = null
  }

  /** Reads in any case. */
  lookAnew(): void {
    this.#version = undefined
    this.#restsUntil = 0
    this.#look()
  }

  #look(): void {
    if (performance.now() < this.#restsUntil) return
    const version = this.database.db.version?.(this.names)
    if (version !== undefined && version === this.#version) return
    this.#version = version
    // Undefined: what other nodes write is not heard of, and is to be looked for.
    if (version === undefined) this.#restsUntil = performance.now() + REST
    this.#again = true
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null
    })
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false
        await this.read()
      }
    } catch (error) {
      this.failed(error)
      this.#version = undefined
      this.#restsUntil = performance.now() + REST
    }
  }
}
