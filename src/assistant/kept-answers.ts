/** How long an answer is kept, in milliseconds. */
const KEPT = 5 * 60_000
/** Answers kept at once. */
const MOST = 1000

/** Remembers for some minutes what was found out under a key, and asks once for all who want to know it meanwhile. */
export class KeptAnswers<T> {
  readonly #kept = new Map<string, { answer: T; until: number }>()
  readonly #underWay = new Map<string, Promise<T | null>>()

  /** What is known, or being found out, at `now` (monotonic); undefined where it has to be asked for. */
  known(key: string, now: number): Promise<T | null> | undefined {
    const kept = this.#kept.get(key)
    return kept && kept.until > now ? Promise.resolve(kept.answer) : this.#underWay.get(key)
  }

  /** Finds out by `ask`; null is not kept. */
  find(key: string, now: number, ask: () => Promise<T | null>): Promise<T | null> {
    const asked = ask()
      .then((answer) => {
        if (answer !== null) this.#keep(key, answer, now + KEPT)
        return answer
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, asked)
    return asked
  }

  #keep(key: string, answer: T, until: number): void {
    this.#kept.delete(key)
    this.#kept.set(key, { answer, until })
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MOST) return
      this.#kept.delete(oldest)
    }
  }
}
