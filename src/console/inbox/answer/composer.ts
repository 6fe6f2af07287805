import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import { button, buttons, field, fieldId, form, textArea } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { sayPresence } from '../live/present.ts'
import type { TicketRead } from '../ticket/ticket.ts'
import { cannedPicker } from './canned-picker.ts'
import { editedHtml, MAX_FILES, offeredOf, recipientsOf } from './drafting.ts'
import { toolbar } from './editor-tools.ts'

/**
 * The form of an answer, with what its writer has kept of it. It carries the newest message that they could read: what is
 * newer holds it back.
 */
export function composer(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const { ticket, newest, draft } = read
  const isMail = ticket.channel === 'email'
  const own = again?.form.has('answer') ? again : undefined
  const mine = read.thread.messages.findLast(({ author }) => author.id === visit.principal.userId)?.id ?? ''
  const edited = editedHtml(visit, own, draft)
  const isHeldBack = own !== undefined && own.form.text('newest') !== newest
  return html`<section class="card composer" id="answer" aria-labelledby="answer-title" tabindex="-1"><h2 id="answer-title">${say('answerTicket')}</h2><p class="presence" role="status" data-presence>${sayPresence(visit, ticket.id)}</p>${form(
    visit,
    { action: `/console/tickets/${ticket.id}/replies`, files: isMail },
    [
      html`<input type="hidden" name="newest" value="${newest}">`,
      // Enter in a field presses the first button.
      html`<button name="after" value="keep" formnovalidate hidden></button>`,
      isMail && recipients(visit, read, own),
      cannedPicker(visit, read),
      html`<div class="reply-field" data-answer="${visit.principal.userId}" data-now="${visit.at}" data-mine="${mine}" data-draft-path="${visit.href(`/console/tickets/${ticket.id}/draft`)}"${draft && html` data-kept-at="${draft.savedAt}"`}>${toolbar(visit)}${textArea(
        visit,
        {
          name: 'answer',
          label: say('yourAnswer'),
          rows: 7,
          help: isMail ? say('answerEmail') : say('answerChat'),
          required: true,
          value: draft?.text ?? '',
          again: own,
        },
      )}${edited && html`<template data-draft>${edited}</template>`}</div>`,
      isMail && files(visit, read, own),
      buttons(
        button(isHeldBack ? say('sendAnyway') : say('sendAnswer')),
        button(say('sendAndClose'), { kind: 'secondary', name: 'after', value: 'close' }),
      ),
    ],
  )}</section>`
}

/** Whom it goes to, in full. What its writer has not changed is as the thread says by now. */
function recipients(visit: Visit, read: TicketRead, own?: Again): Markup {
  const { say } = visit.wording
  const typed = read.draft?.recipients
  const to = typed && typed.to.length > 0 ? typed.to : read.recipients.to
  const cc = typed?.cc ?? read.recipients.cc
  const again = own && recipientsOf(own.form) === null ? undefined : own
  return html`<input type="hidden" name="offered" value="${offeredOf(read.recipients)}">${field(visit, {
    name: 'to',
    label: say('answerTo'),
    value: to.join(', '),
    required: true,
    autocomplete: 'off',
    again,
  })}${field(visit, {
    name: 'cc',
    label: say('copies'),
    value: cc.join(', '),
    help: say('copiesHelp'),
    autocomplete: 'off',
    again,
  })}`
}

/** The files that are kept, each with a button that takes it out, and more. */
function files(visit: Visit, { draft }: TicketRead, own?: Again): Markup {
  const { say } = visit.wording
  const kept = (draft?.attachments ?? []).map(
    ({ id, fileName, size }) =>
      html`<li data-file="${id}"><a href="${visit.href(`/console/attachments/${id}`)}" download>${fileName}</a> <small>${writeSize(size, visit.wording.locale)}</small> <button class="quiet" name="remove" value="${id}" formnovalidate aria-label="${say('removeFile', { name: fileName })}"><span aria-hidden="true">×</span></button></li>`,
  )
  const isWrong = own?.problem.field === 'files'
  const id = fieldId('files')
  return html`<div class="field${isWrong && ' wrong'}"><label for="${id}">${say('answerFiles')} <small>(${say('optional')})</small></label>${
    kept.length > 0 && html`<ul class="files kept" aria-label="${say('filesKept')}">${kept}</ul>`
  }<input class="text" type="file" id="${id}" name="files" multiple data-most="${MAX_FILES}" data-too-large="${say('answerFilesTooLarge', { size: writeSize(MAX_FILES, visit.wording.locale) })}" aria-describedby="${id}-help${isWrong && ` ${id}-error`}"${isWrong && html` aria-invalid="true"`}><p class="help" role="status" data-uploading="${say('filesAreKept')}"></p><p class="help" id="${id}-help">${say('answerFilesHelp', { size: writeSize(MAX_FILES, visit.wording.locale) })}</p>${
    isWrong && html`<p class="error" id="${id}-error">${own?.problem.text}</p>`
  }</div>`
}
