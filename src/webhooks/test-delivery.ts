import type { Config } from '../config.ts'
import type { RequestWindows } from '../db/shared.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { EventName } from '../events/catalog.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { PostResult } from '../lib/outbound-post.ts'
import { formatTime } from '../lib/time.ts'
import { sendSigned } from './delivery.ts'
import { bodyHead, bodyList, eventJson } from './envelope.ts'
import type { TestResult } from './model.ts'
import { findWebhook, type Subscription } from './operations.ts'
import { samples } from './samples.ts'
import { openSecret } from './secret.ts'

/** decisions §3: one test delivery per subscription in so many milliseconds. */
const INTERVAL = 5_000

/** Lets one test delivery of a subscription pass every five seconds, over all nodes where several share a database. */
export class TestLimiter {
  readonly #last = new Map<string, number>()

  constructor(
    private readonly clock: Clock,
    private readonly shared: RequestWindows | null,
  ) {}

  /** Throws `too_soon` when the last one was less than five seconds ago, `unavailable`. */
  async take(webhookId: string): Promise<void> {
    const wait = this.shared ? await waitOf(this.shared, webhookId) : this.#waitHere(webhookId)
    if (wait === 0) return
    throw new AppError('too_soon', 'a test delivery was made a moment ago', { retryAfter: Math.ceil(wait / 1000) })
  }

  /** Milliseconds to wait; none, and it is counted. */
  #waitHere(webhookId: string): number {
    const now = this.clock.monotonic()
    for (const [id, at] of this.#last) {
      if (now - at < INTERVAL) break
      this.#last.delete(id)
    }
    const last = this.#last.get(webhookId)
    if (last !== undefined) return last + INTERVAL - now
    this.#last.set(webhookId, now)
    return 0
  }
}

async function waitOf(windows: RequestWindows, webhookId: string): Promise<number> {
  const { granted, reset } = await windows.take(`test ${webhookId}`, { limit: 1, window: INTERVAL, wanted: 1 })
  return granted > 0 ? 0 : reset
}

/**
 * Sends one sample event to a subscription, active or not, and says what came of it. Throws `not_found`, and `too_soon`
 * when the last one was less than five seconds ago.
 */
export async function sendTest(
  { config, database, secrets, webhookTests }: Pick<Deps, 'config' | 'database' | 'secrets' | 'webhookTests'>,
  tenantId: string,
  webhookId: string,
  at: number,
): Promise<PostResult> {
  const webhook = await findWebhook(database.db, tenantId, webhookId)
  await webhookTests.take(webhook.id)
  const { sealedSecret } = webhook
  const secret = openSecret(secrets, { tenantId, webhookId: webhook.id, sealedSecret })
  return deliverTest({ ...webhook, secret }, config.webhook, at)
}

/** What came of a test delivery, as the API says it. */
export function testResult({ error, statusCode, responseBody }: PostResult): TestResult {
  return { success: error === null, statusCode: statusCode ?? 0, responseBody }
}

/**
 * Sends one sample event of the first kind subscribed, signed like any other delivery (decisions §9 Test delivery). It
 * is made once and stands in no history.
 */
async function deliverTest(
  { id, url, secret, events }: Pick<Subscription, 'id' | 'url' | 'events'> & { secret: string | null },
  { timeoutMs, allowPrivate }: Config['webhook'],
  at: number,
): Promise<PostResult> {
  const event = events[0] as EventName
  const timestamp = formatTime(at)
  const batchId = newId(at)
  const sample = eventJson({ eventId: newId(at), event, timestamp, payload: JSON.stringify(samples[event]) })
  const body = Buffer.from(bodyHead({ batchId, subscriberId: id, timestamp }) + bodyList([sample]))
  return sendSigned({ url, secret, body, batchId, attempt: 1, at }, { timeoutMs, allowPrivate })
}
