import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { attachments, messages, pendingReplies, replyDrafts } from '../../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { Channels } from '../../ports/channel.ts'
import { addressReply } from '../addressing/addressing.ts'
import { isSameRecipients } from '../addressing/recipients.ts'
import { limitFiles, type NewAttachment } from '../attachments/operations.ts'
import type { Message } from '../model.ts'
import { takeBackConversation } from '../outgoing/conversations.ts'
import { forwardsAmong } from '../outgoing/forwarded.ts'
import { takeBackForward } from '../outgoing/forwards.ts'
import { contentOf, isEmpty } from '../thread/content.ts'
import { addMessage, getMessage, type NewMessage } from '../thread/messages.ts'
import { type Draft, findDraft, moveFiles, removeDraft } from '../writing/drafts.ts'
import { removeSaid, requireRetractable } from './chat-replies.ts'
import { type AfterReply, columnsOf, sendLater } from './send-later.ts'

/**
 * Takes what an agent has written in a ticket (`saveDraft`, in the same transaction) for sending: in ten seconds it goes out
 * by itself (`ReplySending`), unless `takeBackReply` comes before. Until then it counts for nothing, and no event tells of
 * it. What waits already and is sent a second time is one reply. The ticket becomes what `after` says once it is sent, unless
 * the customer writes meanwhile. For agents. Throws `not_found`, `invalid_request` when there is nothing to send or an
 * address is wrong, `too_large`, `unprocessable` for a ticket that cannot be answered.
 */
export async function queueReply(
  tx: Tx,
  caller: Caller,
  channels: Channels,
  ticketId: string,
  after: AfterReply | null = null,
): Promise<Message> {
  const { tenantId, author, at } = caller
  const draft = await findDraft(tx, tenantId, ticketId, author.id)
  if (!draft || isEmpty(draft)) throw invalid('html', rule('nothing_to_send'))
  limitFiles(draft.attachments)
  const { html, text, recipients, bcc } = draft
  const named = recipients && { cc: recipients.cc, ...(recipients.to.length > 0 ? { to: recipients.to } : {}) }
  const addressed = await addressReply(tx, caller, channels, ticketId, { token: newId(at), ...named, bcc })
  const same = await findSame(tx, caller, ticketId, { ...draft, ...addressed })
  if (same !== undefined) {
    await removeDraft(tx, tenantId, draft.id)
    const own = and(ofTenant(pendingReplies, tenantId), eq(pendingReplies.messageId, same))
    if (after) await tx.update(pendingReplies).set(columnsOf(after)).where(own)
    return getMessage(tx, tenantId, same)
  }
  const messageId = await addMessage(tx, caller, {
    ...{ html, text },
    ...addressed,
    ...{ ticketId, author, state: 'pending', direction: 'outbound', source: 'web' },
  })
  await moveFiles(tx, tenantId, { draftId: draft.id }, { messageId })
  await removeDraft(tx, tenantId, draft.id)
  await sendLater(tx, caller, messageId, after)
  return getMessage(tx, tenantId, messageId)
}

/**
 * As `queueReply`, of what an agent answered from their own mail program, with files that were stored before: to whom the
 * thread says. Returns its id. Throws as `queueReply`, before it has written anything.
 */
export async function queueMailedReply(
  tx: Tx,
  caller: Caller,
  channels: Channels,
  ticketId: string,
  { text, attachments: files }: { text: string; attachments: readonly NewAttachment[] },
): Promise<string> {
  const { author, at } = caller
  const content = contentOf({ text })
  if (isEmpty(content)) throw invalid('text', rule('nothing_to_send'))
  limitFiles(files)
  const addressed = await addressReply(tx, caller, channels, ticketId, { token: newId(at) })
  const messageId = await addMessage(tx, caller, {
    ...content,
    ...addressed,
    ...{ ticketId, author, attachments: files, state: 'pending', direction: 'outbound', source: 'web' },
  })
  await sendLater(tx, caller, messageId)
  return messageId
}

