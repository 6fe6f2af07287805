/** Where time comes from. Handed in, so that a test can move it; nothing else reads the clock. */
export interface Clock {
  /** Milliseconds since 1970, as the wall clock has them: it may jump either way. */
  now(): number
  /** Milliseconds from some fixed point; never goes back. For limits and durations. */
  monotonic(): number
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
