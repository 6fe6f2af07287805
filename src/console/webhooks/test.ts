import { AppError } from '../../errors.ts'
import { html } from '../../lib/html/markup.ts'
import { formatTime } from '../../lib/time.ts'
import { sendTest } from '../../webhooks/delivery/test-delivery.ts'
import { findWebhook } from '../../webhooks/operations.ts'
import { backLink, badge, card, definitions, linkButton, pageHead, time } from '../components/display.ts'
import { button, form } from '../components/forms.ts'
import { Refusal } from '../refusal.ts'
import type { PageContent, Visit } from '../visit.ts'
import { outcomeOf, whyOf } from './outcome.ts'

/** Characters of an answer that are shown. */
const SHOWN = 4_000

/** Sends a test delivery, and shows what the receiver made of it. */
export async function testAction(visit: Visit): Promise<PageContent> {
  const { deps, principal } = visit
  const { say } = visit.wording
  const webhook = await findWebhook(visit.db, principal.tenantId, visit.params.webhookId as string)
  const result = await sendTest(deps, principal.tenantId, webhook.id, visit.at).catch((error) => {
    throw tooSoon(visit, error)
  })
  const path = `/console/webhooks/${webhook.id}`
  const title = say('testTitle', { name: webhook.name })
  const why = whyOf(say, result, deps.config.webhook)
  const isTaken = result.error === null
  return {
    title,
    width: 'narrow',
    body: html`${backLink(visit, path, webhook.name)}
${pageHead(title, null, say('testIntro'))}
${card(
  isTaken ? say('testPassed') : say('testFailed'),
  html`${why && html`<p>${why}</p>`}
${definitions([
  [
    say('testStatus'),
    badge(result.statusCode === null ? say('testNoStatus') : String(result.statusCode), isTaken ? 'good' : 'bad'),
  ],
  [say('attemptAnswer'), outcomeOf(say, result)],
  [say('testTime'), time(visit, formatTime(visit.at))],
  [say('attemptDuration'), say('milliseconds', { count: Math.round(result.durationMs) })],
  [say('webhookUrl'), html`<code>${webhook.url}</code>`],
])}
${
  result.statusCode !== null &&
  html`<h3>${say('testAnswer')}</h3>${
    result.responseBody === ''
      ? html`<p>${say('testNoAnswer')}</p>`
      : html`<pre class="text code raw" tabindex="0" role="region" aria-label="${say('testAnswer')}">${result.responseBody.slice(0, SHOWN)}</pre>`
  }`
}`,
)}
<div class="buttons">${form(visit, { action: `${path}/test`, inline: true }, button(say('testAgain'), { kind: isTaken ? 'secondary' : 'primary' }))}${linkButton(visit, `${path}/edit`, say('webhookMendUrl'), 'secondary')}</div>`,
  }
}

/** One test in five seconds: what comes sooner is told how long to wait. */
function tooSoon({ wording }: Visit, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'too_soon') return error
  const seconds = Number(error.details.retryAfter)
  const text = wording.say('testTooSoon', { count: seconds })
  return new Refusal({ field: null, text }, 429, { 'retry-after': String(seconds) })
}
