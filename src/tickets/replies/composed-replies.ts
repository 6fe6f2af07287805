import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { pendingReplies } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { Channels } from '../../ports/channel.ts'
import { addressReply } from '../addressing/addressing.ts'
import { ticketToChange } from '../change.ts'
import { addToThread } from '../thread/adding.ts'
import type { Content } from '../thread/content.ts'
import { addMessage } from '../thread/messages.ts'
import { sendLater } from './send-later.ts'

/**
 * Sends what is written already on the ticket's own channel, to whom the thread says. Said in a chat at once. A mail goes
 * out as replies do, once: a person's can be taken back for ten seconds, what nobody pressed a button for goes at once and is
 * marked as automatic. Returns the message's id, which a mail changes when it is sent. Throws `not_found`, `unprocessable`
 * for a ticket that cannot be answered.
 */
export async function sendComposed(
  tx: Tx,
  caller: Caller,
  channels: Channels,
  ticketId: string,
  content: Content,
): Promise<string> {
  const { tenantId, author, at, via } = caller
  const ticket = await ticketToChange(tx, caller, ticketId)
  const addressed = await addressReply(tx, caller, channels, ticketId, { token: newId(at) })
  const byPerson = author.type === 'agent'
  const isChat = ticket.channel === 'livechat'
  const id = await addMessage(tx, caller, {
    ...content,
    ...addressed,
    ...{ ticketId, direction: 'outbound', isAutomatic: !byPerson },
    // A visitor reads who wrote: what a rule is called is for the team.
    author: isChat && !byPerson ? { ...author, name: null } : author,
    state: isChat ? 'public' : 'pending',
    // What a mail's source says decides whether other programs are asked not to answer it.
    source: byPerson || isChat ? 'web' : 'email',
  })
  if (isChat) await addToThread(tx, caller, ticket, id)
  else if (byPerson) await sendLater(tx, caller, id)
  else await tx.insert(pendingReplies).values({ tenantId, messageId: id, dueAt: formatTime(at), via, address: null })
  return id
}
