import { AppError, notFound } from '../../errors.ts'
import { newestMessageOf } from '../../tickets/agents-thread.ts'
import { getMessage } from '../../tickets/messages.ts'
import { addNote } from '../../tickets/notes.ts'
import { getTicket } from '../../tickets/read.ts'
import { reply, resendReply } from '../../tickets/replies.ts'
import { splitMessage } from '../../tickets/splitting.ts'
import { setStatus } from '../../tickets/status.ts'
import type { Guard } from '../guard.ts'
import { Refusal, refuse } from '../refusal.ts'
import { redirectTo, type Visit } from '../visit.ts'
import { ticketPage } from './ticket-page.ts'
import { writtenHtml } from './written.ts'

/** What is written in a ticket: answers, notes, and what becomes of single messages. */
export function answeringActions(add: Guard): void {
  add.action('/console/tickets/:id/replies', { again: ticketPage }, async (visit, sent) => {
    const { say } = visit.wording
    const { id } = await ticketOf(visit)
    const text = sent.text('answer')
    if (text === '') throw refuse(say('answerEmpty'), 'answer')
    const newest = await newestMessageOf(visit.db, visit.principal.tenantId, id)
    if (newest !== null && newest !== sent.text('newest')) {
      throw new Refusal({ field: 'answer', text: say('answeredMeanwhile') }, 409)
    }
    const path = `/console/tickets/${id}`
    const isSent = await hasArrived(() => reply(visit.deps, visit.caller, id, { html: writtenHtml(text), text }))
    // The thread has it, with the reason.
    if (!isSent) return redirectTo(path)
    if (sent.text('after') === 'close') {
      await visit.change((tx, caller) => setStatus(tx, later(visit, caller), id, { status: 'closed' }))
    }
    return redirectTo(path, say('answerSent'))
  })

  add.action('/console/tickets/:id/notes', { again: ticketPage }, async (visit, sent) => {
    const { say } = visit.wording
    const { id } = await ticketOf(visit)
    const text = sent.text('note')
    if (text === '') throw refuse(say('noteEmpty'), 'note')
    await visit.change((tx, caller) => addNote(tx, caller, id, { html: writtenHtml(text), text }))
    return redirectTo(`/console/tickets/${id}`, say('noteAdded'))
  })

  add.action('/console/tickets/:id/messages/:messageId/resend', { again: ticketPage }, async (visit) => {
    const { ticketId, id } = await messageOfTicket(visit)
    const isSent = await hasArrived(() => resendReply(visit.deps, visit.caller, id))
    return redirectTo(`/console/tickets/${ticketId}`, isSent ? visit.wording.say('answerSentAgain') : null)
  })

  add.action('/console/tickets/:id/messages/:messageId/split', { again: ticketPage }, async (visit) => {
    const { id } = await messageOfTicket(visit)
    const split = await visit.change((tx, caller) => splitMessage(tx, caller, id))
    return redirectTo(`/console/tickets/${split.id}`, visit.wording.say('splitDone'))
  })
}

/** Sending took its time: what comes after it is not from before. */
function later(visit: Visit, caller: Visit['caller']): Visit['caller'] {
  return { ...caller, at: visit.deps.clock.now() }
}

/** Whether a reply went out. One that did not is in the thread, and says why. */
async function hasArrived(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'delivery_failed') return false
    throw error
  }
}

/** The ticket that the path names. Throws `not_found`: before anything that was typed is looked at. */
export function ticketOf(visit: Visit) {
  return getTicket(visit.db, visit.principal.tenantId, visit.params.id as string)
}

async function messageOfTicket(visit: Visit) {
  const message = await getMessage(visit.db, visit.principal.tenantId, visit.params.messageId as string)
  if (message.ticketId !== visit.params.id) throw notFound('message')
  return message
}
