import { html, type Markup } from '../../../lib/html/markup.ts'
import type { listColleagues } from '../../../users/colleagues.ts'
import { button, csrfInput } from '../../components/forms.ts'
import type { Visit } from '../../visit.ts'
import { type Asked, queryOf } from './query.ts'

/** The form that the boxes beside the tickets belong to. */
export const BULK_FORM = 'bulk'

/** What can be done with the tickets that are ticked. */
export function bulkBar(visit: Visit, asked: Asked, colleagues: Awaited<ReturnType<typeof listColleagues>>): Markup {
  const { say } = visit.wording
  const to = (what: string, label: string) => button(label, { kind: 'secondary', name: 'do', value: what })
  const isOver = asked.status === 'closed' || asked.status === 'spam'
  return html`<form method="post" id="${BULK_FORM}" action="${visit.href('/console/inbox/bulk')}" class="bulk" aria-label="${say('bulkTitle')}" data-bulk>${csrfInput(
    visit,
  )}<input type="hidden" name="list" value="${queryOf(asked).toString()}"><label class="all" hidden><input type="checkbox"> <span data-none="${say('tickAll')}" data-some="${say('ticked')}">${say('tickAll')}</span></label><div class="buttons">${to(
    'take',
    say('takeIt'),
  )}${isOver ? to('reopen', say('reopenTicket')) : [to('close', say('closeTickets')), to('spam', say('markSpam'))]}</div><div class="assign"><div class="select"><select name="assigneeId" aria-label="${say('ticketAssignee')}"><option value="">${say(
    'assignedToNobody',
  )}</option>${colleagues.map(({ userId, name }) => html`<option value="${userId}">${name}</option>`)}</select></div>${to('assign', say('assignTicket'))}</div></form>`
}
