import { sendForm } from '../../../satisfaction/asking.ts'
import { satisfactionForm } from '../../../satisfaction/ready-made.ts'
import { UNDO_WINDOW } from '../../../tickets/replies/send-later.ts'
import type { Guard } from '../../guard.ts'
import { redirectTo } from '../../visit.ts'
import { ticketOf, undoAnswer } from '../answer/answering.ts'
import { ticketPage } from './page.ts'

/** Sends the customer a form, in a reply of the ticket's own channel (decisions §19). */
export function satisfactionActions(add: Guard): void {
  add.action('/console/tickets/:id/ask', { again: ticketPage }, async (visit, sent) => {
    const { say } = visit.wording
    const ticket = await ticketOf(visit)
    const messageId = await visit.change(async (tx, caller) => {
      const formId = sent.text('form') || (await satisfactionForm(tx, caller))
      return sendForm(tx, caller, visit.deps, ticket.id, formId)
    })
    const path = `/console/tickets/${ticket.id}`
    if (ticket.channel === 'email') return redirectTo(`${path}#undo`, say('answerWaits'))
    return redirectTo(path, say('formWasSent'), { ...undoAnswer(ticket, { messageId }), seconds: UNDO_WINDOW / 1000 })
  })
}
