import type { Tx } from '../../../db/index.ts'
import { AppError } from '../../../errors.ts'
import type { Message, Ticket } from '../../../tickets/model.ts'
import { reply } from '../../../tickets/replies/operations.ts'
import { queueReply } from '../../../tickets/replies/pending-replies.ts'
import type { AfterReply } from '../../../tickets/replies/send-later.ts'
import { setStatus } from '../../../tickets/status.ts'
import { type Addition, newestByOthers } from '../../../tickets/thread/agents-thread.ts'
import { isEmpty } from '../../../tickets/thread/content.ts'
import { type Draft, type DraftInput, removeDraft, saveDraft } from '../../../tickets/writing/drafts.ts'
import type { FormFields } from '../../form-fields.ts'
import { Refusal, refuse } from '../../refusal.ts'
import type { Visit } from '../../visit.ts'
import { agoOf } from '../moments.ts'
import { snoozeEndOf } from '../ticket/snooze.ts'
import { beside, keepAnswer } from './drafting.ts'

/** How an answer is to be sent. */
interface Sending {
  /** The newest message that its writer could read. */
  readonly newest: string
  /** What becomes of the ticket once it is sent. */
  readonly becomes: AfterReply | null
}

/** What became of an answer. */
interface Sent {
  /** Whether it is on its way. */
  readonly isSent: boolean
  /** By what it can be taken back; null where it was said at once. */
  readonly messageId: string | null
}

/** What the button that sends an answer says of its ticket; null where that stays as it is. Refuses a snooze of the past. */
export function becomesOf(visit: Visit, sent: FormFields): AfterReply | null {
  const after = sent.text('after')
  if (after === 'close') return { status: 'closed' }
  if (after === 'wait') return { status: 'pending' }
  const chosen = after === 'snooze' ? sent : SNOOZES.includes(after) ? sent.with('sendUntil', after) : null
  return chosen && { status: 'open', snoozedUntil: snoozeEndOf(visit, chosen, 'sendUntil') }
}

const SNOOZES: readonly string[] = ['later', 'tomorrow', 'monday']

/**
 * Sends an answer by the ticket's own channel: a mail once it can no longer be taken back, what is said in a chat at once.
 * Keeping and sending are one transaction, so that what the same person sends from another tab is another answer. Refuses,
 * beside the field, what cannot be sent: then what was written is kept.
 */
export async function sendAnswer(
  visit: Visit,
  ticket: Ticket,
  input: DraftInput,
  readHow: () => Sending,
): Promise<Sent> {
  try {
    const how = readHow()
    if (ticket.channel === 'email') {
      const take = (tx: Tx) => draftToSend(tx, visit, ticket, input, how.newest)
      const { id } = await beside(visit, input.recipients, () => queue(visit, ticket.id, take, how))
      return { isSent: true, messageId: id }
    }
    // In a chat people write across each other.
    const isSent = await sendAtOnce(visit, ticket.id, (tx) => draftToSend(tx, visit, ticket, input, null))
    const { becomes } = how
    // Sending took its time: what comes after it is not from before.
    const at = visit.deps.clock.now()
    if (isSent && becomes) await visit.change((tx, caller) => setStatus(tx, { ...caller, at }, ticket.id, becomes))
    return { isSent, messageId: null }
  } catch (error) {
    await keepAnswer(visit, ticket, input)
    throw error
  }
}

/**
 * Keeps an answer that is to be sent. Refuses an empty one, and, where it is said what is the newest that its writer could
 * read, one of somebody who has not read what others wrote since.
 */
async function draftToSend(
  tx: Tx,
  visit: Visit,
  ticket: Ticket,
  input: DraftInput,
  newest: string | null,
): Promise<Draft> {
  const draft = await saveDraft(tx, visit.caller, ticket.id, input)
  if (!draft || isEmpty(draft)) throw refuse(visit.wording.say('answerEmpty'), 'answer')
  const since = newest !== null && (await newestByOthers(tx, visit.principal, ticket.id, newest))
  if (since) throw new Refusal({ field: 'answer', text: saySince(visit, since) }, 409)
  return draft
}

type Take = (tx: Tx) => Promise<Draft>

function queue(visit: Visit, ticketId: string, take: Take, { becomes }: Sending): Promise<Message> {
  return visit.change(async (tx, caller) => {
    await take(tx)
    return queueReply(tx, caller, visit.deps.channels, ticketId, becomes)
  })
}

function sendAtOnce(visit: Visit, ticketId: string, take: Take): Promise<boolean> {
  return hasArrived(() =>
    reply(visit.deps, visit.caller, ticketId, async (tx) => {
      const { id, html, text } = await take(tx)
      await removeDraft(tx, visit.principal.tenantId, id)
      return { html, text }
    }),
  )
}

/** Who has written since the page was shown, and when. */
function saySince({ wording, at }: Visit, { state, direction, authorName, createdAt }: Addition): string {
  const values = { name: authorName ?? wording.say('somebody'), when: agoOf(wording.locale, createdAt, at) }
  if (state === 'note') return wording.say('colleagueNotedSince', values)
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
