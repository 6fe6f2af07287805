import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { EventName } from '../events/catalog.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { sendSigned } from './delivery.ts'
import { bodyHead, bodyList, eventJson } from './envelope.ts'
import type { TestResult } from './model.ts'
import type { Subscription } from './operations.ts'
import { samples } from './samples.ts'

/** decisions §3: one test delivery per subscription in so many milliseconds. */
const INTERVAL = 5_000

/** Lets one test delivery of a subscription pass every five seconds. */
export class TestLimiter {
  readonly #last = new Map<string, number>()

  constructor(private readonly clock: Clock) {}

  /** Throws `too_soon` when the last one was less than five seconds ago. */
  take(webhookId: string): void {
    const now = this.clock.monotonic()
    for (const [id, at] of this.#last) {
      if (now - at < INTERVAL) break
      this.#last.delete(id)
    }
    const last = this.#last.get(webhookId)
    if (last !== undefined) {
      const retryAfter = Math.ceil((last + INTERVAL - now) / 1000)
      throw new AppError('too_soon', 'a test delivery was made a moment ago', { retryAfter })
    }
    this.#last.set(webhookId, now)
  }
}

/**
 * Sends one sample event of the first kind subscribed, signed like any other delivery (decisions §9 Test delivery). It
 * is made once and stands in no history.
 */
export async function deliverTest(
  { id, url, secret, events }: Pick<Subscription, 'id' | 'url' | 'events'> & { secret: string | null },
  { timeoutMs, allowPrivate }: Config['webhook'],
  at: number,
): Promise<TestResult> {
  const event = events[0] as EventName
  const timestamp = formatTime(at)
  const batchId = newId(at)
  const sample = eventJson({ eventId: newId(at), event, timestamp, payload: JSON.stringify(samples[event]) })
  const body = Buffer.from(bodyHead({ batchId, subscriberId: id, timestamp }) + bodyList([sample]))
  const result = await sendSigned({ url, secret, body, batchId, attempt: 1, at }, { timeoutMs, allowPrivate })
  return { success: result.error === null, statusCode: result.statusCode ?? 0, responseBody: result.responseBody }
}
