import { createSource, getSource, listSources } from '../../articles/sources.ts'
import { listInboxes } from '../../inboxes/operations.ts'
import { html } from '../../lib/html/markup.ts'
import { changeChatSettings, getChatSettings, renewChatSecret } from '../../livechat/settings.ts'
import { backLink, card, copyable, emptyState, linkButton, pageHead } from '../components/display.ts'
import { button, confirmed, field, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { FormFields } from '../form-fields.ts'
import { refusalOf, refuse } from '../refusal.ts'
import { requireSeen } from '../seen.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { chatForm, readChatForm } from './chat-form.ts'
import { settingsHead } from './head.ts'

const PATH = '/console/settings/chats'
const pathOf = (id: string) => `${PATH}/${id}`

/** The live chats of the tenant, each on a site. */
export async function chatsPage(visit: Visit): Promise<PageContent> {
  const { db, principal } = visit
  const { say } = visit.wording
  const [sources, inboxes] = await Promise.all([
    listSources(db, principal.tenantId),
    listInboxes(db, principal.tenantId),
  ])
  const names = new Map(inboxes.map(({ id, name }) => [id, name]))
  const add = linkButton(visit, `${PATH}/new`, say('chatNew'))
  return {
    title: say('settingsChats'),
    body: html`${settingsHead(visit, PATH, say('chatsIntro'), sources.length > 0 && add)}
${
  sources.length === 0
    ? emptyState(say('chatsNone'), add)
    : table({
        caption: say('settingsChats'),
        hidesCaption: true,
        columns: [{ label: say('chatColumn') }, { label: say('chatInbox') }],
        rows: sources.map(({ id, name, inboxId }) => [
          html`<a href="${visit.href(pathOf(id))}">${name}</a>`,
          names.get(inboxId),
        ]),
        empty: say('chatsNone'),
      })
}`,
  }
}

export async function newChatPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const inboxes = (await listInboxes(visit.db, visit.principal.tenantId)).filter(
    ({ channel }) => channel === 'livechat',
  )
  return {
    title: say('chatNew'),
    width: 'narrow',
    body: html`${backLink(visit, PATH, say('settingsChats'))}
${pageHead(say('chatNew'))}
${
  inboxes.length === 0
    ? emptyState(say('chatsNeedInbox'), linkButton(visit, '/console/settings/inboxes', say('settingsInboxes')))
    : html`<div class="card">${form(visit, { action: PATH }, [
        field(visit, {
          name: 'name',
          label: say('chatName'),
          help: say('chatNameHelp'),
          required: true,
          maxLength: 255,
          again,
        }),
        select(visit, {
          name: 'inboxId',
          label: say('chatInbox'),
          help: say('chatInboxHelp'),
          options: inboxes.map(({ id, name }) => [id, name] as const),
          again,
        }),
        button(say('chatCreate')),
      ])}</div>`
}`,
  }
}

export async function addChat(visit: Visit, sent: FormFields): Promise<Redirect> {
  const input = { name: sent.text('name'), inboxId: sent.text('inboxId') }
  const { id } = await visit.change((tx, caller) => createSource(tx, caller, input))
  return redirectTo(pathOf(id), visit.wording.say('chatCreated'))
}

/** One live chat: the code that puts it on a site, and how it looks and when it answers. */
export async function chatPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, deps } = visit
  const { say } = visit.wording
  const source = await getSource(db, principal.tenantId, visit.params.sourceId as string)
  const [settings, inboxes] = await Promise.all([
    getChatSettings(db, principal.tenantId, source.id),
    listInboxes(db, principal.tenantId),
  ])
  const base = deps.config.baseUrl.replace(/\/$/, '')
  const code = `<script src="${base}/chat/${source.id}/widget.js" async></script>`
  // Browsers keep the script for minutes: here it is the one of this moment.
  const preview = html`<script src="${visit.href(`/chat/${source.id}/widget.js?at=${visit.at}`)}" async></script>`
  const help = html`<a class="secondary" href="${visit.href(`/help/${source.id}`)}">${say('chatHelpCentre')}</a>`
  return {
    title: source.name,
    width: 'narrow',
    body: html`${backLink(visit, PATH, say('settingsChats'))}
${pageHead(source.name, help)}
<div class="card">${copyable(visit, { label: say('chatCode'), value: code, id: 'code' })}<p class="help">${say('chatCodeHelp')}</p></div>
${card(say('chatPreview'), html`<p>${say('chatPreviewHelp')}</p>${preview}`)}
${card(say('settingsTitle'), chatForm(visit, pathOf(source.id), settings, inboxes, again))}
${card(
  say('chatSecret'),
  html`<p>${say('chatSecretIntro')}</p>${confirmed(visit, {
    label: say('chatSecretNew'),
    question: say('chatSecretAsk'),
    action: `${pathOf(source.id)}/secret`,
  })}`,
)}`,
  }
}

export async function saveChat(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { id } = await getSource(visit.db, visit.principal.tenantId, visit.params.sourceId as string)
  await visit
    .change(async (tx, caller) => {
      requireSeen(sent, await getChatSettings(tx, caller.tenantId, id))
      await changeChatSettings(tx, caller, id, readChatForm(sent))
    })
    .catch((error) => {
      throw onItsField(visit, error)
    })
  return redirectTo(pathOf(id), visit.wording.say('settingsSaved'))
}

/** What is wrong with one of several sites (`origins[1]`) is said beside the field that they all stand in. */
function onItsField(visit: Visit, error: unknown): unknown {
  const refusal = refusalOf(visit, error)
  return refusal?.problem.field?.startsWith('origins[') ? refuse(refusal.problem.text, 'origins') : error
}

/** Makes a new secret and shows it, this once. */
export async function renewSecret(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const source = await getSource(visit.db, visit.principal.tenantId, visit.params.sourceId as string)
  const secret = await visit.change((tx, caller) => renewChatSecret(tx, caller, source.id, visit.deps.secrets))
  return {
    title: say('chatSecret'),
    width: 'narrow',
    body: html`<p class="flash" role="status">${say('chatSecretMade')}</p>
${pageHead(say('chatSecret'), null, say('chatSecretOnce'))}
<div class="card">${copyable(visit, { label: say('chatSecret'), value: secret, id: 'secret' })}<div class="buttons">${linkButton(visit, pathOf(source.id), say('webhookSecretDone'))}</div></div>`,
  }
}
