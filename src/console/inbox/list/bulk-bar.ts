import { priorities } from '../../../kinds/tickets.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { button, csrfInput } from '../../components/forms.ts'
import { choice, choices, finding, group, menu } from '../../components/menus.ts'
import { icons } from '../../icons.ts'
import type { Visit } from '../../visit.ts'
import { priorityWords } from '../labels.ts'
import { tagChoices } from '../tag-choices.ts'
import type { Choices } from './filters.ts'
import { type Asked, queryOf } from './query.ts'

/** The form that the boxes beside the tickets belong to. */
export const BULK_FORM = 'bulk'

/** What can be done with the tickets that are ticked: the buttons of one form, those with a choice behind a menu. */
export function bulkBar(
  visit: Visit,
  asked: Asked,
  { colleagues, teams, tags }: Pick<Choices, 'colleagues' | 'teams' | 'tags'>,
): Markup {
  const { say } = visit.wording
  const isOver = asked.status === 'closed' || asked.status === 'spam'
  const to = (what: string, icon: Markup, label: string) =>
    html`<button class="secondary" name="do" value="${what}" title="${label}">${icon}<span class="sr">${label}</span></button>`
  const opens = (name: string, icon: Markup, label: string) => ({ name, icon, label, shown: null, group: 'bulk-menu' })
  return html`<form method="post" id="${BULK_FORM}" action="${visit.href('/console/inbox/bulk')}" class="bulk" aria-label="${say('bulkTitle')}" data-bulk>${csrfInput(
    visit,
  )}<input type="hidden" name="list" value="${queryOf(asked).toString()}"><input type="hidden" name="zone" value="UTC" data-zone><label class="all" hidden><input type="checkbox"> <span data-none="${say('tickAll')}" data-some="${say('ticked')}">${say('tickAll')}</span></label><div class="buttons">${
    // Enter in the field of tags presses the first button.
    html`<button name="do" value="tag" hidden></button>`
  }${
    isOver
      ? to('reopen', icons.undo, say('reopenTicket'))
      : [to('close', icons.check, say('closeTickets')), to('spam', icons.ban, say('markSpam'))]
  }${menu(opens('assign', icons.person, say('assignTicket')), [
    finding(say('findPerson'), colleagues.length + teams.length),
    choice('do', 'take', say('takeIt')),
    choices('assigneeId', [
      ['', say('assignedToNobody')],
      ...colleagues.map(({ userId, name }) => [userId, name] as const),
    ]),
    teams.length > 0 &&
      group(
        'bulk-teams',
        say('settingsTeams'),
        choices(
          'teamId',
          teams.map(({ id, name }) => [id, name] as const),
        ),
      ),
  ])}${menu(
    opens('priority', icons.flag, say('ticketPriority')),
    choices(
      'priority',
      priorities.map((priority) => [priority, say(priorityWords[priority])] as const),
    ),
  )}${menu(opens('tags', icons.tag, say('ticketTags')), [tagChoices(visit, tags)])}${
    !isOver &&
    menu(opens('snooze', icons.clock, say('snooze')), [
      choices('until', [
        ['later', say('snoozeLater')],
        ['tomorrow', say('snoozeTomorrow')],
        ['monday', say('snoozeMonday')],
      ]),
      html`<div class="until"><label for="bulk-until">${say('snoozeTime')}</label><input class="text" type="datetime-local" id="bulk-until" name="untilTime">${button(say('snoozeUntilThen'), { kind: 'secondary', name: 'until', value: 'time' })}</div>`,
    ])
  }${to('merge', icons.merge, say('mergeTwo'))}</div></form>`
}
