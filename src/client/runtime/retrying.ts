import { FrontdeskError } from './error.ts'

/** A wait that is longer than this, in seconds, is the caller's to decide about. */
const LONGEST_WAIT = 120
/** Where nothing says how long to wait, in seconds. */
const FIRST_WAIT = 0.5
const LONGEST_GUESS = 30

/**
 * Does what `attempt` does, and again after a 429, a 503 or where no whole answer came: up to `retries` times, each after as
 * long as `Retry-After` says, else twice as long as before. `attempt` throws errors that are not for repeating.
 */
export async function retried<T>(
  attempt: () => Promise<T>,
  { retries, signal }: { retries: number; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      const seconds = error instanceof Repeatable ? (error.retryAfter ?? backoff(failed)) : Number.POSITIVE_INFINITY
      if (failed >= retries || seconds > LONGEST_WAIT) throw error instanceof Repeatable ? error.reason : error
      await pause(seconds * 1000, signal)
    }
  }
}

/** Thrown by an attempt that may be made again. `retryAfter` is in seconds. */
export class Repeatable extends Error {
  constructor(
    readonly reason: FrontdeskError,
    readonly retryAfter: number | null = null,
  ) {
    super(reason.message)
  }
}

/** No whole answer came. */
export function connectionLost(asked: string, cause: unknown): Repeatable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Repeatable(new FrontdeskError(`${asked}: ${reason}`, { code: 'connection_lost', cause }))
}

/** The seconds of a `Retry-After`; null where there is none. What is in between may send a date. */
export function retryAfterOf(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/** Twice as long each time; up to a half less, so that those who failed together do not return so. */
function backoff(failed: number): number {
  return Math.min(LONGEST_GUESS, FIRST_WAIT * 2 ** failed) * (1 - Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
