import type { Clock } from '../lib/clock.ts'

/** Told what was just done, as often as anything is. */
export type Progress = (what: string) => void

/** For who needs no telling. */
export const silent: Progress = () => {}

/** In milliseconds. */
const EVERY = 1_000

/** Says now and then what was done last: nothing of what takes no longer. */
export function nowAndThen(say: (line: string) => void, clock: Pick<Clock, 'monotonic'>): Progress {
  let last = clock.monotonic()
  return (what) => {
    const now = clock.monotonic()
    if (now - last < EVERY) return
    last = now
    say(what)
  }
}
