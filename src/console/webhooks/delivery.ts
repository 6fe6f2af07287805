import { notFound } from '../../errors.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { findBody, getDelivery } from '../../webhooks/history/history.ts'
import { redeliver, retryNow } from '../../webhooks/history/redelivery.ts'
import type { Delivery } from '../../webhooks/model.ts'
import { findAnyWebhook, type Subscription } from '../../webhooks/operations.ts'
import { backLink, card, definitions, pageHead, time } from '../components/display.ts'
import { button, form } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import { type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { bodyView } from './body.ts'
import { outcomeOf, whyOf } from './outcome.ts'
import { deliveryBadge } from './states.ts'

const idsOf = ({ params }: Visit) => [params.webhookId as string, params.batchId as string] as const

/** One batch: every attempt to send it, why it failed, and what was sent. */
export async function deliveryPage(visit: Visit): Promise<PageContent> {
  const { db, principal } = visit
  const { say, write } = visit.wording
  const [webhookId, batchId] = idsOf(visit)
  const webhook = await findAnyWebhook(db, principal.tenantId, webhookId)
  const delivery = await getDelivery(db, principal.tenantId, webhook.id, batchId)
  const body = await findBody(db, principal.tenantId, webhook.id, batchId)
  const path = `/console/webhooks/${webhook.id}`
  const own = `${path}/deliveries/${delivery.id}`
  const title = say('deliveryTitle', { name: webhook.name })
  return {
    title,
    body: html`${backLink(visit, path, webhook.name)}
${pageHead(title, webhook.deletedAt === null && again(visit, own, delivery), html`<code>${webhook.url}</code>`)}
${trouble(visit, delivery, path, webhook)}
${card(
  say('webhookFacts'),
  definitions([
    [say('webhookState'), deliveryBadge(say, delivery)],
    [say('deliveryEvents'), write(delivery.eventCount)],
    [say('deliveryCollected'), time(visit, delivery.createdAt)],
    [say('deliveryDelivered'), delivery.deliveredAt && time(visit, delivery.deliveredAt)],
    [say('deliveryNext'), nextOf(visit, delivery)],
    [say('deliveryId'), html`<code>${delivery.id}</code>`],
  ]),
)}
<h2>${say('deliveryAttempts')}</h2>
${attempts(visit, delivery)}
${card(say('bodyTitle'), body === null ? html`<p>${say(delivery.status === 'collecting' ? 'bodyNone' : 'bodyNever')}</p>` : bodyView(visit, body, `${own}/body`))}`,
  }
}

const nextOf = (visit: Visit, { status, nextAttemptAt }: Delivery) =>
  status === 'retrying' && nextAttemptAt && time(visit, nextAttemptAt)

/** What can be done with a batch as things stand: nothing while it is on its way by itself. */
function again(visit: Visit, path: string, { status, nextAttemptAt }: Delivery): Markup | false {
  const { say } = visit.wording
  if (status === 'delivered' || status === 'failed') {
    const kind = status === 'failed' ? 'primary' : 'secondary'
    return form(visit, { action: `${path}/redeliver`, inline: true }, button(say('deliveryRedeliver'), { kind }))
  }
  if (status !== 'retrying' || nextAttemptAt === null) return false
  return form(visit, { action: `${path}/retry`, inline: true }, button(say('deliveryRetryNow')))
}

/** Why the last attempt failed, and how to go on. */
function trouble(visit: Visit, delivery: Delivery, path: string, { active, deletedAt }: Subscription): Markup | false {
  const { say } = visit.wording
  const last = delivery.attempts.at(-1)
  if (!last || (delivery.status !== 'failed' && delivery.status !== 'retrying')) return false
  const why = whyOf(say, last, visit.deps.config.webhook)
  const going = active ? say('deliveryMended') : say('deliveryMendedPaused')
  const then = delivery.status === 'failed' ? say('deliveryMendedOver') : going
  return html`<section class="card trouble" aria-labelledby="trouble"><h2 id="trouble">${outcomeOf(say, last)}</h2>
<p>${why}</p>${deletedAt === null && html`<p>${then} <a href="${visit.href(`${path}/edit`)}">${say('webhookMendUrl')}</a></p>`}</section>`
}

function attempts(visit: Visit, delivery: Delivery): Markup {
  const { say, write } = visit.wording
  return table({
    caption: say('deliveryAttempts'),
    hidesCaption: true,
    columns: [
      { label: say('attemptNumber') },
      { label: say('attemptTime') },
      { label: say('attemptAnswer') },
      { label: say('attemptDuration'), kind: 'number' },
    ],
    rows: delivery.attempts.map((attempt, index) => {
      const before = delivery.attempts[index - 1]
      const isSame = before?.error === attempt.error && before.statusCode === attempt.statusCode
      // Six times the same would say no more.
      const why = !isSame && whyOf(say, attempt, visit.deps.config.webhook)
      return [
        write(index + 1),
        time(visit, attempt.at),
        html`${outcomeOf(say, attempt)}${why && html`<div class="under">${why}</div>`}`,
        say('milliseconds', { count: attempt.durationMs }),
      ]
    }),
    empty: say('attemptsNone'),
  })
}

/** Sends a batch that is over once more. */
export async function redeliverAction(visit: Visit): Promise<Redirect> {
  const [webhookId, batchId] = idsOf(visit)
  await visit.change((tx, caller) => redeliver(tx, caller, webhookId, batchId))
  return redirectTo(`/console/webhooks/${webhookId}/deliveries/${batchId}`, visit.wording.say('deliveryQueued'))
}

/** Makes the next attempt now. */
export async function retryAction(visit: Visit): Promise<Redirect> {
  const [webhookId, batchId] = idsOf(visit)
  await visit.change((tx, caller) => retryNow(tx, caller, webhookId, batchId))
  return redirectTo(`/console/webhooks/${webhookId}/deliveries/${batchId}`, visit.wording.say('deliveryDue'))
}

/** The body to the byte, as a file. */
export async function bodyFile({ db, principal, params }: Visit): Promise<Response> {
  const { webhookId, batchId } = params as Record<'webhookId' | 'batchId', string>
  const webhook = await findAnyWebhook(db, principal.tenantId, webhookId)
  const { id } = await getDelivery(db, principal.tenantId, webhook.id, batchId)
  const body = await findBody(db, principal.tenantId, webhook.id, id)
  if (body === null) throw notFound('body')
  return new Response(body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${id}.json"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
