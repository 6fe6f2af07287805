import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import { button, buttons, field, fieldId, form, textArea } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { sayPresence } from '../live/present.ts'
import { leadsOn } from '../onward.ts'
import type { TicketRead } from '../ticket/ticket.ts'
import { cannedPicker } from './canned-picker.ts'
import { editedHtml, MAX_FILES, offeredOf, recipientsOf } from './drafting.ts'
import { toolbar } from './editor-tools.ts'
import { sendButtons } from './send-buttons.ts'

/** The box at the foot of the thread: an answer, or a note for colleagues. */
export function composer(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const isNote = again?.form.has('note') === true
  const tab = (id: string, text: string, isChosen: boolean) =>
    html`<label><input type="radio" name="writing" id="${id}" autocomplete="off"${isChosen && html` checked`}><span>${text}</span></label>`
  return html`<section class="composer" id="answer" aria-label="${say('answerOrNote')}" tabindex="-1"><div class="composer-head"><div class="switch" role="radiogroup" aria-label="${say('answerOrNote')}">${tab('write-answer', say('answerTicket'), !isNote)}${tab('write-note', say('noteTitle'), isNote)}</div><p class="presence" role="status" data-presence>${sayPresence(visit, read.ticket.id)}</p><p class="typing" role="status" data-typing></p></div>
<div class="writing of-answer">${answerForm(visit, read, isNote ? undefined : again)}</div><div class="writing of-note">${noteForm(visit, read, isNote ? again : undefined)}</div></section>`
}

/**
 * The form of an answer, with what its writer has kept of it. It carries the newest message that they could read: what is
 * newer holds it back.
 */
function answerForm(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const { ticket, newest, draft } = read
  const isMail = ticket.channel === 'email'
  const own = again?.form.has('answer') ? again : undefined
  const mine = read.thread.messages.findLast(({ author }) => author.id === visit.principal.userId)?.id ?? ''
  const edited = editedHtml(visit, own, draft)
  const isHeldBack = own !== undefined && own.form.text('newest') !== newest
  return form(visit, { action: `/console/tickets/${ticket.id}/replies`, files: isMail }, [
    html`<input type="hidden" name="newest" value="${newest}">${leadsOn}`,
    // Enter in a field presses the first button.
    html`<button name="after" value="keep" formnovalidate hidden></button>`,
    isMail && recipients(visit, read, own),
    html`<div class="reply-field" data-answer="${visit.principal.userId}" data-now="${visit.at}" data-mine="${mine}" data-draft-path="${visit.href(`/console/tickets/${ticket.id}/draft`)}"${draft && html` data-kept-at="${draft.savedAt}"`}>${toolbar(visit)}${textArea(
      visit,
      {
        name: 'answer',
        label: say('yourAnswer'),
        rows: 3,
        help: isMail ? say('answerEmail') : say('answerChat'),
        hidesLabel: true,
        required: true,
        value: draft?.text ?? '',
        again: own,
      },
    )}${edited && html`<template data-draft>${edited}</template>`}</div>`,
    html`<div class="composer-foot">${isMail && files(visit, read, own)}${cannedPicker(visit, read)}${sendButtons(
      visit,
      {
        label: isHeldBack ? say('sendAnyway') : say('sendAnswer'),
        key: isMail ? 'Ctrl+Enter' : 'Enter',
        again: own,
      },
    )}</div>`,
  ])
}

function noteForm(visit: Visit, { ticket }: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  return form(visit, { action: `/console/tickets/${ticket.id}/notes` }, [
    textArea(visit, {
      name: 'note',
      label: say('yourNote'),
      rows: 3,
      help: say('noteHelp'),
      hidesLabel: true,
      required: true,
      again,
    }),
    html`<div class="composer-foot">${buttons(button(say('addNote')))}</div>`,
  ])
}

/** Whom it goes to, in full. What its writer has not changed is as the thread says by now. */
function recipients(visit: Visit, read: TicketRead, own?: Again): Markup {
  const { say } = visit.wording
  const typed = read.draft?.recipients
  const to = typed && typed.to.length > 0 ? typed.to : read.recipients.to
  const cc = typed?.cc ?? read.recipients.cc
  const again = own && recipientsOf(own.form) === null ? undefined : own
  const isWrong = own?.problem.field === 'to' || own?.problem.field === 'cc'
  const shown = [
    html`${say('answerTo')} <bdi>${to.join(', ') || '–'}</bdi>`,
    cc.length > 0 && html` · ${say('mailCc')} <bdi>${cc.join(', ')}</bdi>`,
  ]
  return html`<input type="hidden" name="offered" value="${offeredOf(read.recipients)}"><details class="recipients"${(isWrong || to.length === 0) && html` open`}><summary><span data-recipients>${shown}</span></summary>${field(
    visit,
    {
      name: 'to',
      label: say('answerTo'),
      value: to.join(', '),
      required: true,
      autocomplete: 'off',
      again,
    },
  )}${field(visit, {
    name: 'cc',
    label: say('copies'),
    value: cc.join(', '),
    help: say('copiesHelp'),
    autocomplete: 'off',
    again,
  })}</details>`
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
  return html`<div class="field${isWrong && ' wrong'}"><label for="${id}" class="sr">${say('answerFiles')}</label>${
    kept.length > 0 && html`<ul class="files kept" aria-label="${say('filesKept')}">${kept}</ul>`
  }<input class="text" type="file" id="${id}" name="files" multiple data-most="${MAX_FILES}" data-too-large="${say('answerFilesTooLarge', { size: writeSize(MAX_FILES, visit.wording.locale) })}" aria-describedby="${id}-help${isWrong && ` ${id}-error`}"${isWrong && html` aria-invalid="true"`}><p class="help" role="status" data-uploading="${say('filesAreKept')}"></p><p class="sr" id="${id}-help">${say('answerFilesHelp', { size: writeSize(MAX_FILES, visit.wording.locale) })}</p>${
    isWrong && html`<p class="error" id="${id}-error">${own?.problem.text}</p>`
  }</div>`
}
