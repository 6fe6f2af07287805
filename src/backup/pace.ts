import { type Clock, systemClock } from '../lib/clock.ts'

/** Told how many bytes were just read or written, it may hold the thread before the next ones are. */
export type Pace = (bytes: number) => void

/** Goes on at once: somebody waits for it. */
export const unpaced: Pace = () => {}

/** How much is done between two pauses, in bytes. */
const PIECE = 1024 * 1024
/** A pause is as long as what was done before it took, within these, in milliseconds: so it takes about twice as long. */
const [SHORTEST, LONGEST] = [4, 100]

interface PacedDeps {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Holds the thread for so many milliseconds. */
  readonly sleep: (ms: number) => void
}

/**
 * Pauses after every megabyte, for those who use the same disk and processor: a low priority keeps a process from neither
 * the memory's bandwidth nor the disk. Where the machine is busy a piece takes longer, and so does the pause behind it.
 * Holds its thread, so it is for a process of its own.
 */
export function paced({ clock, sleep }: PacedDeps = { clock: systemClock, sleep: Bun.sleepSync }): Pace {
  let done = 0
  let begun = clock.monotonic()
  return (bytes) => {
    done += bytes
    if (done < PIECE) return
    sleep(Math.min(Math.max(clock.monotonic() - begun, SHORTEST), LONGEST))
    done = 0
    begun = clock.monotonic()
  }
}
