/**
 * How long anything may take that a test waits for, in milliseconds. No test is judged by it: it ends what would hang,
 * and is far longer than a machine that has ten times as much to do ever takes.
 */
export const PATIENCE = 600_000

/** How long a test may take, in milliseconds: longer than its waiting, so that what never came is what it says. */
export const LIMIT = 3 * PATIENCE

type Found<T> = Exclude<T, false | null | undefined | 0 | ''>

/** Resolves with what `look` finds, once that is neither false nor nothing. It looks again and again, after `meanwhile`. */
export async function until<T>(
  look: () => T | Promise<T>,
  meanwhile: () => unknown = () => {},
): Promise<Found<Awaited<T>>> {
  const late = new Error('it never came to hold')
  const end = performance.now() + PATIENCE
  do {
    await meanwhile()
    const found = await look()
    if (found) return found as Found<Awaited<T>>
    await Bun.sleep(10)
  } while (performance.now() < end)
  throw late
}
