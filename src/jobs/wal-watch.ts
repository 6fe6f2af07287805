import { walWarning } from '../db/sqlite/wal.ts'
import type { Deps } from '../deps.ts'

/** How often the write-ahead log is looked at, in milliseconds. */
export const WAL_EVERY = 60 * 1000

/** Says in the log, once until it is over, that the write-ahead log has grown; see `walWarning`. */
export function walWatch({ config, log }: Pick<Deps, 'config' | 'log'>): () => Promise<void> {
  let isKnown = false
  return async () => {
    const warning = walWarning(config.dataDir)
    if (warning !== null && !isKnown) log.warn(warning)
    isKnown = warning !== null
  }
}
