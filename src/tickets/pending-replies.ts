import { and, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import type { Channels } from '../channels/channel.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { messages, pendingReplies, replyDrafts } from '../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { addressReply } from './addressing.ts'
import { limitFiles } from './attachments.ts'
import { isEmpty } from './content.ts'
import { type Draft, findDraft, moveFiles, removeDraft } from './drafts.ts'
import { addMessage, getMessage } from './messages.ts'
import type { Message } from './model.ts'

/** How long a reply can be taken back before it is sent, in milliseconds. */
export const UNDO_WINDOW = 10_000

/**
 * Takes what an agent has written in a ticket (`saveDraft`) for sending: in ten seconds it goes out by itself
 * (`ReplySending`), unless `takeBackReply` comes before. Until then it counts for nothing, and no event tells of it.
 * `closesTicket`: the ticket is closed once it is sent, unless the customer writes meanwhile. For agents. Throws
 * `not_found`, `invalid_request` when there is nothing to send or a copy's address is wrong, `too_large`, `unprocessable`
 * for a ticket that cannot be answered.
 */
export async function queueReply(
  tx: Tx,
  caller: Caller,
  channels: Channels,
  ticketId: string,
  { closesTicket }: { closesTicket: boolean },
): Promise<Message> {
  const { tenantId, author, address, at } = caller
  const draft = await findDraft(tx, tenantId, ticketId, author.id)
  if (!draft || isEmpty(draft)) throw invalid('html', rule('nothing_to_send'))
  limitFiles(draft.attachments)
  const { html, text, cc } = draft
  const addressed = await addressReply(tx, caller, channels, ticketId, { token: newId(at), cc })
  const messageId = await addMessage(tx, caller, {
    ...{ html, text },
    ...addressed,
    ...{ ticketId, author, state: 'pending', direction: 'outbound', source: 'web' },
  })
  await moveFiles(tx, tenantId, { draftId: draft.id }, { messageId })
  await removeDraft(tx, tenantId, draft.id)
  const dueAt = formatTime(at + UNDO_WINDOW)
  await tx.insert(pendingReplies).values({ tenantId, messageId, dueAt, closesTicket, address })
  return getMessage(tx, tenantId, messageId)
}

/**
 * Makes a reply that has not gone out yet what its writer is writing again, before whatever they have begun since. For its
 * writer. Throws `not_found`, `conflict` once it is being sent, and for somebody else's.
 */
export async function takeBackReply(tx: Tx, caller: Caller, messageId: string): Promise<Draft> {
  const { tenantId, author, at } = caller
  const own = and(ofTenant(messages, tenantId), eq(messages.id, messageId))
  const [reply] = await tx.select().from(messages).where(own)
  if (!reply) throw notFound('message')
  if (reply.state !== 'pending') throw refusal('conflict', rule('on_its_way'))
  if (reply.authorId === null || reply.authorId !== author.id) {
    throw refusal('conflict', rule('not_the_writer'))
  }
  const { ticketId, authorId: userId, cc } = reply
  const later = await findDraft(tx, tenantId, ticketId, userId)
  const draftId = newId(at)
  await tx.insert(replyDrafts).values({
    ...{ tenantId, id: draftId, ticketId, userId, cc },
    html: reply.html + (later?.html ?? ''),
    text: [reply.text, later?.text].filter(Boolean).join('\n\n'),
    savedAt: formatTime(at),
  })
  await moveFiles(tx, tenantId, { messageId }, { draftId })
  if (later) {
    await moveFiles(tx, tenantId, { draftId: later.id }, { draftId })
    await removeDraft(tx, tenantId, later.id)
  }
  await tx.delete(messages).where(own)
  return (await findDraft(tx, tenantId, ticketId, userId)) as Draft
}
