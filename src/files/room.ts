import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { freeBytes } from '../lib/disk.ts'
import type { Files } from './files.ts'

/** Seconds after which it is worth trying again. */
const LATER = 60

/** There is less room than FRONTDESK_MIN_FREE_MB. */
export class NoRoom extends AppError {
  constructor() {
    super('unavailable', 'the disk has no room at the moment, and nothing was changed: try again later', {
      retryAfter: LATER,
    })
  }
}

/**
 * Throws `NoRoom` where so many bytes more would leave less room than there has to be, for the database or for files. A
 * store of files that is out of reach has its say when something is written to it.
 */
export async function checkRoom(
  { config, files }: { config: Pick<Config, 'dataDir' | 'minFree'>; files: Pick<Files, 'freeBytes'> },
  size: number,
): Promise<void> {
  const free = Math.min(await freeBytes(config.dataDir), await files.freeBytes().catch(withoutStore))
  if (free - size < config.minFree) throw new NoRoom()
}

function withoutStore(error: unknown): number {
  if (error instanceof AppError && error.code === 'unavailable') return Number.POSITIVE_INFINITY
  throw error
}
