import { priorities } from '../../../kinds/tickets.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { csrfInput } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { Visit } from '../../visit.ts'
import { priorityWords } from '../labels.ts'
import type { Choices } from './filters.ts'
import { type Asked, queryOf } from './query.ts'

/** The form that the boxes beside the tickets belong to. */
export const BULK_FORM = 'bulk'

/** What can be done with the tickets that are ticked: the buttons of one form, those with a choice behind a menu. */
export function bulkBar(
  visit: Visit,
  asked: Asked,
  { colleagues, tags }: Pick<Choices, 'colleagues' | 'tags'>,
): Markup {
  const { say } = visit.wording
  const isOver = asked.status === 'closed' || asked.status === 'spam'
  const to = (what: string, icon: Markup, label: string) =>
    html`<button class="secondary" name="do" value="${what}" title="${label}">${icon}<span class="sr">${label}</span></button>`
  const choice = (name: string) => (value: string, text: string) =>
    html`<button class="choice" name="${name}" value="${value}">${text}</button>`
  const menu = (name: string, icon: Markup, label: string, content: Insert) =>
    html`<details class="menu ${name}" name="bulk-menu"><summary class="secondary" title="${label}">${icon}<span class="sr">${label}</span></summary><div class="menu-items">${content}</div></details>`
  const until = choice('until')
  return html`<form method="post" id="${BULK_FORM}" action="${visit.href('/console/inbox/bulk')}" class="bulk" aria-label="${say('bulkTitle')}" data-bulk>${csrfInput(
    visit,
  )}<input type="hidden" name="list" value="${queryOf(asked).toString()}"><input type="hidden" name="zone" value="UTC" data-zone><label class="all" hidden><input type="checkbox"> <span data-none="${say('tickAll')}" data-some="${say('ticked')}">${say('tickAll')}</span></label><div class="buttons">${
    // Enter in the field of tags presses the first button.
    html`<button name="do" value="tag" hidden></button>`
  }${to('take', icons.account, say('takeIt'))}${
    isOver
      ? to('reopen', icons.undo, say('reopenTicket'))
      : [to('close', icons.check, say('closeTickets')), to('spam', icons.ban, say('markSpam'))]
  }${menu('assign', icons.person, say('assignTicket'), [
    choice('assigneeId')('', say('assignedToNobody')),
    colleagues.map(({ userId, name }) => choice('assigneeId')(userId, name)),
  ])}${menu(
    'priority',
    icons.flag,
    say('ticketPriority'),
    priorities.map((priority) => choice('priority')(priority, say(priorityWords[priority]))),
  )}${menu('tags', icons.tag, say('ticketTags'), [
    html`<input class="text" name="tags" aria-label="${say('ticketTags')}" list="bulk-tags" autocomplete="off"><datalist id="bulk-tags">${tags.map(({ name }) => html`<option value="${name}"></option>`)}</datalist><button class="choice" name="do" value="tag">${say('addTags')}</button>`,
  ])}${
    !isOver &&
    menu('snooze', icons.clock, say('snooze'), [
      until('later', say('snoozeLater')),
      until('tomorrow', say('snoozeTomorrow')),
      until('monday', say('snoozeMonday')),
    ])
  }</div></form>`
}
