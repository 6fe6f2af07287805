import { within } from '../lib/concurrency/within.ts'

/** What a job has begun and goes on beside the loop, a bounded number at once: mails, which take seconds. */
export class UnderWay {
  readonly #all = new Set<Promise<void>>()
  #stopping = false

  constructor(private readonly most: number) {}

  /** How many more may begin; none once it stops. */
  get room(): number {
    return this.#stopping ? 0 : this.most - this.#all.size
  }

  /** Whether what takes long should end where it can go on later. */
  get isStopping(): boolean {
    return this.#stopping
  }

  /** Goes on with work that does not reject. */
  begin(work: Promise<void>): void {
    const mine = work.finally(() => this.#all.delete(mine))
    this.#all.add(mine)
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#all.size > 0) await Promise.all(this.#all)
  }

  /** Leaves no room from now on, and resolves when what is under way has ended, or after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    await within(graceMs, this.idle())
  }
}
