import type { Tx } from '../../../db/index.ts'
import { AppError } from '../../../errors.ts'
import { ticketToWorkOn } from '../../../tickets/merging/merges.ts'
import type { Ticket } from '../../../tickets/model.ts'
import { sayReply } from '../../../tickets/replies/chat-replies.ts'
import { reply } from '../../../tickets/replies/operations.ts'
import { queueReply } from '../../../tickets/replies/pending-replies.ts'
import type { AfterReply } from '../../../tickets/replies/send-later.ts'
import { setStatus } from '../../../tickets/status.ts'
import { type Addition, newestByOthers } from '../../../tickets/thread/agents-thread.ts'
import { isEmpty } from '../../../tickets/thread/content.ts'
import { type Draft, type DraftInput, removeDraft, saveDraft, saysNothing } from '../../../tickets/writing/drafts.ts'
import type { FormFields } from '../../form-fields.ts'
import { Refusal, refuse } from '../../refusal.ts'
import type { Visit } from '../../visit.ts'
import { agoOf } from '../moments.ts'
import { snoozeEndOf } from '../ticket/snooze.ts'
import { beside, keepAnswer } from './drafting.ts'

/** What became of an answer: what was said can be taken back, what goes by mail waits for that, and nothing came of the rest. */
type Outcome = { readonly kind: 'sent' | 'unsent' } | { readonly kind: 'queued' | 'said'; readonly messageId: string }

const SNOOZES: readonly string[] = ['later', 'tomorrow', 'monday']

/** What the button that sends an answer says of its ticket; null where that stays as it is. Refuses a snooze of the past. */
function becomesOf(visit: Visit, sent: FormFields): AfterReply | null {
  const after = sent.text('after')
  if (after === 'close') return { status: 'closed', snoozedUntil: null }
  if (after === 'wait') return { status: 'pending', snoozedUntil: null }
  const chosen = after === 'snooze' ? sent : SNOOZES.includes(after) ? sent.with('sendUntil', after) : null
  return chosen && { status: 'open', snoozedUntil: snoozeEndOf(visit, chosen, 'sendUntil') }
}

/**
 * Sends an answer by the ticket's own channel: a mail once it can no longer be taken back, what is said in a chat at once.
 * Keeping and sending are one transaction, so that what the same person sends from another tab is another answer. The form
 * says which message was the newest that its writer could read, and what becomes of the ticket. Refuses, beside the field,
 * what cannot be sent: then what was written is kept.
 */
export async function sendAnswer(
  visit: Visit,
  ticket: Ticket,
  input: DraftInput,
  sent: FormFields,
): Promise<{ outcome: Outcome; becomes: AfterReply | null }> {
  const isMail = ticket.channel === 'email'
  // In a chat people write across each other.
  const take = (tx: Tx) => draftToSend(tx, visit, ticket, input, isMail ? sent.text('newest') : null)
  let outcome: Outcome
  let becomes: AfterReply | null
  try {
    becomes = becomesOf(visit, sent)
    outcome = await beside(visit, input, () => {
      if (isMail) return queue(visit, ticket.id, take, becomes)
      return ticket.channel === 'livechat' ? say(visit, ticket.id, take) : sendAtOnce(visit, ticket.id, take)
    })
  } catch (error) {
    await keepAnswer(visit, ticket, input)
    throw error
  }
  const isOut = outcome.kind === 'said' || outcome.kind === 'sent'
  if (isOut && becomes !== null) {
    const then = becomes
    // Sending took its time: what comes after it is not from before.
    const at = visit.deps.clock.now()
    await visit.change((tx, caller) => setStatus(tx, { ...caller, at }, ticket.id, then))
  }
  return { outcome, becomes }
}

/**
 * Keeps an answer that is to be sent. Refuses an empty one, and, where it is said what is the newest that its writer could
 * read, one of somebody who has not read what others wrote since.
 */
async function draftToSend(
  tx: Tx,
  visit: Visit,
  { id: ticketId, channel }: Ticket,
  input: DraftInput,
  newest: string | null,
): Promise<Draft> {
  const draft = await saveDraft(tx, visit.caller, ticketId, input)
  const isNothing = channel === 'livechat' ? saysNothing : isEmpty
  if (!draft || isNothing(draft)) throw refuse(visit.wording.say('answerEmpty'), 'answer')
  // Kept where its messages are: the ticket was merged, and takes no answer.
  if (draft.ticketId !== ticketId) await ticketToWorkOn(tx, visit.caller, ticketId)
  const since = newest !== null && (await newestByOthers(tx, visit.principal, ticketId, newest))
  if (since) throw new Refusal({ field: 'answer', text: saySince(visit, since) }, 409)
  return draft
}

type Take = (tx: Tx) => Promise<Draft>

async function queue(visit: Visit, ticketId: string, take: Take, becomes: AfterReply | null): Promise<Outcome> {
  const { id } = await visit.change(async (tx, caller) => {
    await take(tx)
    return queueReply(tx, caller, visit.deps.channels, ticketId, becomes)
  })
  return { kind: 'queued', messageId: id }
}

async function say(visit: Visit, ticketId: string, take: Take): Promise<Outcome> {
  const { id } = await visit.change(async (tx, caller) => {
    await take(tx)
    return sayReply(tx, caller, visit.deps.channels, ticketId)
  })
  return { kind: 'said', messageId: id }
}

async function sendAtOnce(visit: Visit, ticketId: string, take: Take): Promise<Outcome> {
  const isSent = await hasArrived(() =>
    reply(visit.deps, visit.caller, ticketId, async (tx) => {
      const { id, html, text } = await take(tx)
      await removeDraft(tx, visit.principal.tenantId, id)
      return { html, text }
    }),
  )
  return { kind: isSent ? 'sent' : 'unsent' }
}

/** Who has written since the page was shown, and when. */
function saySince({ wording, at }: Visit, { state, direction, authorName, createdAt }: Addition): string {
  const values = { name: authorName ?? wording.say('somebody'), when: agoOf(wording.locale, createdAt, at) }
  if (state === 'note') return wording.say('colleagueNotedSince', values)
  if (state === 'outside') return wording.say('outsideWroteSince', values)
  if (state === 'forwarded') return wording.say('colleagueForwardedSince', values)
  return wording.say(direction === 'inbound' ? 'customerWroteSince' : 'colleagueAnsweredSince', values)
}

/** Whether a reply went out. One that did not, or not yet (null), is in the thread, and says why. */
export async function hasArrived(send: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await send()) !== null
  } catch (error) {
    if (error instanceof AppError && error.code === 'delivery_failed') return false
    throw error
  }
}
