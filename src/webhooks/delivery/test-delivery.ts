import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import type { EventName } from '../../kinds/events.ts'
import { newId } from '../../lib/ids.ts'
import type { PostResult } from '../../lib/network/outbound-post.ts'
import { formatTime } from '../../lib/time.ts'
import { bodyHead, bodyList, eventJson } from '../body/envelope.ts'
import { samples } from '../body/samples.ts'
import { openSecret } from '../body/secret.ts'
import type { TestResult } from '../model.ts'
import { findWebhook, type Subscription } from '../operations.ts'
import { sendSigned } from './delivery.ts'

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
