import { batchStates } from '../../kinds/webhooks.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { listDeliveries } from '../../webhooks/history/history.ts'
import { type LiveState, liveStates } from '../../webhooks/live-state.ts'
import type { Delivery, DeliveryStatus } from '../../webhooks/model.ts'
import { findAnyWebhook, type Subscription } from '../../webhooks/operations.ts'
import { isReplaying } from '../../webhooks/replay/replay.ts'
import { backLink, card, definitions, linkButton, pageHead, time } from '../components/display.ts'
import { button, form, select } from '../components/forms.ts'
import { filters, pager, table } from '../components/lists.ts'
import type { Again, PageContent, Visit } from '../visit.ts'
import { eventWords } from './events.ts'
import { outcomeOf, whyOf } from './outcome.ts'
import { replayForm } from './replay.ts'
import { deliveryBadge, deliveryWords, webhookBadges } from './states.ts'

/** Batches on a page. */
const PAGE = 50

/** One webhook: how it is doing, and all that was sent. Of a deleted one the history stays readable. */
export async function webhookPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, query } = visit
  const { say } = visit.wording
  const { tenantId } = principal
  const webhook = await findAnyWebhook(db, tenantId, visit.params.webhookId as string)
  const status = batchStates.find((state) => state === query.get('status'))
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const [states, { items, nextCursor }] = await Promise.all([
    liveStates(db, tenantId),
    listDeliveries(db, tenantId, webhook.id, page, status),
  ])
  const live = states.get(webhook.id) ?? null
  // It also stands in for the answer to a form that was sent to a path below its own.
  const here = { ...visit, url: new URL(`/console/webhooks/${webhook.id}${visit.url.search}`, visit.url) }
  return {
    title: webhook.name,
    body: html`${backLink(visit, '/console/webhooks', say('webhooksTitle'))}
${pageHead(webhook.name, live && actions(visit, webhook), html`<code>${webhook.url}</code>`)}
${live?.failing && mending(visit, webhook, live.failing)}
${facts(visit, webhook, live)}
${live && replayForm(visit, webhook.id, await isReplaying(db, tenantId, webhook.id), again)}
<h2>${say('deliveries')}</h2>
${filters(
  here,
  say('deliveryFilter'),
  select(visit, {
    name: 'status',
    label: say('webhookState'),
    options: [['', say('all')], ...batchStates.map((state) => [state, say(deliveryWords[state])] as const)],
    value: status ?? '',
  }),
)}
${history(visit, webhook, items, status)}
${pager(here, nextCursor)}`,
  }
}

function actions(visit: Visit, { id, active }: Subscription): Insert[] {
  const { say } = visit.wording
  const path = `/console/webhooks/${id}`
  const one = (action: string, label: string) =>
    form(visit, { action: `${path}/${action}`, inline: true }, button(label, { kind: 'secondary' }))
  return [
    one('test', say('webhookSendTest')),
    active ? one('pause', say('webhookPause')) : one('resume', say('webhookResume')),
    linkButton(visit, `${path}/edit`, say('edit'), 'secondary'),
  ]
}

/** Why deliveries fail, and what can be done about it from here. */
function mending(visit: Visit, { id }: Subscription, { batchId, attempt }: NonNullable<LiveState['failing']>): Markup {
  const { say } = visit.wording
  const path = `/console/webhooks/${id}`
  return html`<section class="card trouble" aria-labelledby="trouble"><h2 id="trouble">${say('webhookMend')}</h2>
${
  attempt &&
  html`<p><strong>${outcomeOf(say, attempt)}</strong> · ${time(visit, attempt.at)}</p><p>${whyOf(say, attempt, visit.deps.config.webhook)}</p>`
}
<div class="buttons">${linkButton(visit, `${path}/edit`, say('webhookMendUrl'))}${linkButton(visit, `${path}/deliveries/${batchId}`, say('webhookMendLook'), 'secondary')}</div></section>`
}

function facts(visit: Visit, webhook: Subscription, live: LiveState | null): Markup {
  const { say } = visit.wording
  return card(
    say('webhookFacts'),
    definitions([
      [say('webhookState'), webhookBadges(say, webhook, live)],
      [
        say('webhookEvents'),
        html`<ul class="plain">${webhook.events.map((event) => html`<li>${say(eventWords[event].label)}</li>`)}</ul>`,
      ],
      [say('webhookSigned'), live && say(webhook.sealedSecret === null ? 'no' : 'yes')],
      [
        say('webhookWaiting'),
        live && (live.waiting === 0 ? say('none') : say('webhookWaitingCount', { count: live.waiting })),
      ],
      [say('webhookLastDelivery'), live && (live.lastDeliveredAt ? time(visit, live.lastDeliveredAt) : say('never'))],
    ]),
  )
}

function history(
  visit: Visit,
  webhook: Subscription,
  items: readonly Delivery[],
  status: DeliveryStatus | undefined,
): Markup {
  const { say } = visit.wording
  return table({
    caption: say('deliveries'),
    hidesCaption: true,
    columns: [
      { label: say('deliveryCollected') },
      { label: say('webhookState') },
      { label: say('deliveryEvents'), kind: 'number' },
      { label: say('deliveryAttempts'), kind: 'number' },
      { label: say('deliveryOutcome') },
      { label: say('deliveryNext') },
      { label: say('actions'), kind: 'actions' },
    ],
    rows: items.map((delivery) => row(visit, webhook, delivery)),
    empty: say(status ? 'deliveriesNoneSuch' : 'deliveriesNone'),
  })
}

function row(visit: Visit, { id, deletedAt }: Subscription, delivery: Delivery): Insert[] {
  const { say, write } = visit.wording
  const last = delivery.attempts.at(-1)
  const path = `/console/webhooks/${id}/deliveries/${delivery.id}`
  return [
    html`<a href="${visit.href(path)}">${time(visit, delivery.createdAt)}</a>`,
    deliveryBadge(say, delivery),
    write(delivery.eventCount),
    write(delivery.attempts.length),
    last && outcomeOf(say, last),
    delivery.nextAttemptAt && delivery.status === 'retrying' && time(visit, delivery.nextAttemptAt),
    deletedAt === null &&
      delivery.status === 'failed' &&
      form(visit, { action: `${path}/redeliver`, inline: true }, button(say('deliveryRedeliver'), { kind: 'quiet' })),
  ]
}
