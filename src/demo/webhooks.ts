import { recordAttempt } from '../webhooks/attempts.ts'
import { listDeliveries } from '../webhooks/history.ts'
import { createWebhook, updateWebhook } from '../webhooks/operations.ts'
import { DAY, HOUR, type Step } from './timeline.ts'

const POLICY = { allowPrivate: false, windowMs: 20_000 }
/** How long a failed delivery would wait; all of these were taken. */
const RETRY_BASE = 30_000
/** Deliveries shown: one page of the history. */
const SHOWN = 100

const SUBSCRIPTION = {
  name: 'CRM sync',
  url: 'https://crm.harbourandpine.example/hooks/frontdesk',
  events: ['contact.created_or_updated', 'ticket.created', 'ticket.status_changed'] as const,
}

/**
 * A subscription that took what happened in the last hours and is paused since: nobody outside hears from a demo.
 * To be the last of all steps.
 */
export function webhookSteps(now: number): Step[] {
  const events = [...SUBSCRIPTION.events]
  let webhookId = ''
  return [
    {
      at: now - DAY / 2,
      async run(tx, caller) {
        webhookId = (await createWebhook(tx, caller, { ...SUBSCRIPTION, events, active: true }, POLICY)).id
      },
    },
    {
      at: now,
      async run(tx, caller) {
        const { tenantId, at } = caller
        await updateWebhook(tx, caller, webhookId, { ...SUBSCRIPTION, events, active: false }, POLICY)
        const { items } = await listDeliveries(tx, tenantId, webhookId, { cursor: undefined, limit: SHOWN }, undefined)
        for (const { id: batchId } of items.toReversed()) {
          const claim = { tenantId, webhookId, batchId, attempts: 0, head: '', listNumber: 0 }
          const outcome = { at: at - HOUR, statusCode: 200, error: null, durationMs: 87 }
          await recordAttempt(tx, claim, outcome, at - HOUR, RETRY_BASE)
        }
      },
    },
  ]
}
