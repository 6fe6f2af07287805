import { priorities } from '../../../kinds/tickets.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { backLink } from '../../components/display.ts'
import { button, confirmed, field, form } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { Again, Visit } from '../../visit.ts'
import { channelBadge, priorityBadge, priorityWords, statusBadge } from '../labels.ts'
import { leadsOn } from '../onward.ts'
import type { TicketRead } from './ticket.ts'

/** What the ticket is called, how it stands, and what can be done with it: in one row, the rest behind a button. */
export function ticketHead(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { ticket, mergedInto } = read
  const { say } = visit.wording
  return html`<div class="ticket-head">
${backLink(visit, '/console/inbox', say('inboxTitle'))}
<div class="titles"><h1 tabindex="-1">${ticket.subject}</h1><span class="facts"><span class="ref">${ticket.ticketReference}</span>${mergedInto === null && statusBadge(visit, ticket)}${priorityBadge(visit, ticket)}${channelBadge(visit, ticket)}</span></div>
${mergedInto === null ? actions(visit, read, again) : html`<div class="actions">${sideToggle(visit)}</div>`}
</div>`
}

function actions(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const { ticket, assigneeId, colleagues } = read
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
}${menu('assign', icons.person, say('ticketAssignee'), assignee, [
  choices(
    visit,
    `${path}/assignee`,
    'assigneeId',
    [['', say('assignedToNobody')], ...colleagues.map(({ userId, name }) => [userId, name] as const)],
    assigneeId ?? '',
  ),
])}${menu('priority', icons.flag, say('ticketPriority'), say(priorityWords[ticket.priority]), [
  choices(
    visit,
    `${path}/priority`,
    'priority',
    priorities.map((priority) => [priority, say(priorityWords[priority])] as const),
    ticket.priority,
  ),
])}${!isDone && menu('snooze', icons.clock, say('snooze'), null, snoozeForms(visit, read, again), again?.problem.field === 'until')}
${form(visit, { action: `${path}/status`, inline: true }, html`${leadsOn}<button class="secondary" name="status" value="${status}" data-close>${icons.check}<span>${label}</span></button>`)}${more(visit, read, again)}${sideToggle(visit)}
</div>`
}

/** Where there is no room beside the thread, this shows what stands there. */
function sideToggle(visit: Visit): Markup {
  return html`<label class="side-toggle" title="${visit.wording.say('details')}"><input type="checkbox" class="sr">${icons.details}<span class="sr">${visit.wording.say('details')}</span></label>`
}

/** What a button opens. `shown` is how it stands now; the icon's name is said where there is no room for that. */
function menu(
  name: string,
  icon: Markup,
  label: string,
  shown: string | null,
  content: Insert,
  isOpen = false,
): Markup {
  return html`<details class="menu ${name}" name="ticket-menu"${isOpen && html` open`}><summary class="secondary" title="${label}">${icon}<span>${shown !== null && html`<span class="sr">${label}: </span>`}${shown ?? label}</span></summary><div class="menu-items">${content}</div></details>`
}

/** One of several, each a button: what is pressed applies at once. */
function choices(
  visit: Visit,
  action: string,
  name: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Markup {
  const buttons = options.map(
    ([value, text]) =>
      html`<button class="choice" name="${name}" value="${value}"${value === chosen && html` aria-current="true"`}>${text}</button>`,
  )
  return form(visit, { action }, buttons)
}

function snoozeForms(visit: Visit, { ticket }: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const action = `/console/tickets/${ticket.id}/snooze`
  // A browser's script puts the reader's own zone there.
  const zone = again?.form.text('zone') || 'UTC'
  const zoneField = html`<input type="hidden" name="zone" value="${zone}" data-zone>`
  const until = (value: string, text: string) =>
    html`<button class="choice" name="until" value="${value}">${text}</button>`
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
function more(visit: Visit, { ticket }: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const isDone = ticket.status === 'closed' || ticket.status === 'spam'
  const to = (status: string, text: string) =>
    html`<button class="choice" name="status" value="${status}">${text}</button>`
  const canMerge = ticket.channel === 'email'
  const isWrong = again?.problem.field === 'into'
  return menu(
    'more',
    icons.more,
    say('more'),
    null,
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
      visit.principal.role === 'admin' &&
        confirmed(visit, { label: say('deleteTicket'), question: say('deleteQuestion'), action: `${path}/delete` }),
    ],
    isWrong,
  )
}
