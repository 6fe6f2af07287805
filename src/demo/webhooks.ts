import { eventNames } from '../kinds/events.ts'
import type { Secrets } from '../secrets/seal.ts'
import { claimWaiting } from '../webhooks/batches/batches.ts'
import { recordAttempt } from '../webhooks/delivery/attempts.ts'
import { listDeliveries } from '../webhooks/history/history.ts'
import { createWebhook, updateWebhook } from '../webhooks/operations.ts'
import { DAY, HOUR, type Step } from './timeline.ts'

/** How long a failed delivery would wait; all of these were taken. */
const RETRY_BASE = 30_000
/** Who made its deliveries. */
const NODE = 'demo'
/** More than a day has events. */
const MOST = 100

const SUBSCRIPTION = {
  name: 'CRM sync',
  url: 'https://crm.harbourandpine.example/hooks/frontdesk',
}

/**
 * A subscription that took what happened in the last day and is paused since: nobody outside hears from a demo.
 * To be the last of all steps.
 */
export function webhookSteps(now: number, secrets: Secrets): Step[] {
  const policy = { allowPrivate: false, windowMs: 20_000, secrets }
  const events = [...eventNames]
  let webhookId = ''
  return [
    {
      at: now - DAY,
      async run(tx, caller) {
        webhookId = (await createWebhook(tx, caller, { ...SUBSCRIPTION, events, active: true }, policy)).id
      },
    },
    {
      at: now,
      async run(tx, caller) {
        const { tenantId, at } = caller
        await updateWebhook(tx, caller, webhookId, { ...SUBSCRIPTION, events, active: false }, policy)
        await claimWaiting(tx, { tenantId, webhookId }, NODE)
        const { items } = await listDeliveries(tx, tenantId, webhookId, { cursor: undefined, limit: MOST }, undefined)
        for (const { id: batchId } of items.toReversed()) {
          const claim = { tenantId, webhookId, batchId, attempts: 0, head: '', listNumber: 0, claimedBy: NODE }
          const outcome = { at: at - HOUR, statusCode: 200, error: null, durationMs: 87 }
          await recordAttempt(tx, claim, outcome, at - HOUR, RETRY_BASE)
        }
      },
    },
  ]
}
