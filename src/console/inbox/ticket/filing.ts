import { html, type Insert } from '../../../lib/html/markup.ts'
import { MAX_SUBJECT } from '../../../tickets/thread/content.ts'
import { button, field, form } from '../../components/forms.ts'
import { choice } from '../../components/menus.ts'
import type { Again, Visit } from '../../visit.ts'
import { customerPath } from './customer.ts'
import type { TicketRead } from './ticket.ts'

/** What the menu of a ticket offers of whose it is, what it is called, and where it lies; a chat stays where its visitor is. */
export function filingItems(visit: Visit, { ticket, inboxes }: TicketRead, again?: Again): Insert {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const others = inboxes.filter(({ id }) => id !== ticket.teamInboxId)
  return [
    html`<details${again?.problem.field === 'subject' && html` open`}><summary class="choice">${say('changeSubject')}</summary>${form(
      visit,
      { action: `${path}/subject` },
      [
        field(visit, {
          name: 'subject',
          label: say('ticketSubject'),
          help: say('ticketSubjectHelp'),
          value: ticket.subject,
          maxLength: MAX_SUBJECT,
          required: true,
          again,
        }),
        button(say('saveSubject'), { kind: 'secondary' }),
      ],
    )}</details>`,
    ticket.channel === 'email' && html`<a href="${visit.href(customerPath(ticket.id))}">${say('changeCustomer')}</a>`,
    ticket.channel === 'email' &&
      others.length > 0 &&
      html`<details><summary class="choice">${say('moveTicket')}</summary>${form(visit, { action: `${path}/inbox` }, [
        html`<p class="help">${say('moveTicketHelp')}</p>`,
        others.map(({ id, name, emailAddress }) => choice('inboxId', id, html`${name} <small>${emailAddress}</small>`)),
      ])}</details>`,
  ]
}
