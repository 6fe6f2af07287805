/** For how long a statement may take before it is worth a line in the log, in milliseconds (decisions §22). */
export const SLOW = 500

/** Is told of what takes time in the database. */
export interface DatabaseWatch {
  /** A statement took long: its text, which holds no values, and milliseconds. */
  slow(statement: string, ms: number): void
  /** A commit, and how long it took until the disk or the server held it, in seconds. */
  committed(seconds: number): void
  /** Why lists are not read from the replica from now on; null where they are. */
  replica(problem: string | null): void
}

/** Where nobody is interested: commands, and tests. */
export const unwatched: DatabaseWatch = { slow: () => {}, committed: () => {}, replica: () => {} }
