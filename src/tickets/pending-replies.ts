import { and, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import type { Channels } from '../channels/channel.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { attachments, messages, pendingReplies } from '../db/schema.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { addressReply } from './addressing.ts'
import { limitFiles } from './attachments.ts'
import { isEmpty } from './content.ts'
import { findDraft, removeDraft } from './drafts.ts'
import { getMessage } from './messages.ts'
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
  if (!draft || isEmpty(draft)) throw invalid('html', 'holds nothing that could be sent')
  limitFiles(draft.attachments)
  // Its place is where it is sent from, not where it was begun.
  const id = newId(at)
  const addressed = await addressReply(tx, caller, channels, ticketId, { token: id, cc: draft.cc })
  const { subject, from: fromAddress, to, cc, mailId } = addressed
  await tx
    .update(messages)
    .set({ id, state: 'pending', subject, fromAddress, to: [...to], cc, mailId, createdAt: formatTime(at) })
    .where(ofMessage(tenantId, draft.id))
  await tx
    .insert(pendingReplies)
    .values({ tenantId, messageId: id, dueAt: formatTime(at + UNDO_WINDOW), closesTicket, address })
  return getMessage(tx, tenantId, id)
}

/**
 * Makes a reply that has not gone out yet what its writer is writing again, before whatever they have begun since. For its
 * writer. Throws `not_found`, `conflict` once it is being sent, and for somebody else's.
 */
export async function takeBackReply(tx: Tx, caller: Caller, messageId: string): Promise<Message> {
  const { tenantId, author } = caller
  const [found] = await tx.select().from(messages).where(ofMessage(tenantId, messageId))
  if (!found) throw notFound('message')
  if (found.state !== 'pending') throw new AppError('conflict', 'the reply is on its way already')
  if (found.authorId !== author.id) throw new AppError('conflict', 'only its writer can take a reply back')
  const later = await findDraft(tx, tenantId, found.ticketId, author.id)
  if (later) {
    await tx
      .update(attachments)
      .set({ messageId })
      .where(and(ofTenant(attachments, tenantId), eq(attachments.messageId, later.id)))
    await removeDraft(tx, tenantId, later.id)
  }
  await tx
    .delete(pendingReplies)
    .where(and(ofTenant(pendingReplies, tenantId), eq(pendingReplies.messageId, messageId)))
  const html = found.html + (later?.html ?? '')
  const text = [found.text, later?.text].filter(Boolean).join('\n\n')
  const nowhere = { subject: null, fromAddress: null, to: [], mailId: null }
  await tx
    .update(messages)
    .set({ ...nowhere, state: 'draft', html, text, createdAt: formatTime(caller.at) })
    .where(ofMessage(tenantId, messageId))
  return getMessage(tx, tenantId, messageId)
}

const ofMessage = (tenantId: string, id: string) => and(ofTenant(messages, tenantId), eq(messages.id, id))
