import { html, type Markup } from '../../../lib/html/markup.ts'
import { button, buttons, form, textArea } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { leadsOn } from '../after-ticket.ts'
import { sayPresence } from '../live/present.ts'
import type { TicketRead } from '../ticket/ticket.ts'
import { cannedPicker, hasCanned } from './canned-picker.ts'
import { answerTools } from './editor-tools.ts'
import { recipientsLine } from './recipients-line.ts'
import { sendButtons } from './send-buttons.ts'
import { filesField, writingField } from './writing-fields.ts'

/** The box at the foot of the thread: an answer, or a note for colleagues. */
export function composer(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const isNote = again?.form.has('note') === true
  const tab = (id: string, text: string, isChosen: boolean) =>
    html`<label><input type="radio" name="writing" id="${id}" autocomplete="off"${isChosen && html` checked`}><span>${text}</span></label>`
  return html`<section class="composer" id="answer" aria-label="${say('answerOrNote')}" tabindex="-1"><div class="composer-head"><div class="switch" role="radiogroup" aria-label="${say('answerOrNote')}">${tab('write-answer', say('answerTicket'), !isNote)}${tab('write-note', say('noteTitle'), isNote)}</div><p class="presence" role="status" data-presence>${sayPresence(visit, read.ticket.id)}</p><p class="typing" role="status" data-typing></p></div>${read.visitor}
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
  const takesFiles = ticket.channel !== 'messaging'
  const own = again?.form.has('answer') ? again : undefined
  const mine = read.thread.messages.findLast(({ author }) => author.id === visit.principal.userId)?.id ?? ''
  const isHeldBack = own !== undefined && own.form.text('newest') !== newest
  return form(visit, { action: `/console/tickets/${ticket.id}/replies`, files: takesFiles }, [
    html`<input type="hidden" name="newest" value="${newest}">${leadsOn}`,
    // Enter in a field presses the first button.
    html`<button name="after" value="keep" formnovalidate hidden></button>`,
    isMail && recipientsLine(visit, read, own),
    writingField(visit, {
      draft,
      draftPath: `/console/tickets/${ticket.id}/draft`,
      typingPath: `/console/tickets/${ticket.id}/typing`,
      mine,
      label: say('yourAnswer'),
      help: isMail ? say('answerEmail') : say('answerChat'),
      hint: hasCanned(read.canned) ? say('answerHint') : say('answerHintAlone'),
      again: own,
    }),
    html`<div class="composer-foot">${answerTools(visit)}${takesFiles && filesField(visit, draft, own)}${cannedPicker(visit, `/console/tickets/${ticket.id}/canned`, read.canned)}${sendButtons(
      visit,
      {
        label: isHeldBack ? say('sendAnyway') : say('sendAnswer'),
        key: isMail ? 'Ctrl+Enter' : 'Enter',
        again: own,
      },
    )}</div>`,
  ])
}

function noteForm(visit: Visit, { ticket, colleagues }: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const others = colleagues.filter(({ userId }) => userId !== visit.principal.userId)
  return form(visit, { action: `/console/tickets/${ticket.id}/notes` }, [
    textArea(visit, {
      name: 'note',
      label: say('yourNote'),
      rows: 3,
      help: say('noteHelp'),
      hidesLabel: true,
      required: true,
      placeholder: say('noteHint'),
      again,
    }),
    // A script offers them behind `@`.
    others.length > 0 &&
      html`<datalist data-colleagues="${say('colleagues')}">${others.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>`,
    html`<div class="composer-foot">${buttons(button(say('addNote')))}</div>`,
  ])
}
