import type { KeyPrincipal } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { LogText } from '../events/log-text.ts'
import type { Place } from '../events/places.ts'
import type { EventName } from '../kinds/events.ts'

/** Requests of one key that may be held at a time, on one node. */
export const MOST_HELD = 20
/** Seconds for which one may be. */
export const LONGEST_WAIT = 30
/** Seconds after which one that was too many may be tried again. */
const RETRY_AFTER = 1

/** What a request waits for, and no longer than until its client has gone or the service stops. */
interface Wait {
  readonly principal: Pick<KeyPrincipal, 'keyId' | 'tenantId'>
  readonly kinds: readonly EventName[]
  readonly seconds: number
  readonly gone: AbortSignal
}

/** Holds requests for the log until there is something, so many of each key. */
export function holder({ eventWatch, live }: Pick<Deps, 'eventWatch' | 'live'>) {
  const held = new Map<string, number>()

  function count(keyId: string): () => void {
    const already = held.get(keyId) ?? 0
    if (already >= MOST_HELD) {
      throw new AppError('too_soon', 'too many requests of this key are held', { retryAfter: RETRY_AFTER })
    }
    held.set(keyId, already + 1)
    return () => {
      const left = (held.get(keyId) ?? 1) - 1
      if (left === 0) held.delete(keyId)
      else held.set(keyId, left)
    }
  }

  /**
   * Reads from `after` on, again whenever there may be more, until something was found or the time is over: then the page is
   * empty. Throws `too_soon` where the key has too many held already.
   */
  return async function hold(
    { principal, kinds, seconds, gone }: Wait,
    after: Place,
    read: (after: Place) => Promise<LogText>,
  ): Promise<LogText> {
    const uncount = count(principal.keyId)
    const over = new AbortController()
    const end = () => over.abort()
    const timer = setTimeout(end, seconds * 1000)
    const forget = live.onStop(end)
    gone.addEventListener('abort', end, { once: true })
    try {
      const waiting = await eventWatch.wait(principal.tenantId, kinds)
      try {
        let page = await read(after)
        while (page.json === '' && !over.signal.aborted && !gone.aborted) {
          await waiting.next(over.signal)
          page = await read(page.place)
        }
        return page
      } finally {
        waiting.end()
      }
    } finally {
      clearTimeout(timer)
      forget()
      gone.removeEventListener('abort', end)
      uncount()
    }
  }
}
