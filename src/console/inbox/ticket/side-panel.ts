import { priorities } from '../../../kinds/tickets.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { card, definitions, time } from '../../components/display.ts'
import { button, confirmed, field, form, select } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { channelWords, priorityWords, statusBadge } from '../labels.ts'
import type { TicketRead } from './ticket.ts'

/** What stands beside the thread: who asks, and what can be done with the ticket. */
export function sidePanel(visit: Visit, read: TicketRead, again?: Again): Markup {
  const isMerged = read.mergedInto !== null
  return html`<aside class="beside">${customer(visit, read)}${facts(visit, read, again)}${!isMerged && snooze(visit, read, again)}${otherTickets(visit, read)}${more(visit, read, again)}</aside>`
}

function customer(visit: Visit, { ticket, requesterName, requesterEmail }: TicketRead): Markup {
  const { say } = visit.wording
  const name = requesterName || requesterEmail || say('unknownRequester')
  return card(
    say('ticketRequester'),
    html`<p class="person"><strong>${name}</strong>${requesterEmail !== null && requesterEmail !== name && html`<br>${requesterEmail}`}</p>${
      ticket.contactId !== null &&
      html`<p><a href="${visit.href(`/console/contacts/${ticket.contactId}`)}">${say('openContact')}</a></p>`
    }`,
  )
}

function facts(
  visit: Visit,
  { ticket, assigneeId, colleagues, inboxName, mergedInto, teams, tags }: TicketRead,
  again?: Again,
): Markup {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const assignee = colleagues.find(({ userId }) => userId === assigneeId)?.name ?? say('assignedToNobody')
  const shown = definitions([
    [say('ticketReference'), ticket.ticketReference],
    [say('ticketInbox'), `${inboxName} (${say(channelWords[ticket.channel])})`],
    [say('ticketOpened'), time(visit, ticket.createdAt, 'date')],
    [say('snoozedUntil'), ticket.snoozedUntil && time(visit, ticket.snoozedUntil)],
    ...(mergedInto
      ? ([
          [say('ticketAssignee'), assignee],
          [say('ticketTeam'), ticket.team?.name],
          [say('ticketTags'), ticket.tags.join(', ')],
        ] as const)
      : []),
  ])
  if (mergedInto) return card(say('ticketFacts'), shown)
  return card(say('ticketFacts'), [
    shown,
    form(visit, { action: `${path}/assignee` }, [
      select(visit, {
        name: 'assigneeId',
        label: say('ticketAssignee'),
        value: assigneeId ?? '',
        options: [['', say('assignedToNobody')], ...colleagues.map(({ userId, name }) => [userId, name] as const)],
      }),
      button(say('assignTicket'), { kind: 'secondary' }),
    ]),
    teams.length > 0 &&
      form(visit, { action: `${path}/team` }, [
        select(visit, {
          name: 'teamId',
          label: say('ticketTeam'),
          value: ticket.team?.id ?? '',
          options: [['', say('noTeam')], ...teams.map(({ id, name }) => [id, name] as const)],
        }),
        button(say('handToTeam'), { kind: 'secondary' }),
      ]),
    form(visit, { action: `${path}/tags` }, [
      field(visit, {
        name: 'tags',
        label: say('ticketTags'),
        help: say('ticketTagsHelp'),
        value: ticket.tags.join(', '),
        list: tags.map(({ name }) => name),
        again,
      }),
      button(say('saveTags'), { kind: 'secondary' }),
    ]),
    form(visit, { action: `${path}/priority` }, [
      select(visit, {
        name: 'priority',
        label: say('ticketPriority'),
        value: ticket.priority,
        options: priorities.map((priority) => [priority, say(priorityWords[priority])] as const),
      }),
      button(say('setTicketPriority'), { kind: 'secondary' }),
    ]),
  ])
}

/** Its place is there though there is nothing to put off: an answer that goes out may change that under its reader's eyes. */
function snooze(visit: Visit, read: TicketRead, again?: Again): Markup {
  const { status } = read.ticket
  if (status === 'closed' || status === 'spam') return html`<div data-snooze hidden></div>`
  return html`<div data-snooze>${snoozeForms(visit, read, again)}</div>`
}

function snoozeForms(visit: Visit, { ticket }: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const action = `/console/tickets/${ticket.id}/snooze`
  // A browser's script puts the reader's own zone there.
  const zone = again?.form.text('zone') || 'UTC'
  const zoneField = html`<input type="hidden" name="zone" value="${zone}" data-zone>`
  return card(say('snooze'), [
    html`<p class="help">${say('snoozeHelp')} <span data-zone-text="${say('snoozeZone', { zone: '%' })}">${say('snoozeZone', { zone })}</span></p>`,
    form(visit, { action }, [
      zoneField,
      html`<div class="buttons">${button(say('snoozeTomorrow'), { kind: 'secondary', name: 'until', value: 'tomorrow' })}${button(say('snoozeMonday'), { kind: 'secondary', name: 'until', value: 'monday' })}</div>`,
    ]),
    form(visit, { action }, [
      zoneField,
      field(visit, { name: 'until', label: say('snoozeDate'), type: 'date', required: true, again }),
      button(say('snoozeOnDate'), { kind: 'secondary' }),
    ]),
    ticket.snoozedUntil !== null &&
      form(
        visit,
        { action: `/console/tickets/${ticket.id}/status` },
        button(say('wake'), { kind: 'quiet', name: 'status', value: ticket.status }),
      ),
  ])
}

function otherTickets(visit: Visit, { others }: TicketRead): Markup | false {
  if (others.length === 0) return false
  const items = others.map(
    (other) =>
      html`<li><a href="${visit.href(`/console/tickets/${other.id}`)}">${other.subject}</a><span class="facts">${statusBadge(visit, other)}<span class="ref">${other.reference}</span>${time(visit, other.updatedAt, 'date')}</span></li>`,
  )
  return card(visit.wording.say('otherTickets'), html`<ul class="others">${items}</ul>`)
}

/** What is seldom done, and what only admins do. */
function more(visit: Visit, { ticket, mergedInto }: TicketRead, again?: Again): Markup | false {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const canMerge = ticket.channel === 'email' && mergedInto === null
  const canDelete = visit.principal.role === 'admin' && mergedInto === null
  if (!canMerge && !canDelete) return false
  return card(say('ticketMore'), [
    canMerge &&
      html`<details${again?.problem.field === 'into' && html` open`}><summary>${say('mergeTickets')}</summary>${form(
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
    canDelete &&
      confirmed(visit, { label: say('deleteTicket'), question: say('deleteQuestion'), action: `${path}/delete` }),
  ])
}
