import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { freeBytes } from '../lib/disk/disk.ts'
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

interface Disks {
  readonly config: Pick<Config, 'dataDir' | 'minFree'>
  readonly files: Pick<Files, 'freeBytes'>
}

/**
 * Bytes that may still be written, of the database or of files, before there is less room than there has to be. A store of
 * files that is out of reach has its say when something is written to it.
 */
export async function roomLeft({ config, files }: Disks): Promise<number> {
  const free = Math.min(await freeBytes(config.dataDir), await files.freeBytes().catch(withoutStore))
  return free - config.minFree
}

/** Throws `NoRoom` where there is none for so many bytes more. */
export async function checkRoom(disks: Disks, size: number): Promise<void> {
  if ((await roomLeft(disks)) < size) throw new NoRoom()
}

function withoutStore(error: unknown): number {
  if (error instanceof AppError && error.code === 'unavailable') return Number.POSITIVE_INFINITY
  throw error
}
