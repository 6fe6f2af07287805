import { notFound } from '../../../errors.ts'
import { splitMessage } from '../../../tickets/merging/splitting.ts'
import type { Ticket } from '../../../tickets/model.ts'
import { getTicket } from '../../../tickets/read.ts'
import { resendReply } from '../../../tickets/replies/operations.ts'
import { takeBackReply } from '../../../tickets/replies/pending-replies.ts'
import { type AfterReply, UNDO_WINDOW } from '../../../tickets/replies/send-later.ts'
import { settleUnsent } from '../../../tickets/replies/unsent.ts'
import { getMessage } from '../../../tickets/thread/messages.ts'
import { addNote } from '../../../tickets/thread/notes.ts'
import type { Undo } from '../../flash.ts'
import type { Guard } from '../../guard.ts'
import { refuse } from '../../refusal.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { pathAfterTicket } from '../after-ticket.ts'
import { writtenHtml } from '../message/written.ts'
import { forwardPath } from '../outgoing/forward-page.ts'
import { NEW_PATH } from '../outgoing/new-page.ts'
import { parts } from '../parts.ts'
import { ticketPage } from '../ticket/page.ts'
import { draftCall, keepAnswer, MAX_ANSWER_FORM, readAnswer } from './drafting.ts'
import { hasArrived, sendAnswer } from './sending.ts'

/** What is written in a ticket: answers, notes, and what becomes of single messages. */
export function answeringActions(add: Guard): void {
  add.action('/console/tickets/:id/replies', { again: ticketPage, limit: MAX_ANSWER_FORM }, async (visit, sent) => {
    const { say } = visit.wording
    const ticket = await ticketOf(visit)
    const input = await readAnswer(visit, ticket, sent)
    const path = `/console/tickets/${ticket.id}`
    const isRemoval = sent.has('remove')
    if (isRemoval || sent.text('after') === 'keep') {
      const draft = await keepAnswer(visit, ticket, input)
      return redirectTo(`${path}#answer`, isRemoval ? say('fileRemoved') : draft && say('draftKept'))
    }
    if (sent.has('to') && sent.text('to') === '') {
      await keepAnswer(visit, ticket, input)
      throw refuse(say('answerToNobody'), 'to')
    }
    const next = await pathAfterTicket(visit, ticket, sent)
    const { outcome, becomes } = await sendAnswer(visit, ticket, input, sent)
    if (outcome.kind === 'queued') {
      const undo = { ...undoAnswer(ticket, outcome), seconds: UNDO_WINDOW / 1000 }
      return next === path ? redirectTo(`${path}#undo`, say('answerWaits')) : redirectTo(next, say('answerWaits'), undo)
    }
    // One that did not get there is in the thread, with the reason; and whoever talks goes on.
    if (outcome.kind === 'unsent') return redirectTo(path)
    const undo =
      outcome.kind === 'said' ? { ...undoAnswer(ticket, outcome, becomes), seconds: UNDO_WINDOW / 1000 } : null
    return redirectTo(becomes ? next : path, say('answerSent'), undo)
  })

  add.call('/console/tickets/:id/draft', {}, draftCall)

  add.action('/console/tickets/:id/messages/:messageId/undo', { again: ticketPage }, async (visit, sent) => {
    const { ticketId, id } = await messageOfTicket(visit)
    const isChat = (await ticketOf(visit)).channel === 'livechat'
    const draft = await visit.change(async (tx, caller) => {
      const draft = await takeBackReply(tx, caller, id)
      const ticket = isChat && sent.has('was') ? await getTicket(tx, caller.tenantId, ticketId) : null
      // What somebody has made of it since stays.
      if (ticket && parts.status.read(ticket) === sent.exact('became'))
        await parts.status.set(sent.text('was'))(tx, caller, ticket)
      return draft
    })
    const { say } = visit.wording
    if (draft.forwardedId !== null)
      return redirectTo(`${forwardPath(ticketId, draft.forwardedId)}#answer`, visit.wording.say('messageTakenBack'))
    if (draft.ticketId === null) return redirectTo(`${NEW_PATH}#answer`, say('messageTakenBack'))
    // Its visitor is looking at it.
    if (isChat) visit.deps.live.remove({ tenantId: visit.principal.tenantId, ticketId, messageId: id })
    return redirectTo(`/console/tickets/${ticketId}#answer`, say(isChat ? 'saidTakenBack' : 'answerTakenBack'))
  })

  add.action('/console/tickets/:id/notes', { again: ticketPage }, async (visit, sent) => {
    const { say } = visit.wording
    const { id } = await ticketOf(visit)
    const text = sent.text('note')
    if (text === '') throw refuse(say('noteEmpty'), 'note')
    const ticketId = await visit.change(async (tx, caller) => {
      const noteId = await addNote(tx, caller, id, { html: writtenHtml(text), text })
      // Somebody may have merged the ticket meanwhile.
      return (await getMessage(tx, caller.tenantId, noteId)).ticketId
    })
    return redirectTo(`/console/tickets/${ticketId}`, say('noteAdded'))
  })

  add.action('/console/tickets/:id/messages/:messageId/resend', { again: ticketPage }, async (visit) => {
    const { ticketId, id } = await messageOfTicket(visit)
    const isSent = await hasArrived(() => resendReply(visit.deps, visit.caller, id))
    return redirectTo(`/console/tickets/${ticketId}`, isSent ? visit.wording.say('answerSentAgain') : null)
  })

  add.action('/console/tickets/:id/messages/:messageId/dismiss', { again: ticketPage }, async (visit, sent) => {
    const { say } = visit.wording
    const { ticketId, id } = await messageOfTicket(visit)
    const isSettled = !sent.has('undo')
    await visit.change((tx, caller) => settleUnsent(tx, caller, id, isSettled))
    const path = `/console/tickets/${ticketId}`
    if (!isSettled) return redirectTo(path, say('undone'))
    return redirectTo(path, say('unsentDismissed'), {
      action: `${path}/messages/${id}/dismiss`,
      fields: [['undo', '1']],
    })
  })

  add.action('/console/tickets/:id/messages/:messageId/split', { again: ticketPage }, async (visit) => {
    const { id } = await messageOfTicket(visit)
    const split = await visit.change((tx, caller) => splitMessage(tx, caller, id))
    return redirectTo(`/console/tickets/${split.id}`, visit.wording.say('splitDone'))
  })
}

/** The form that takes back an answer; what its ticket became at once with that, it no longer is then. */
export function undoAnswer(
  ticket: Ticket,
  { messageId }: { messageId: string },
  becomes: AfterReply | null = null,
): Undo {
  const { read } = parts.status
  const became = becomes && read({ ...ticket, snoozedUntil: null, ...becomes })
  return {
    action: `/console/tickets/${ticket.id}/messages/${messageId}/undo`,
    fields: became === null ? [] : [['was', read(ticket)] as const, ['became', became] as const],
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
