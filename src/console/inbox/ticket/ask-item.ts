import { html, type Insert } from '../../../lib/html/markup.ts'
import { button, form, select } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import type { TicketRead } from './ticket.ts'

/** What the menu of a ticket offers to ask by; nothing once its customer was asked. */
export function askItem(visit: Visit, { ticket, asking }: TicketRead, again?: Again): Insert {
  if (asking === null) return null
  const { say } = visit.wording
  const isWrong = again?.problem.field === 'form'
  const { forms, usual } = asking
  const others = forms.filter(({ id }) => id !== usual?.id)
  return html`<details${isWrong && html` open`}><summary class="choice">${say('askHowItWent')}</summary>${form(
    visit,
    { action: `/console/tickets/${ticket.id}/ask` },
    [
      select(visit, {
        name: 'form',
        label: say('askForm'),
        help: say('askFormHelp'),
        options: [
          [usual?.id ?? '', usual?.title ?? say('askReadyMade')],
          ...others.map(({ id, title }) => [id, title] as const),
        ],
        again,
      }),
      button(say('askSend'), { kind: 'secondary' }),
    ],
  )}</details>`
}
