import { and, desc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { fullName } from '../../contacts/full-name.ts'
import { findContactId, getContact } from '../../contacts/read.ts'
import { takeNumbers } from '../../db/counters.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { messages, pendingReplies, replyDrafts, tickets } from '../../db/schema.ts'
import { invalid, refusal, rule } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { Channels } from '../../ports/channel.ts'
import { type AllRecipients, isSameRecipients, recipientsNamed } from '../addressing/recipients.ts'
import { limitFiles } from '../attachments/operations.ts'
import { noteChanged } from '../changed.ts'
import { keepDue } from '../due.ts'
import type { Message } from '../model.ts'
import { ticketRowOf } from '../read.ts'
import { sendLater } from '../replies/send-later.ts'
import { excerptOf, isEmpty, subjectOf } from '../thread/content.ts'
import { addMessage, getMessage } from '../thread/messages.ts'
import { noteRead } from '../thread/read-marks.ts'
import { type Draft, findBeginning, moveFiles, removeDraft } from '../writing/drafts.ts'
import { isUnopened, noteUnopened } from './unopened.ts'

/**
 * Begins a conversation with what an agent has written for that (`saveBeginning`, in the same transaction): opens a ticket
 * that is the writer's and whose requester is the first of the recipients, and takes the mail for sending as an answer
 * (`queueReply`). `ticket.created` fires once it is sent; then the requester becomes a contact, too, unless they are one
 * (decisions §20). What waits already and is sent a second time is one mail. For agents. Throws `invalid_request` for no
 * inbox of mail, wrong recipients, no subject and nothing to send, `conflict` for an archived inbox, `too_large`.
 */
export async function queueConversation(tx: Tx, caller: Caller, channels: Channels): Promise<Message> {
  const { tenantId, author, at } = caller
  const draft = await findBeginning(tx, tenantId, author.id)
  const inbox = await findInbox(tx, tenantId, draft?.inboxId ?? '')
  if (inbox?.channel !== 'email') throw invalid('inbox', rule('inbox_unknown'))
  if (inbox.archivedAt !== null) throw invalid('inbox', rule('inbox_archived'))
  const { to, cc, bcc } = await recipientsNamed(tx, tenantId, { ...draft?.recipients, bcc: draft?.bcc })
  if (!draft?.subject) throw invalid('subject', rule('not_blank'))
  if (isEmpty(draft)) throw invalid('html', rule('nothing_to_send'))
  limitFiles(draft.attachments)
  const { html, text } = draft
  const subject = subjectOf(draft.subject)
  const same = await findSame(tx, caller, { html, subject, to, cc, bcc })
  if (same !== undefined) {
    await removeDraft(tx, tenantId, draft.id)
    return getMessage(tx, tenantId, same)
  }
  const requesterEmail = to[0] as string
  const addressed = channels.email.address({ subject, requesterEmail, inbox, token: newId(at) })
  if (!addressed) throw refusal('unprocessable', rule('only_mail_is_answered'))
  const ticketId = await addTicket(tx, caller, { inboxId: inbox.id, subject, requesterEmail, excerpt: excerptOf(text) })
  const messageId = await addMessage(tx, caller, {
    ...{ html, text, subject, to, cc, bcc, ticketId, author },
    ...{ from: addressed.from, mailId: addressed.mailId },
    ...{ state: 'pending', direction: 'outbound', source: 'web' },
  })
  await moveFiles(tx, tenantId, { draftId: draft.id }, { messageId })
  await removeDraft(tx, tenantId, draft.id)
  await sendLater(tx, caller, messageId)
  return getMessage(tx, tenantId, messageId)
}

/** A ticket of which nobody has got anything: it counts no messages, and nobody waits for an answer. */
async function addTicket(
  tx: Tx,
  caller: Caller,
  begun: { inboxId: string; subject: string; requesterEmail: string; excerpt: string },
): Promise<string> {
  const { tenantId, author, at } = caller
  const contactId = await findContactId(tx, tenantId, begun.requesterEmail)
  const contact = contactId === null ? null : await getContact(tx, tenantId, contactId)
  const id = newId(at)
  const now = formatTime(at)
  await tx.insert(tickets).values({
    ...{ ...begun, tenantId, id, contactId },
    sequentialNumber: await takeNumbers(tx, tenantId, 'ticket', 1),
    status: 'open',
    priority: 'normal',
    requesterName: (contact && fullName(contact)) || null,
    messageCount: 0,
    assigneeId: author.id,
    lastMessageAt: now,
    createdAt: now,
    updatedAt: now,
  })
  await noteChanged(tx, tenantId, id)
  await keepDue(tx, caller, null, await ticketRowOf(tx, tenantId, id))
  await noteUnopened(tx, tenantId, id)
  // Nothing of it is news to whoever wrote it.
  await noteRead(tx, { tenantId, userId: author.id as string }, { id, lastMessageAt: now }, at)
  return id
}

/** What the same writer has begun with the same words, which has not gone out yet: a second click, or another tab. */
async function findSame(
  tx: Tx,
  { tenantId, author }: Caller,
  mail: Pick<Message, 'html' | 'subject'> & AllRecipients,
): Promise<string | undefined> {
  const waiting = await tx
    .select({ id: messages.id, ticketId: messages.ticketId, to: messages.to, cc: messages.cc, bcc: messages.bcc })
    .from(pendingReplies)
    .innerJoin(messages, and(eq(messages.tenantId, pendingReplies.tenantId), eq(messages.id, pendingReplies.messageId)))
    .where(
      and(
        ofTenant(pendingReplies, tenantId),
        eq(messages.state, 'pending'),
        eq(messages.authorId, author.id as string),
        eq(messages.html, mail.html),
        eq(messages.subject, mail.subject as string),
      ),
    )
  for (const { id, ticketId, ...waits } of waiting) {
    if (isSameRecipients(waits, mail) && (await isUnopened(tx, tenantId, ticketId))) return id
  }
  return undefined
}

/**
 * Makes what began a ticket, and has not gone out, a draft again: the ticket is gone then, and nobody was told of it. Null
 * where there is more in the ticket by now: what was taken back is an answer in it then. For `takeBackReply`.
 */
export async function takeBackConversation(tx: Tx, { tenantId, at }: Caller, messageId: string): Promise<Draft | null> {
  const [message] = await tx
    .select()
    .from(messages)
    .where(and(ofTenant(messages, tenantId), eq(messages.id, messageId)))
  if (!message || !(await isUnopened(tx, tenantId, message.ticketId))) return null
  const { ticketId, authorId, html, text, to, cc, bcc, subject } = message
  const ofTicket = and(ofTenant(messages, tenantId), eq(messages.ticketId, ticketId))
  const written = await tx.select({ id: messages.id }).from(messages).where(ofTicket).limit(2)
  const drafts = await tx
    .select({ id: replyDrafts.id })
    .from(replyDrafts)
    .where(and(ofTenant(replyDrafts, tenantId), eq(replyDrafts.ticketId, ticketId)))
    .limit(1)
  if (written.length > 1 || drafts.length > 0) return null
  const userId = authorId as string
  const ticket = and(ofTenant(tickets, tenantId), eq(tickets.id, ticketId))
  const [{ inboxId } = { inboxId: null }] = await tx.select({ inboxId: tickets.inboxId }).from(tickets).where(ticket)
  const draftId = newId(at)
  await tx.insert(replyDrafts).values({
    ...{ tenantId, id: draftId, ticketId: null, userId, html, text, to, cc, bcc, subject, inboxId },
    savedAt: formatTime(at),
  })
  await moveFiles(tx, tenantId, { messageId }, { draftId })
  await tx.delete(messages).where(ofTicket)
  await tx.delete(tickets).where(ticket)
  return findBeginning(tx, tenantId, userId)
}

const newestOfUser = prepared((db) =>
  db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.assigneeId, sql.placeholder('userId'))))
    .orderBy(desc(tickets.id))
    .limit(1)
    .prepare(),
)

/** The newest ticket that is somebody's, or null: another one once they have begun a conversation. */
export async function newestTicketOf(db: Reader, tenantId: string, userId: string): Promise<string | null> {
  const [newest] = await newestOfUser(db).execute({ tenantId, userId })
  return newest?.id ?? null
}
