import type { Database as Sqlite, Statement } from 'bun:sqlite'

/** How old an answer of `lately` may be, in milliseconds. */
const DELAY = 5

/**
 * Tells whether another connection has committed: the data version of a connection changes with every commit but its
 * own. With other processes', for the only writer.
 */
export class ForeignCommits {
  readonly #query: Statement<{ data_version: number }, []>
  #version = 0
  #nextLook = 0

  constructor(writer: Sqlite) {
    this.#query = writer.prepare('PRAGMA data_version')
  }

  /** Looks at once. What it sees holds until the end of the transaction that has begun. */
  look(): void {
    this.#version = this.#query.get()?.data_version ?? this.#version
    this.#nextLook = performance.now() + DELAY
  }

  /** A number that changes with such a commit, at most 5 ms late. */
  lately(): number {
    if (performance.now() >= this.#nextLook) this.look()
    return this.#version
  }
}
