import { priorities } from '../../../kinds/tickets.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { backLink } from '../../components/display.ts'
import { button, confirmed, field, form } from '../../components/forms.ts'
import { choice, choices, finding, group, menu } from '../../components/menus.ts'
import { icons } from '../../icons.ts'
import type { Again, Visit } from '../../visit.ts'
import { leadsOn } from '../after-ticket.ts'
import { channelBadge, priorityBadge, priorityWords, statusBadge } from '../labels.ts'
import { tagChoices } from '../tag-choices.ts'
import { askItem } from './ask-item.ts'
import { filingItems } from './filing.ts'
import type { TicketRead } from './ticket.ts'

/** What the ticket is called, how it stands, and what can be done with it: in one row, the rest behind a button. */
export function ticketHead(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { ticket, mergedInto } = read
  const { say } = visit.wording
  return html`<div class="ticket-head">
${backLink(visit, '/console/inbox', html`<span class="sr">${say('inboxTitle')}</span>`)}
<div class="titles"><h1 tabindex="-1">${ticket.subject}</h1><span class="facts"><span class="ref">${ticket.ticketReference}</span>${mergedInto === null && statusBadge(visit, ticket)}${priorityBadge(visit, ticket)}${channelBadge(visit, ticket)}</span></div>
${mergedInto === null ? actions(visit, read, again) : html`<div class="actions">${sideToggle(visit)}</div>`}
</div>`
}

/** At most one of a ticket's menus is open. */
const MENUS = 'ticket-menu'

function actions(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const { ticket, assigneeId, colleagues, teams, tags } = read
  const path = `/console/tickets/${ticket.id}`
  const isDone = ticket.status === 'closed' || ticket.status === 'spam'
  const assignee = colleagues.find(({ userId }) => userId === assigneeId)?.name ?? say('assignedToNobody')
  const reopen = ticket.status === 'spam' ? say('notSpam') : say('reopenTicket')
  const [status, label] = isDone ? (['open', reopen] as const) : (['closed', say('closeTicket')] as const)
  return html`<div class="actions">
${
  assigneeId !== visit.principal.userId &&
  html`<div class="take">${form(visit, { action: `${path}/assignee`, inline: true }, [
    html`<input type="hidden" name="assigneeId" value="${visit.principal.userId}">`,
    button(say('takeIt'), { kind: 'secondary' }),
  ])}</div>`
}${menu({ name: 'assign', icon: icons.person, label: say('ticketAssignee'), shown: assignee, group: MENUS }, [
  finding(say('findPerson'), colleagues.length + teams.length),
  form(
    visit,
    { action: `${path}/assignee` },
    choices(
      'assigneeId',
      [
        ...(assigneeId === visit.principal.userId ? [] : [[visit.principal.userId, say('takeIt')] as const]),
        ['', say('assignedToNobody')],
        ...colleagues.map(({ userId, name }) => [userId, name] as const),
      ],
      assigneeId ?? '',
    ),
  ),
  teams.length > 0 &&
    group(
      'teams',
      say('settingsTeams'),
      form(
        visit,
        { action: `${path}/team` },
        choices(
          'teamId',
          [['', say('noTeam')], ...teams.map(({ id, name }) => [id, name] as const)],
          ticket.team?.id ?? '',
        ),
      ),
    ),
])}${menu(
  {
    name: 'tags',
    icon: icons.tag,
    label: say('ticketTags'),
    shown: null,
    group: MENUS,
    isOpen: again?.form.has('add'),
  },
  [form(visit, { action: `${path}/tags` }, tagChoices(visit, tags, ticket.tags, again))],
)}${menu(
  {
    name: 'priority',
    icon: icons.flag,
    label: say('ticketPriority'),
    shown: say(priorityWords[ticket.priority]),
    group: MENUS,
  },
  [
    form(
      visit,
      { action: `${path}/priority` },
      choices(
        'priority',
        priorities.map((priority) => [priority, say(priorityWords[priority])] as const),
        ticket.priority,
      ),
    ),
  ],
)}${
  !isDone &&
  menu(
    { name: 'snooze', icon: icons.clock, label: say('snooze'), group: MENUS, isOpen: again?.problem.field === 'until' },
    snoozeForms(visit, read, again),
  )
}
${form(visit, { action: `${path}/status`, inline: true }, html`${leadsOn}<button class="secondary" name="status" value="${status}" data-close>${icons.check}<span>${label}</span></button>`)}${more(visit, read, again)}${sideToggle(visit)}
</div>`
}

/** Where there is no room beside the thread, this shows what stands there. */
function sideToggle(visit: Visit): Markup {
  return html`<label class="side-toggle secondary" title="${visit.wording.say('details')}"><input type="checkbox" class="sr">${icons.details}<span class="sr">${visit.wording.say('details')}</span></label>`
}

function snoozeForms(visit: Visit, { ticket }: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const action = `/console/tickets/${ticket.id}/snooze`
  // A browser's script puts the reader's own zone there.
  const zone = again?.form.text('zone') || 'UTC'
  const zoneField = html`<input type="hidden" name="zone" value="${zone}" data-zone>`
  const until = (value: string, text: string) => choice('until', value, text)
  return html`${form(visit, { action }, [zoneField, until('later', say('snoozeLater')), until('tomorrow', say('snoozeTomorrow')), until('monday', say('snoozeMonday'))])}
${form(visit, { action }, [
  zoneField,
  field(visit, { name: 'until', label: say('snoozeTime'), type: 'datetime-local', required: true, again }),
  button(say('snoozeUntilThen'), { kind: 'secondary' }),
])}
${
  ticket.snoozedUntil !== null &&
  form(
    visit,
    { action: `/console/tickets/${ticket.id}/status` },
    button(say('wake'), { kind: 'quiet', name: 'status', value: ticket.status }),
  )
}
<p class="help">${say('snoozeHelp')} <span data-zone-text="${say('snoozeZone', { zone: '%' })}">${say('snoozeZone', { zone })}</span></p>`
}

/** What is seldom done, and what only admins do. */
function more(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { ticket } = read
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const isDone = ticket.status === 'closed' || ticket.status === 'spam'
  const to = (status: string, text: string) => choice('status', status, text)
  const canMerge = ticket.channel === 'email'
  const isWrong = again?.problem.field === 'into'
  return menu(
    {
      name: 'more',
      icon: icons.more,
      label: say('more'),
      shown: null,
      group: MENUS,
      isOpen: isWrong || again?.problem.field === 'subject' || again?.problem.field === 'form',
    },
    [
      !isDone &&
        form(visit, { action: `${path}/status` }, [
          leadsOn,
          ticket.status === 'open' ? to('pending', say('waitForCustomer')) : to('open', say('reopenTicket')),
          to('spam', say('markSpam')),
        ]),
      canMerge &&
        html`<details${isWrong && html` open`}><summary class="choice">${say('mergeTickets')}</summary>${form(
          visit,
          { action: `${path}/merge` },
          [
            field(visit, {
              name: 'into',
              label: say('ticketMergeInto'),
              help: say('ticketMergeHelp'),
              placeholder: 'T-1042',
              maxLength: 40,
              required: true,
              again,
            }),
            button(say('mergeThem'), { kind: 'secondary' }),
          ],
        )}</details>`,
      askItem(visit, read, again),
      filingItems(visit, read, again),
      visit.principal.role === 'admin' &&
        confirmed(visit, { label: say('deleteTicket'), question: say('deleteQuestion'), action: `${path}/delete` }),
    ],
  )
}
