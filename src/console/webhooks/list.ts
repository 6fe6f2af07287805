import { html } from '../../lib/html/markup.ts'
import { type LiveState, liveStates } from '../../webhooks/live-state.ts'
import type { Webhook } from '../../webhooks/model.ts'
import { listWebhooks } from '../../webhooks/operations.ts'
import { emptyState, linkButton, pageHead, time } from '../components/display.ts'
import { table } from '../components/lists.ts'
import type { PageContent, Visit } from '../visit.ts'
import { outcomeOf } from './outcome.ts'
import { webhookBadges } from './states.ts'

/** All webhooks of the tenant, and how each is doing. */
export async function listPage(visit: Visit): Promise<PageContent> {
  const { db, deps, principal } = visit
  const { say } = visit.wording
  const [webhooks, states] = await Promise.all([
    listWebhooks(db, principal.tenantId),
    liveStates(db, principal.tenantId),
  ])
  const create = linkButton(visit, '/console/webhooks/new', say('webhookNew'))
  const seconds = Math.ceil(deps.config.webhook.windowMs / 1000)
  return {
    title: say('webhooksTitle'),
    body: html`${pageHead(say('webhooksTitle'), webhooks.length > 0 && create, say('webhooksIntro', { seconds }))}
${
  webhooks.length === 0
    ? emptyState(say('webhooksNone'), create)
    : table({
        caption: say('webhooksTitle'),
        hidesCaption: true,
        columns: [
          { label: say('webhookColumn') },
          { label: say('webhookState') },
          { label: say('webhookEvents'), kind: 'number' },
          { label: say('webhookWaiting'), kind: 'number' },
          { label: say('webhookLastDelivery') },
          { label: say('actions'), kind: 'actions' },
        ],
        rows: webhooks.map((webhook) => row(visit, webhook, states.get(webhook.id) ?? null)),
        empty: say('webhooksNone'),
      })
}`,
  }
}

function row(visit: Visit, webhook: Webhook, live: LiveState | null) {
  const { say, write } = visit.wording
  const path = `/console/webhooks/${webhook.id}`
  const attempt = live?.failing?.attempt
  return [
    html`<a href="${visit.href(path)}">${webhook.name}</a><div class="under clip"><code>${webhook.url}</code></div>`,
    html`${webhookBadges(say, webhook, live)}${attempt && html`<div class="under brief">${outcomeOf(say, attempt)}</div>`}`,
    write(webhook.events.length),
    write(live?.waiting ?? 0),
    live?.lastDeliveredAt ? time(visit, live.lastDeliveredAt) : say('never'),
    html`<a href="${visit.href(`${path}/edit`)}" aria-label="${`${say('edit')}: ${webhook.name}`}">${say('edit')}</a>`,
  ]
}
