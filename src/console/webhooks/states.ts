import type { Markup } from '../../lib/html/markup.ts'
import type { LiveState } from '../../webhooks/live-state.ts'
import type { Delivery, DeliveryStatus } from '../../webhooks/model.ts'
import { badge } from '../components/display.ts'
import type { SayConsole } from '../words/index.ts'

/** What a batch's state is called. */
export const deliveryWords = {
  collecting: 'deliveryCollecting',
  pending: 'deliveryPending',
  retrying: 'deliveryRetrying',
  delivered: 'deliveryDelivered',
  failed: 'deliveryFailed',
} as const satisfies Record<DeliveryStatus, string>

const tones = {
  collecting: 'neutral',
  pending: 'accent',
  retrying: 'warn',
  delivered: 'good',
  failed: 'bad',
} as const satisfies Record<DeliveryStatus, string>

export function deliveryBadge(say: SayConsole, { status }: Pick<Delivery, 'status'>): Markup {
  return badge(say(deliveryWords[status]), tones[status])
}

/** Whether a subscription is active, and whether it fails. `live` is null once it is deleted. */
export function webhookBadges(say: SayConsole, { active }: { active: boolean }, live: LiveState | null) {
  if (live === null) return badge(say('webhookDeleted'))
  const state = active ? badge(say('webhookActive'), live.failing ? 'neutral' : 'good') : badge(say('webhookPaused'))
  return live.failing ? [badge(say('webhookFailing'), 'bad'), ' ', state] : state
}
