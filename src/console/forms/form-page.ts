import { renderSVG } from 'uqr'
import { notFound } from '../../errors.ts'
import { getDraft } from '../../forms/drafts.ts'
import { type FormRecord, formRecordOf } from '../../forms/operations.ts'
import type { FormPage } from '../../forms/pages.ts'
import { html, type Markup, trustedHtml } from '../../lib/html/markup.ts'
import { responseNumbers } from '../../responses/numbers.ts'
import { badge, card, copyable, definitions, emptyState, linkButton, time } from '../components/display.ts'
import { button, form as changing, confirmed } from '../components/forms.ts'
import type { PageContent, Visit } from '../visit.ts'
import { buildPath } from './builder/draft.ts'
import { formHead, stateOf } from './form-head.ts'
import { countText } from './list-page.ts'

/** A form: what it is, where it is found, what it asks, and what can be done with it. */
export async function formPage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, wording, deps } = visit
  const { say } = wording
  const form = await formRecordOf(db, principal.tenantId, params.id ?? '')
  const draft = await getDraft(db, principal.tenantId, form.id)
  const numbers = await responseNumbers(db, principal.tenantId, form.id)
  const address = `${deps.config.baseUrl}/f/${form.launchCode}`
  const isPublished = form.publishedAt !== null
  return {
    title: form.title,
    body: html`${formHead(visit, form, actions(visit, form, draft.isChanged))}
${isPublished && draft.isChanged && html`<p class="note">${say('formUnpublished')} <a href="${visit.href(buildPath(form.id, 'publish'))}">${say('formUnpublishedShow')}</a></p>`}
<div class="columns">
${card(say('formFacts'), [
  definitions([
    [say('formsResponses'), countText(visit, numbers)],
    [say('formsLast'), numbers.lastAt && time(visit, numbers.lastAt)],
    [say('formPublished'), form.publishedAt ? time(visit, form.publishedAt) : say('never')],
    [say('settingCloses'), form.closesAt && time(visit, form.closesAt)],
    [say('settingMaxResponses'), form.maxResponses === null ? null : wording.write(form.maxResponses)],
    [say('formCreated'), time(visit, form.createdAt)],
    [say('formsChanged'), time(visit, form.updatedAt)],
  ]),
  form.description && html`<div class="prose" dir="auto">${trustedHtml(form.description)}</div>`,
])}
${card(say('formShare'), isPublished ? share(visit, form, address) : html`<p>${say('formShareLater')}</p>`)}
</div>
${questions(visit, form.id, draft.pages)}
<div class="buttons">${changing(visit, { action: `/console/forms/${form.id}/copy`, inline: true }, button(say('formCopyThis'), { kind: 'secondary' }))}${linkButton(visit, `/console/forms/${form.id}/form.json`, say('formSaveFile'), 'secondary')}</div>
${confirmed(visit, {
  label: say('formTrash'),
  question: say('formTrashAsk'),
  action: `/console/forms/${form.id}/trash`,
})}`,
  }
}

function actions(visit: Visit, form: FormRecord, isChanged: boolean): Markup {
  const { say } = visit.wording
  const state = stateOf(form, visit.at)
  const to = (operation: string, text: string, kind: 'primary' | 'secondary') =>
    changing(visit, { action: `/console/forms/${form.id}/${operation}`, inline: true }, button(text, { kind }))
  return html`${state === 'open' && to('close', say('formClose'), 'secondary')}${
    state === 'closed' && to('reopen', say('formReopen'), isChanged ? 'secondary' : 'primary')
  }${isChanged && to('publish', state === 'draft' ? say('formPublish') : say('formPublishChanges'), 'primary')}`
}

function share(visit: Visit, form: FormRecord, address: string): Markup {
  const { say } = visit.wording
  const code = trustedHtml(renderSVG(address, { border: 2 }))
  const embed = (mode: '' | 'dialog' | 'slide-in', label: string) => {
    const attribute = mode === '' ? '' : ` data-mode="${mode}"`
    const value = `<script src="${visit.deps.config.baseUrl}/embed.js" data-form="${form.launchCode}"${attribute}></script>`
    return copyable(visit, { label, value, id: `share-embed${mode && `-${mode}`}` })
  }
  return html`${stateOf(form, visit.at) === 'closed' && html`<p>${say('formShareClosed')}</p>`}
<div class="share"><div>${copyable(visit, { label: say('formLink'), value: address, id: 'share-link' })}
<p><a href="${address}" target="_blank" rel="noopener">${say('formLook')}</a></p>
${embed('', say('formEmbed'))}
<details><summary>${say('formEmbedOver')}</summary><div class="stack"><p class="help">${say('formEmbedOverHelp')}</p>${embed('dialog', say('formEmbedDialog'))}${embed('slide-in', say('formEmbedSlideIn'))}</div></details></div>
<div><div class="qr" role="img" aria-label="${say('formQr')}">${code}</div><p><a href="${visit.href(`/console/forms/${form.id}/qr.svg`)}" download="${form.launchCode}.svg">${say('formQrSave')}</a></p></div></div>`
}

/** The QR code as a file to print. Throws `not_found` for what was never published: it has no page yet. */
export async function qrFile({ db, principal, params, deps }: Visit): Promise<Response> {
  const { launchCode, publishedAt } = await formRecordOf(db, principal.tenantId, params.id ?? '')
  if (publishedAt === null) throw notFound('page')
  return new Response(renderSVG(`${deps.config.baseUrl}/f/${launchCode}`, { border: 2 }), {
    headers: {
      'content-type': 'image/svg+xml',
      'content-disposition': `attachment; filename="${launchCode}.svg"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}

function questions(visit: Visit, formId: string, pages: readonly FormPage[]): Markup {
  const { say } = visit.wording
  const build = (kind: 'primary' | 'secondary') => linkButton(visit, buildPath(formId), say('builderEdit'), kind)
  if (pages.every((page) => page.questions.length === 0)) return emptyState(say('formNoQuestions'), build('primary'))
  let number = 0
  const parts = pages.map(({ title, questions }, index) => {
    const start = number + 1
    number += questions.length
    const heading = title ? trustedHtml(title) : say('formPage', { number: index + 1 })
    return html`${(pages.length > 1 || title) && html`<h3 dir="auto">${heading}</h3>`}<ol class="questions" start="${start}">${questions.map(
      ({ text, type, required }, at) =>
        html`<li><div dir="auto">${text === '' ? say('formQuestion', { number: start + at }) : trustedHtml(text)}</div><div>${badge(say(`type_${type}`))}${required && [' ', badge(say('formRequired'), 'accent')]}</div></li>`,
    )}</ol>`
  })
  return card(say('formQuestions'), parts, { actions: build('secondary') })
}
