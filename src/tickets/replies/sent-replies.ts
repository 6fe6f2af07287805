import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { invalid, rule } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import type { NewAttachment } from '../attachments/operations.ts'
import { ticketToChange } from '../change.ts'
import type { Message } from '../model.ts'
import { addToThread } from '../thread/adding.ts'
import { contentOf, isEmpty, replySubject } from '../thread/content.ts'
import { addMessage, getMessage } from '../thread/messages.ts'

/**
 * Adds an answer that has already reached the customer, on any channel, with its files, and fires `ticket.replied`; nothing is sent.
 * For what was answered elsewhere, and for demo data: an answer to send goes through `sendReply`. Throws
 * `invalid_request` for an empty answer, `not_found`.
 */
export async function addSentReply(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  {
    attachments = [],
    ...input
  }: { html?: string | null; text?: string | null; attachments?: readonly NewAttachment[] },
): Promise<Message> {
  const { tenantId } = caller
  const content = contentOf(input)
  if (isEmpty(content)) throw invalid('html', rule('not_empty'))
  const ticket = await ticketToChange(tx, caller, ticketId)
  const address = (await findInbox(tx, tenantId, ticket.inboxId))?.emailAddress ?? null
  const id = await addMessage(tx, caller, {
    ...content,
    attachments,
    ticketId: ticket.id,
    state: 'public',
    direction: 'outbound',
    source: caller.author.type === 'api' ? 'api' : 'web',
    author: caller.author,
    subject: address === null ? null : replySubject(ticket.subject),
    from: address,
    to: address === null || ticket.requesterEmail === null ? [] : [ticket.requesterEmail],
    cc: [],
    mailId: null,
  })
  await addToThread(tx, caller, ticket, id)
  return getMessage(tx, tenantId, id)
}
