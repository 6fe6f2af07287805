import type { Deps } from '../deps.ts'

/** How often the database is asked, in milliseconds. */
export const WATCH_EVERY = 60 * 1000

/** Says in the log, once until it is over, what an administrator should know of the database; see `Database.warning`. */
export function databaseWatch({ database, log }: Pick<Deps, 'database' | 'log'>): () => Promise<void> {
  let isKnown = false
  return async () => {
    const warning = database.warning()
    if (warning !== null && !isKnown) log.warn(warning)
    isKnown = warning !== null
  }
}
