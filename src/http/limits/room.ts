import { NoRoom } from '../../files/room.ts'
import { freeBytes } from '../../lib/disk/disk.ts'
import type { Parts } from '../../parts.ts'

/** For how long a look at the disk stands, in milliseconds: many come in one. */
const FRESH = 1_000

/**
 * Says whether strangers may still fill the disk (decisions §10): throws `NoRoom` where it has less room than
 * FRONTDESK_MIN_FREE_MB, or does not say. What people with a key or a session write is not asked about: the floor is for them.
 */
export function roomForStrangers({ config, clock }: Pick<Parts, 'config' | 'clock'>): () => Promise<void> {
  let freshUntil = Number.NEGATIVE_INFINITY
  let looked: Promise<number> = Promise.resolve(0)
  return async () => {
    const now = clock.monotonic()
    if (now >= freshUntil) {
      freshUntil = now + FRESH
      looked = freeBytes(config.dataDir).catch(() => 0)
    }
    if (config.minFree === 0 || (await looked) >= config.minFree) return
    throw new NoRoom()
  }
}
