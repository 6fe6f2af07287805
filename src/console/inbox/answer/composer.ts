import { html, type Markup } from '../../../lib/html/markup.ts'
import { button, buttons, field, form, textArea } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { leadsOn } from '../after-ticket.ts'
import { sayPresence } from '../live/present.ts'
import type { TicketRead } from '../ticket/ticket.ts'
import { cannedPicker } from './canned-picker.ts'
import { offeredOf, recipientsOf } from './drafting.ts'
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
    isMail && recipients(visit, read, own),
    writingField(visit, {
      draft,
      draftPath: `/console/tickets/${ticket.id}/draft`,
      mine,
      label: say('yourAnswer'),
      help: isMail ? say('answerEmail') : say('answerChat'),
      again: own,
    }),
    html`<div class="composer-foot">${takesFiles && filesField(visit, draft, own)}${cannedPicker(visit, `/console/tickets/${ticket.id}/canned`, read.canned)}${sendButtons(
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
