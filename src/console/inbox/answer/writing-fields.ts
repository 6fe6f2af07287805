import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import type { Draft } from '../../../tickets/writing/drafts.ts'
import { fieldId, textArea } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { Again, Visit } from '../../visit.ts'
import { editedHtml, MAX_FILES } from './drafting.ts'
import { aboveAnswer } from './editor-tools.ts'

/** What is written in a field like this one. */
interface Writing {
  /** What is kept of it. */
  readonly draft: Draft | null
  /** Where a script sends it to be kept. */
  readonly draftPath: string
  /** Where a script says that somebody types; without, nobody is told. */
  readonly typingPath?: string
  /** Changes once what was written is sent: what a browser has kept by itself is old then. */
  readonly mine: string
  readonly label: string
  readonly help: string
  /** What an empty field says of itself. */
  readonly hint: string
  /** Whether it may be sent without a word. */
  readonly isOptional?: boolean
  readonly again?: Again | undefined
}

/** The field of what is sent to somebody, of which a script makes the editor. */
export function writingField(visit: Visit, given: Writing): Markup {
  const { draft, draftPath, typingPath, mine, label, help, hint, isOptional = false, again } = given
  const edited = editedHtml(visit, again, draft)
  return html`<div class="reply-field" data-answer="${visit.principal.userId}" data-now="${visit.at}" data-mine="${mine}" data-draft-path="${visit.href(draftPath)}" data-hint="${hint}"${typingPath && html` data-typing-path="${visit.href(typingPath)}"`}${draft && html` data-kept-at="${draft.savedAt}"`}>${aboveAnswer(visit)}${textArea(
    visit,
    { name: 'answer', label, rows: 3, help, hidesLabel: true, required: !isOptional, value: draft?.text ?? '', again },
  )}${edited && html`<template data-draft>${edited}</template>`}</div>`
}

/** The files that are kept, each with a button that takes it out, and more. */
export function filesField(visit: Visit, draft: Draft | null, own?: Again): Markup {
  const { say } = visit.wording
  const kept = (draft?.attachments ?? []).map(
    ({ id, fileName, size }) =>
      html`<li data-file="${id}"><a href="${visit.href(`/console/attachments/${id}`)}" download>${fileName}</a> <small>${writeSize(size, visit.wording.locale)}</small> <button class="quiet" name="remove" value="${id}" formnovalidate aria-label="${say('removeFile', { name: fileName })}"><span aria-hidden="true">×</span></button></li>`,
  )
  const isWrong = own?.problem.field === 'files'
  const id = fieldId('files')
  return html`<div class="field attached${isWrong && ' wrong'}"><label for="${id}" class="tool" title="${say('answerFiles')}">${icons.attach}<span class="sr">${say('answerFiles')}</span></label>${
    kept.length > 0 && html`<ul class="files kept" aria-label="${say('filesKept')}">${kept}</ul>`
  }<input class="text" type="file" id="${id}" name="files" multiple data-most="${MAX_FILES}" data-too-large="${say('answerFilesTooLarge', { size: writeSize(MAX_FILES, visit.wording.locale) })}" aria-describedby="${id}-help${isWrong && ` ${id}-error`}"${isWrong && html` aria-invalid="true"`}><p class="help" role="status" data-uploading="${say('filesAreKept')}"></p><p class="sr" id="${id}-help">${say('answerFilesHelp', { size: writeSize(MAX_FILES, visit.wording.locale) })}</p>${
    isWrong && html`<p class="error" id="${id}-error">${own?.problem.text}</p>`
  }</div>`
}
