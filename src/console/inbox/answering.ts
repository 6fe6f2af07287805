import { AppError, notFound } from '../../errors.ts'
import { type Addition, newestByOthers } from '../../tickets/agents-thread.ts'
import { isEmpty } from '../../tickets/content.ts'
import { type Draft, removeDraft } from '../../tickets/drafts.ts'
import { getMessage } from '../../tickets/messages.ts'
import { addNote } from '../../tickets/notes.ts'
import { queueReply, takeBackReply } from '../../tickets/pending-replies.ts'
import { getTicket } from '../../tickets/read.ts'
import { reply, resendReply } from '../../tickets/replies.ts'
import { splitMessage } from '../../tickets/splitting.ts'
import { setStatus } from '../../tickets/status.ts'
import type { Guard } from '../guard.ts'
import { Refusal, refuse } from '../refusal.ts'
import { type Redirect, redirectTo, type Visit } from '../visit.ts'
import { beside, draftCall, keepAnswer, MAX_ANSWER_FORM } from './drafting.ts'
import { agoOf } from './moments.ts'
import { ticketPage } from './ticket-page.ts'
import { writtenHtml } from './written.ts'

/** What is written in a ticket: answers, notes, and what becomes of single messages. */
export function answeringActions(add: Guard): void {
  add.action('/console/tickets/:id/replies', { again: ticketPage, limit: MAX_ANSWER_FORM }, async (visit, sent) => {
    const { say } = visit.wording
    const ticket = await ticketOf(visit)
    const draft = await keepAnswer(visit, ticket, sent)
    const path = `/console/tickets/${ticket.id}`
    if (sent.has('remove')) return redirectTo(`${path}#answer`, say('fileRemoved'))
    if (sent.text('after') === 'keep') return redirectTo(`${path}#answer`, draft && say('draftKept'))
    if (!draft || isEmpty(draft)) throw refuse(say('answerEmpty'), 'answer')
    const since = await newestByOthers(visit.db, visit.principal, ticket.id, sent.text('newest'))
    if (since) throw new Refusal({ field: 'answer', text: saySince(visit, since) }, 409)
    const closesTicket = sent.text('after') === 'close'
    if (ticket.channel !== 'email') return sendAtOnce(visit, ticket.id, draft, closesTicket)
    await beside(visit, draft.cc, () =>
      visit.change((tx, caller) => queueReply(tx, caller, visit.deps.channels, ticket.id, { closesTicket })),
    )
    return redirectTo(`${path}#undo`, say('answerWaits'))
  })

  add.call('/console/tickets/:id/draft', {}, draftCall)

  add.action('/console/tickets/:id/messages/:messageId/undo', { again: ticketPage }, async (visit) => {
    const { ticketId, id } = await messageOfTicket(visit)
    await visit.change((tx, caller) => takeBackReply(tx, caller, id))
    return redirectTo(`/console/tickets/${ticketId}#answer`, visit.wording.say('answerTakenBack'))
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

  add.action('/console/tickets/:id/messages/:messageId/split', { again: ticketPage }, async (visit) => {
    const { id } = await messageOfTicket(visit)
    const split = await visit.change((tx, caller) => splitMessage(tx, caller, id))
    return redirectTo(`/console/tickets/${split.id}`, visit.wording.say('splitDone'))
  })
}

/** A chat is a conversation: what is said there is said at once. */
async function sendAtOnce(visit: Visit, ticketId: string, draft: Draft, closesTicket: boolean): Promise<Redirect> {
  const path = `/console/tickets/${ticketId}`
  const { html, text } = draft
  const isSent = await hasArrived(() => reply(visit.deps, visit.caller, ticketId, { html, text }))
  await visit.change((tx, { tenantId }) => removeDraft(tx, tenantId, draft.id))
  // The thread has it, with the reason.
  if (!isSent) return redirectTo(path)
  if (closesTicket) {
    // Sending took its time: what comes after it is not from before.
    const at = visit.deps.clock.now()
    await visit.change((tx, caller) => setStatus(tx, { ...caller, at }, ticketId, { status: 'closed' }))
  }
  return redirectTo(path, visit.wording.say('answerSent'))
}

/** Who has written since the page was shown, and when. */
function saySince({ wording, at }: Visit, { state, direction, authorName, createdAt }: Addition): string {
  const values = { name: authorName ?? wording.say('somebody'), when: agoOf(wording.locale, createdAt, at) }
  if (state === 'note') return wording.say('colleagueNotedSince', values)
  return wording.say(direction === 'inbound' ? 'customerWroteSince' : 'colleagueAnsweredSince', values)
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
