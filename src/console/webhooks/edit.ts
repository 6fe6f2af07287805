import { html } from '../../lib/html/markup.ts'
import { createWebhook, deleteWebhook, getWebhook, updateWebhook } from '../../webhooks/operations.ts'
import { backLink, card, copyable, linkButton, pageHead } from '../components/display.ts'
import { confirmed } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { readWebhookForm, webhookForm } from './form.ts'

/** What operations have to know besides what was typed. */
const policyOf = ({ deps }: Visit) => ({ ...deps.config.webhook, secrets: deps.secrets })

export function newPage(visit: Visit, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: say('webhookNew'),
    width: 'narrow',
    body: html`${backLink(visit, '/console/webhooks', say('webhooksTitle'))}
${pageHead(say('webhookNew'))}
<div class="card">${webhookForm(visit, null, again)}</div>`,
  }
}

export async function create(visit: Visit, sent: FormFields): Promise<PageContent | Redirect> {
  const input = { ...readWebhookForm(visit, sent), active: true }
  const webhook = await visit.change((tx, caller) => createWebhook(tx, caller, input, policyOf(visit)))
  const path = `/console/webhooks/${webhook.id}`
  const done = visit.wording.say('webhookCreated')
  return input.secret ? secretPage(visit, webhook, input.secret, done) : redirectTo(path, done)
}

export async function editPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const webhook = await getWebhook(visit.db, visit.principal.tenantId, visit.params.webhookId as string)
  const path = `/console/webhooks/${webhook.id}`
  return {
    title: say('webhookEdit'),
    width: 'narrow',
    body: html`${backLink(visit, path, webhook.name)}
${pageHead(say('webhookEdit'))}
<div class="card">${webhookForm(visit, webhook, again)}</div>
${card(
  say('webhookDeleteTitle'),
  confirmed(visit, {
    label: say('webhookDelete'),
    question: say('webhookDeleteAsk', { name: webhook.name }),
    action: `${path}/delete`,
  }),
)}`,
  }
}

export async function save(visit: Visit, sent: FormFields): Promise<PageContent | Redirect> {
  const { id, name } = await getWebhook(visit.db, visit.principal.tenantId, visit.params.webhookId as string)
  const input = { ...readWebhookForm(visit, sent), active: sent.has('active') }
  await visit.change((tx, caller) => updateWebhook(tx, caller, id, input, policyOf(visit)))
  const done = visit.wording.say('webhookSaved')
  return input.secret
    ? secretPage(visit, { id, name }, input.secret, done)
    : redirectTo(`/console/webhooks/${id}`, done)
}

/** Pauses a webhook, or lets it go on; all else stays as it is. */
export async function setActive(visit: Visit, active: boolean): Promise<Redirect> {
  const id = visit.params.webhookId as string
  await visit.change(async (tx, caller) => {
    const { name, url, events } = await getWebhook(tx, caller.tenantId, id)
    await updateWebhook(tx, caller, id, { name, url, events, active }, policyOf(visit))
  })
  return redirectTo(`/console/webhooks/${id}`, visit.wording.say(active ? 'webhookResumed' : 'webhookWasPaused'))
}

export async function remove(visit: Visit): Promise<Redirect> {
  await visit.change((tx, caller) => deleteWebhook(tx, caller, visit.params.webhookId as string, policyOf(visit)))
  return redirectTo('/console/webhooks', visit.wording.say('webhookWasDeleted'))
}

/** Shows a new secret, this once. */
function secretPage(
  visit: Visit,
  { id, name }: { id: string; name: string },
  secret: string,
  done: string,
): PageContent {
  const { say } = visit.wording
  const title = say('webhookSecretTitle', { name })
  return {
    title,
    width: 'narrow',
    body: html`<p class="flash" role="status">${done}</p>
${pageHead(title, null, say('webhookSecretOnce'))}
<div class="card">${copyable(visit, { label: say('webhookSecret'), value: secret, id: 'secret' })}
<p class="help">${say('webhookSecretUse')} ${secret.startsWith('whsec_') && say('webhookSecretStandard')}</p>
<div class="buttons">${linkButton(visit, `/console/webhooks/${id}`, say('webhookSecretDone'))}</div></div>`,
  }
}
