/** How long the serving thread is held up at a time, in milliseconds. */
const LONGEST_TURN = 10

/** For long work in small steps: what is returned is awaited between two of them, and lets others be served now and then. */
export function pausing(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < LONGEST_TURN) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}
