import { and, eq, inArray } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Reader, type Tx } from '../../db/index.ts'
import { forwards, messages, replyDrafts } from '../../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { Channels } from '../../ports/channel.ts'
import { type AllRecipients, isSameRecipients, recipientsNamed } from '../addressing/recipients.ts'
import { limitFiles } from '../attachments/operations.ts'
import { requireUnmerged } from '../merging/merges.ts'
import type { Message } from '../model.ts'
import { ticketRowOf } from '../read.ts'
import { sendLater } from '../replies/send-later.ts'
import { subjectOf } from '../thread/content.ts'
import { addMessage, getMessage } from '../thread/messages.ts'
import { type Draft, findForwardDraft, moveFiles, removeDraft } from '../writing/drafts.ts'
import { carriedBy, forwardOf } from './forwarded.ts'

/** What can be forwarded: what was said in the conversation, and what came from outside. Notes never leave the team. */
const FORWARDABLE: readonly string[] = ['public', 'outside']

/**
 * The message that is to be forwarded, for agents. Throws `not_found`, for a note and what has not been sent too,
 * `unprocessable` for what is no mail and for a merged ticket.
 */
export async function messageToForward(
  db: Reader,
  tenantId: string,
  messageId: string,
): Promise<{ message: Message; isFromOutside: boolean }> {
  const [found] = isUuid(messageId)
    ? await db
        .select({ state: messages.state })
        .from(messages)
        .where(and(ofTenant(messages, tenantId), eq(messages.id, messageId)))
    : []
  if (!found || !FORWARDABLE.includes(found.state)) throw notFound('message')
  const message = await getMessage(db, tenantId, messageId)
  const ticket = await ticketRowOf(db, tenantId, message.ticketId)
  await requireUnmerged(db, tenantId, ticket)
  if (ticket.channel !== 'email') throw refusal('unprocessable', rule('only_mail_is_forwarded'))
  return { message, isFromOutside: found.state === 'outside' }
}

/**
 * Takes what an agent has written to forward a message (`saveForwardDraft`, in the same transaction) for sending as an answer
 * (`queueReply`): from the ticket's inbox, to anybody, with the message below and its files. It answers nobody: the ticket
 * stays as it is, and no event tells of it (decisions §20). What waits already and is sent a second time is one mail. For
 * agents. Throws as `messageToForward`, `invalid_request` for wrong recipients and no subject, `too_large`.
 */
export async function queueForward(tx: Tx, caller: Caller, channels: Channels, message: Message): Promise<Message> {
  const { tenantId, author, at } = caller
  const draft = await findForwardDraft(tx, tenantId, message, author.id)
  const { to, cc, bcc } = await recipientsNamed(tx, tenantId, { ...draft?.recipients, bcc: draft?.bcc })
  if (!draft?.subject) throw invalid('subject', rule('not_blank'))
  const leftOut = draft.leftOut ?? []
  limitFiles([...draft.attachments, ...carriedBy(message, leftOut)])
  const { html, text } = draft
  const same = await findSame(tx, caller, message.id, { html, to, cc, bcc })
  if (same !== undefined) {
    await removeDraft(tx, tenantId, draft.id)
    return getMessage(tx, tenantId, same)
  }
  const ticket = await ticketRowOf(tx, tenantId, message.ticketId)
  const inbox = await findInbox(tx, tenantId, ticket.inboxId)
  const subject = subjectOf(draft.subject)
  const token = newId(at)
  const addressed = inbox && channels.email.address({ subject, requesterEmail: to[0] as string, inbox, token })
  if (!addressed) throw refusal('unprocessable', rule('only_mail_is_forwarded'))
  const messageId = await addMessage(tx, caller, {
    ...{ html, text, subject, to, cc, bcc, author, ticketId: ticket.id },
    ...{ from: addressed.from, mailId: addressed.mailId },
    ...{ state: 'pending', direction: 'outbound', source: 'web' },
  })
  await tx.insert(forwards).values({ tenantId, messageId, forwardedId: message.id, leftOut: [...leftOut] })
  await moveFiles(tx, tenantId, { draftId: draft.id }, { messageId })
  await removeDraft(tx, tenantId, draft.id)
  await sendLater(tx, caller, messageId)
  return getMessage(tx, tenantId, messageId)
}

async function findSame(
  tx: Tx,
  { tenantId, author }: Caller,
  forwardedId: string,
  { html, ...mail }: Pick<Message, 'html'> & AllRecipients,
): Promise<string | undefined> {
  const waiting = await tx
    .select({ id: messages.id, to: messages.to, cc: messages.cc, bcc: messages.bcc })
    .from(forwards)
    .innerJoin(messages, and(eq(messages.tenantId, forwards.tenantId), eq(messages.id, forwards.messageId)))
    .where(
      and(
        ofTenant(forwards, tenantId),
        eq(forwards.forwardedId, forwardedId),
        eq(messages.state, 'pending'),
        eq(messages.authorId, author.id as string),
        eq(messages.html, html),
      ),
    )
  return waiting.find((waits) => isSameRecipients(waits, mail))?.id
}

/**
 * Makes a forward that was sent part of what agents see, at the place and time of now; nothing else of the ticket changes.
 * Returns null for a message that is none. For `publishReply`.
 */
export async function publishForward(tx: Tx, caller: Caller, sentId: string): Promise<Message | null> {
  const { tenantId, at } = caller
  if (!(await forwardOf(tx, tenantId, sentId))) return null
  const id = newId(at)
  const [sent] = await tx
    .update(messages)
    .set({ id, state: 'forwarded', createdAt: formatTime(at) })
    .where(and(ofTenant(messages, tenantId), eq(messages.id, sentId), inArray(messages.state, ['sending', 'failed'])))
    .returning({ ticketId: messages.ticketId })
  if (!sent) throw notFound('message')
  await audit(tx, caller, 'ticket.forwarded', sent.ticketId)
  return getMessage(tx, tenantId, id)
}

/** Makes a forward that has not gone out a draft again. Null for a message that is none. For `takeBackReply`. */
export async function takeBackForward(tx: Tx, { tenantId, at }: Caller, messageId: string): Promise<Draft | null> {
  const forward = await forwardOf(tx, tenantId, messageId)
  if (!forward) return null
  const own = and(ofTenant(messages, tenantId), eq(messages.id, messageId))
  const [message] = await tx.select().from(messages).where(own)
  if (!message) return null
  const { ticketId, html, text, to, cc, bcc, subject } = message
  const userId = message.authorId as string
  const draftId = newId(at)
  const { forwardedId, leftOut } = forward
  await tx.insert(replyDrafts).values({
    ...{ tenantId, id: draftId, ticketId, userId, html, text, to, cc, bcc, subject },
    ...{ forwardedId, leftOut: [...leftOut], savedAt: formatTime(at) },
  })
  await moveFiles(tx, tenantId, { messageId }, { draftId })
  await tx.delete(messages).where(own)
  return findForwardDraft(tx, tenantId, { ticketId, id: forwardedId }, userId)
}

/** What was forwarded, or is about to be, is another one by its id: one that came back and was sent again. For `publishReply`. */
export async function followForwarded(
  tx: Tx,
  tenantId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx
    .update(forwards)
    .set({ forwardedId: to })
    .where(and(ofTenant(forwards, tenantId), eq(forwards.forwardedId, from)))
  await tx
    .update(replyDrafts)
    .set({ forwardedId: to })
    .where(and(ofTenant(replyDrafts, tenantId), eq(replyDrafts.forwardedId, from)))
}