/**
 * A reply of the same writer that has not gone out yet and says the same to the same people: a second click, or the same
 * draft in another tab. Files that a first one took with it are not in what comes second.
 */
async function findSame(
  tx: Tx,
  { tenantId, author }: Caller,
  ticketId: string,
  { id: draftId, html, to, cc, bcc }: Pick<Draft, 'id' | 'html' | 'bcc'> & Pick<NewMessage, 'to' | 'cc'>,
): Promise<string | undefined> {
  const waiting = await tx
    .select({ id: messages.id, to: messages.to, cc: messages.cc, bcc: messages.bcc })
    .from(messages)
    .where(
      and(
        ofTenant(messages, tenantId),
        eq(messages.ticketId, ticketId),
        inArray(messages.state, ['pending', 'sending']),
        eq(messages.authorId, author.id as string),
        eq(messages.html, html),
      ),
    )
  const files = await filesOf(tx, tenantId, eq(attachments.draftId, draftId))
  const forwarding = await forwardsAmong(
    tx,
    tenantId,
    waiting.map(({ id }) => id),
  )
  for (const reply of waiting) {
    if (forwarding.has(reply.id)) continue
    const isToSame = isSameRecipients(reply, { to, cc, bcc })
    if (isToSame && files.isSubsetOf(await filesOf(tx, tenantId, eq(attachments.messageId, reply.id)))) return reply.id
  }
  return undefined
}

async function filesOf(tx: Tx, tenantId: string, held: SQL): Promise<ReadonlySet<string>> {
  const { fileName, sha256 } = attachments
  const files = await tx
    .select({ fileName, sha256 })
    .from(attachments)
    .where(and(ofTenant(attachments, tenantId), held))
  return new Set(files.map((file) => `${file.sha256} ${file.fileName}`))
}

/**
 * Makes a reply that has not gone out yet, or was said in a chat a moment ago, what its writer is writing again, before
 * whatever they have begun since; with one that began a ticket, the ticket goes. For its writer. Throws `not_found`,
 * `conflict` once it is being sent or was said too long ago, and for somebody else's.
 */
export async function takeBackReply(tx: Tx, caller: Caller, messageId: string): Promise<Draft> {
  const { tenantId, author, at } = caller
  const own = and(ofTenant(messages, tenantId), eq(messages.id, messageId))
  const [reply] = await tx.select().from(messages).where(own)
  if (!reply) throw notFound('message')
  const isSaid = reply.state === 'public'
  if (isSaid) await requireRetractable(tx, caller, reply)
  else if (reply.state !== 'pending') throw refusal('conflict', rule('on_its_way'))
  if (reply.authorId === null || reply.authorId !== author.id) {
    throw refusal('conflict', rule('not_the_writer'))
  }
  const other = (await takeBackForward(tx, caller, messageId)) ?? (await takeBackConversation(tx, caller, messageId))
  if (other) return other
  const { ticketId, authorId: userId, cc, bcc } = reply
  // A chat has nobody to send it to: the thread says it.
  const to = isSaid ? null : reply.to
  const later = await findDraft(tx, tenantId, ticketId, userId)
  const draftId = newId(at)
  await tx.insert(replyDrafts).values({
    ...{ tenantId, id: draftId, ticketId, userId, to, cc, bcc },
    html: reply.html + (later?.html ?? ''),
    text: [reply.text, later?.text].filter(Boolean).join('\n\n'),
    savedAt: formatTime(at),
  })
  await moveFiles(tx, tenantId, { messageId }, { draftId })
  if (later) {
    await moveFiles(tx, tenantId, { draftId: later.id }, { draftId })
    await removeDraft(tx, tenantId, later.id)
  }
  if (isSaid) await removeSaid(tx, caller, reply)
  else await tx.delete(messages).where(own)
  return (await findDraft(tx, tenantId, ticketId, userId)) as Draft
}
