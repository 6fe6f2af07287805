import { and, eq, sql } from 'drizzle-orm'
import type { Caller, VisitorPrincipal } from '../caller.ts'
import { ofTenant, prepared, type Tx } from '../db/index.ts'
import { clientMessages, conversations } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import { cut, oneLine } from '../lib/text/one-line.ts'
import { formatTime } from '../lib/time.ts'
import { openTicket } from '../tickets/incoming/opening.ts'
import { receiveMessage } from '../tickets/incoming/receiving.ts'
import { changeRequester } from '../tickets/requester.ts'
import { contentOf, isEmpty } from '../tickets/thread/content.ts'
import { takeChatUploads } from '../uploads/of-chats.ts'
import {
  contactOfVisitor,
  createVisitor,
  describeVisitor,
  findVerifiedEmail,
  verifyVisitor,
} from '../visitors/operations.ts'
import type { Identity } from './identity.ts'
import type { ChatMessage, NewChatMessage, NewConversation } from './model.ts'
import { findFirstMessage, readMessages, requireConversation } from './read.ts'
import type { ChatSource } from './source.ts'

/** The longest subject made of a message, in characters. */
const MAX_SUBJECT = 60

/**
 * A visitor begins a conversation: a ticket of the source's inbox, whose subject is the first words, or the names of the
 * files where there are none. Throws `invalid_request` for one that says nothing, and as `takeChatUploads`.
 */
export async function startConversation(
  tx: Tx,
  caller: Caller,
  visitor: VisitorPrincipal,
  { inboxId }: ChatSource,
  said: NewConversation,
): Promise<{ conversationId: string; message: ChatMessage }> {
  const written = await takeWritten(tx, visitor, said)
  const { tenantId, visitorId } = visitor
  const contactId = await contactOfVisitor(tx, caller, visitorId)
  const subject = firstWords(written.text.trim() || written.newText)
  const ticket = await openTicket(tx, caller, { inboxId, contactId, subject, ...written })
  await tx.insert(conversations).values({ tenantId, ticketId: ticket.id, visitorId, createdAt: formatTime(caller.at) })
  const message = await findFirstMessage(tx, tenantId, ticket.id)
  if (!message) throw new Error('a ticket has the message that opened it')
  return { conversationId: ticket.id, message }
}

const messageOfClient = prepared((db) =>
  db
    .select({ messageId: clientMessages.messageId })
    .from(clientMessages)
    .where(
      and(
        ofTenant(clientMessages),
        eq(clientMessages.ticketId, sql.placeholder('ticketId')),
        eq(clientMessages.clientId, sql.placeholder('clientId')),
      ),
    )
    .prepare(),
)

/**
 * A visitor writes in a conversation of theirs, which opens it (decisions §8). Sent again under a `clientId` that the
 * conversation has, it is the message that is there. Throws `not_found`, `invalid_request` for one that says nothing, and
 * as `takeChatUploads`.
 */
export async function writeMessage(
  tx: Tx,
  caller: Caller,
  visitor: VisitorPrincipal,
  conversationId: string,
  { clientId, ...said }: NewChatMessage,
): Promise<{ message: ChatMessage; isNew: boolean }> {
  requireSaid(said)
  const { tenantId, visitorId } = visitor
  await requireConversation(tx, visitor, conversationId)
  const [known] = clientId ? await messageOfClient(tx).execute({ tenantId, ticketId: conversationId, clientId }) : []
  if (known) return { message: await requireMessage(tx, tenantId, known.messageId), isNew: false }
  const written = await takeWritten(tx, visitor, said)
  const contactId = await contactOfVisitor(tx, caller, visitorId)
  const { id: messageId } = await receiveMessage(tx, caller, conversationId, { contactId, ...written })
  if (clientId) await tx.insert(clientMessages).values({ tenantId, ticketId: conversationId, clientId, messageId })
  return { message: await requireMessage(tx, tenantId, messageId), isNew: true }
}

async function requireMessage(tx: Tx, tenantId: string, id: string): Promise<ChatMessage> {
  const [message] = await readMessages(tx, tenantId, [id])
  if (!message) throw new Error(`there is no message ${id}`)
  return message
}

function requireSaid({ text, uploads }: NewConversation): void {
  if (!uploads?.length && isEmpty(contentOf({ text }))) throw invalid('text', rule('not_empty'))
}

/** What a message of the visitor is made of, its files taken; without a word they name it in lists. */
async function takeWritten(tx: Tx, visitor: VisitorPrincipal, said: NewConversation) {
  requireSaid(said)
  // What shows nothing is no text beside the files.
  const text = isEmpty(contentOf({ text: said.text })) ? '' : said.text
  const files = await takeChatUploads(tx, visitor, said.uploads ?? [])
  const newText = text || files.map(({ fileName }) => fileName).join(', ')
  return { text, newText, attachments: files }
}

/** As many whole words as fit into a subject, or the beginning of one that is longer. */
function firstWords(text: string): string {
  const line = oneLine(text)
  if (line.length <= MAX_SUBJECT) return line
  const start = cut(line, MAX_SUBJECT)
  const end = line[start.length] === ' ' ? start.length : start.lastIndexOf(' ')
  return `${start.slice(0, end > 0 ? end : start.length)}…`
}

/**
 * Somebody opens the chat, or says more of themselves. `known` is the visitor that their browser has a token of: they
 * stay that one. One whom no identity has named yet is named by `identity`, and so their conversations become those of
 * the contact with its address (decisions §7). One whom another identity named does not: who signs in after somebody
 * else on the same computer becomes a new visitor, and reads nothing of theirs. Throws as `createVisitor`.
 */
export async function admitVisitor(
  tx: Tx,
  caller: Caller,
  { sourceId }: ChatSource,
  { name, email, identity, known }: Arrival,
): Promise<{ visitorId: string; token: string }> {
  if (!known) return createVisitor(tx, caller, { sourceId, ...(identity ?? { name, email }), isVerified: !!identity })
  if (!identity) await describeVisitor(tx, caller, known.visitor.visitorId, { name, email })
  else if (await isWhomItNames(tx, known.visitor, identity)) await proveIdentity(tx, caller, known.visitor, identity)
  else return createVisitor(tx, caller, { sourceId, ...identity, isVerified: true })
  return { visitorId: known.visitor.visitorId, token: known.token }
}

/** Who arrives: as they say, as a site says that they are signed in at, and as whom their browser knows them. */
interface Arrival {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly identity: Identity | null
  readonly known: { readonly visitor: VisitorPrincipal; readonly token: string } | null
}

async function isWhomItNames(tx: Tx, { tenantId, visitorId }: VisitorPrincipal, { email }: Identity): Promise<boolean> {
  const verified = await findVerifiedEmail(tx, tenantId, visitorId)
  return verified === null || normaliseEmail(verified) === normaliseEmail(email)
}

async function proveIdentity(
  tx: Tx,
  caller: Caller,
  { tenantId, visitorId }: VisitorPrincipal,
  identity: Identity,
): Promise<void> {
  const contactId = await verifyVisitor(tx, caller, visitorId, identity)
  const own = await tx
    .select({ ticketId: conversations.ticketId })
    .from(conversations)
    .where(and(ofTenant(conversations, tenantId), eq(conversations.visitorId, visitorId)))
  for (const { ticketId } of own) await changeRequester(tx, caller, ticketId, { contactId, ...identity })
}
