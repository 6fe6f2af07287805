import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import { invalid, refusal, rule } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Channels } from '../../ports/channel.ts'
import { addressReply } from '../addressing/addressing.ts'
import { limitFiles } from '../attachments/operations.ts'
import { changeTicket, ticketToChange } from '../change.ts'
import { hasGoneByMail, skipInMail } from '../chat-mails.ts'
import type { Message } from '../model.ts'
import { addToThread } from '../thread/adding.ts'
import { addMessage, getMessage } from '../thread/messages.ts'
import { threadSummaryOf } from '../thread/summary.ts'
import { findDraft, moveFiles, removeDraft, saysNothing } from '../writing/drafts.ts'
import { UNDO_WINDOW } from './send-later.ts'

/** How long it may take until it is heard that somebody takes a message back, in milliseconds. */
const ON_THE_WAY = 3_000

/**
 * Says in a chat what an agent has written there (`saveDraft`, in the same transaction), files and all: its visitor is
 * shown it at once. For agents. Throws as `queueReply`.
 */
export async function sayReply(tx: Tx, caller: Caller, channels: Channels, ticketId: string): Promise<Message> {
  const { tenantId, author } = caller
  const draft = await findDraft(tx, tenantId, ticketId, author.id)
  if (!draft || saysNothing(draft)) throw invalid('html', rule('nothing_to_send'))
  limitFiles(draft.attachments)
  const { html, text } = draft
  const addressed = await addressReply(tx, caller, channels, ticketId, { token: newId(caller.at) })
  const id = await addMessage(tx, caller, {
    ...{ html, text },
    ...addressed,
    ...{ ticketId, author, state: 'public', direction: 'outbound', source: 'web' },
  })
  await moveFiles(tx, tenantId, { draftId: draft.id }, { messageId: id })
  await removeDraft(tx, tenantId, draft.id)
  const named = draft.attachments.map(({ fileName }) => fileName).join(', ')
  await addToThread(tx, caller, await ticketToChange(tx, caller, ticketId), id, {}, text.trim() || named)
  return getMessage(tx, tenantId, id)
}

type Said = Pick<typeof messages.$inferSelect, 'id' | 'ticketId' | 'createdAt' | 'direction'>

/**
 * Throws `conflict` for what is no answer in a chat of the last ten seconds, or may have gone by mail already. For
 * `takeBackReply`.
 */
export async function requireRetractable(tx: Tx, caller: Caller, said: Said): Promise<void> {
  const { channel } = await ticketToChange(tx, caller, said.ticketId)
  if (said.direction !== 'outbound' || channel !== 'livechat') throw refusal('conflict', rule('on_its_way'))
  const isLate = caller.at - Date.parse(said.createdAt) > UNDO_WINDOW + ON_THE_WAY
  if (isLate || (await hasGoneByMail(tx, caller.tenantId, said))) throw refusal('conflict', rule('said_for_good'))
}

/**
 * Removes what was said in a chat, whose files are somewhere else by then: the ticket shows what was said before, its
 * visitor waits as they did, and no mail brings it. The event that told of it stays. For `takeBackReply`.
 */
export async function removeSaid(tx: Tx, caller: Caller, { id, ticketId }: Said): Promise<void> {
  const { tenantId } = caller
  await tx.delete(messages).where(and(ofTenant(messages, tenantId), eq(messages.id, id)))
  await skipInMail(tx, tenantId, ticketId, id)
  const ticket = await ticketToChange(tx, caller, ticketId)
  await changeTicket(tx, caller, ticket, await threadSummaryOf(tx, tenantId, ticket, []), -1)
  await audit(tx, caller, 'ticket.reply_taken_back', ticketId)
}
