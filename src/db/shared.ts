/* What processes that serve the same data at the same time have to agree on. Outside of transactions. */

/** How many requests may be counted in how long. */
export interface RequestTerms {
  readonly limit: number
  /** In milliseconds. */
  readonly window: number
  readonly wanted: number
  /** The time of a clock that all who count use, in milliseconds; left out it is the database's. */
  readonly at?: number
}

/** What was counted of the requests wanted, and how the window stands then. */
export interface Granted {
  readonly granted: number
  readonly remaining: number
  /** Milliseconds until the oldest counted request leaves the window. */
  readonly reset: number
}

/** Exact sliding windows over all processes. */
export interface RequestWindows {
  /** Counts as many of the requests wanted as fit; what does not fit is not counted. Throws `unavailable`. */
  take(key: string, terms: RequestTerms): Promise<Granted>
  /** Milliseconds until as many requests as are wanted fit, 0 where they do now. Counts nothing. Throws `unavailable`. */
  wait(key: string, terms: RequestTerms): Promise<number>
  /** Counts one request of a key, the last, no more. Throws `unavailable`. */
  giveBack(key: string): Promise<void>
  /** Forgets keys of which nothing was counted for `age` milliseconds. Throws `unavailable`. */
  forget(age: number): Promise<void>
}

/** Names that one process at a time holds. */
export interface Leases {
  /**
   * Runs `work` while no other process does under this name; null, without running it, where one does. A process that
   * died holds a name for 20 seconds at most. Throws `unavailable`. A process asks for a name once at a time.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<{ readonly done: T } | null>
}

/** What processes say to each other in passing: nothing of it is stored, and now and then a word gets lost. */
export interface Talk {
  /** Tells the others, and this process too; at most 4,000 bytes. */
  tell(text: string): void
  /** Calls `listener` with whatever is told from now on. */
  onTold(listener: (text: string) => void): void
}
