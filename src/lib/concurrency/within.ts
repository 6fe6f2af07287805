/** Whether the promise was fulfilled within so many milliseconds. Rejects where it does by then; later, nobody hears of it. */
export async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, ms, false)
  const fulfilled = promise.then(() => true)
  fulfilled.catch(() => {})
  try {
    return await Promise.race([fulfilled, over])
  } finally {
    clearTimeout(timer)
  }
}
