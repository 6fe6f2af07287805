/** Lets so many at a time do something; the others wait for their turn, first come, first served. */
export class Turns {
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly most: number) {}

  /** Whether nobody does, or waits. */
  get isIdle(): boolean {
    return this.#taken === 0
  }

  /** Does `work` once there is a turn for it. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#taken += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The turn is handed on, so nobody else can take it in between.
      if (next) next()
      else this.#taken -= 1
    }
  }
}
