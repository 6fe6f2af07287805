import { domainToASCII } from 'node:url'
import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { chatSettings, conversations, livechatSources, messages, tenants, tickets, visitors } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Inbox } from '../inboxes/model.ts'
import { findInbox, oldestEmailInbox } from '../inboxes/operations.ts'
import { installationId } from '../installation/id.ts'
import { html, trustedHtml } from '../lib/html/markup.ts'
import { domainOf } from '../lib/input/email.ts'
import { oneLine } from '../lib/text/one-line.ts'
import type { OutgoingFile, OutgoingMessage } from '../ports/channel.ts'
import { replyAddress } from '../tickets/addressing/reply-address.ts'
import { mailsOfThread } from '../tickets/replies/build-reply.ts'
import { replySubject, subjectOf } from '../tickets/thread/content.ts'
import { filesOf } from './files.ts'
import { mailWordsOf } from './mail-words.ts'

/** The most answers in one mail: further ones go into the next mail. */
const MOST_ANSWERS = 50
/** Bytes of files in one mail: many mail servers take no more than 25 MB, encoded. */
const MOST_BYTES = 15 * 1024 * 1024

const recipientOfTicket = prepared((db) =>
  db
    .select(
      named({
        email: visitors.email,
        name: visitors.name,
        isVerified: visitors.isVerified,
        subject: tickets.subject,
        sequentialNumber: tickets.sequentialNumber,
        emailInboxId: chatSettings.emailInboxId,
        language: chatSettings.language,
        tenantLanguage: tenants.language,
        sourceName: livechatSources.name,
      }),
    )
    .from(conversations)
    .innerJoin(tickets, and(eq(tickets.tenantId, conversations.tenantId), eq(tickets.id, conversations.ticketId)))
    .innerJoin(visitors, and(eq(visitors.tenantId, conversations.tenantId), eq(visitors.id, conversations.visitorId)))
    .innerJoin(
      livechatSources,
      and(eq(livechatSources.tenantId, visitors.tenantId), eq(livechatSources.id, visitors.sourceId)),
    )
    .innerJoin(tenants, eq(tenants.id, conversations.tenantId))
    .leftJoin(
      chatSettings,
      and(eq(chatSettings.tenantId, livechatSources.tenantId), eq(chatSettings.sourceId, livechatSources.id)),
    )
    .where(and(ofTenant(conversations), eq(conversations.ticketId, sql.placeholder('ticketId'))))
    .prepare(),
)

const answersFrom = prepared((db) =>
  db
    .select(
      named({
        id: messages.id,
        html: messages.html,
        text: messages.text,
        author: messages.authorName,
        authorType: messages.authorType,
      }),
    )
    .from(messages)
    .where(
      and(
        ofTenant(messages),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        eq(messages.state, 'public'),
        eq(messages.direction, 'outbound'),
        gte(messages.id, sql.placeholder('first')),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(MOST_ANSWERS)
    .prepare(),
)

type MailDeps = Pick<Deps, 'database' | 'secrets' | 'files'>

interface DueChatMail {
  tenantId: string
  ticketId: string
  firstMessageId: string
}

/** A mail to a visitor who left, and what it rests on. */
export interface ChatMail {
  readonly message: OutgoingMessage
  readonly address: string
  /** Whether a signed identity says that the address is theirs. */
  readonly isVerified: boolean
  readonly lastMessageId: string
}

/**
 * The mail with the answers from `firstMessageId` on, as they are now; null where there is none to send, nobody to send
 * it to, or no email inbox to send it from (decisions §13). Of an address that nobody verified it repeats nothing that
 * the visitor wrote, not their name either: they could have strangers get what they like.
 */
export async function buildChatMail(deps: MailDeps, due: DueChatMail, at: number): Promise<ChatMail | null> {
  const { db } = deps.database
  const { tenantId, ticketId, firstMessageId: first } = due
  const [recipient] = await recipientOfTicket(db).execute({ tenantId, ticketId })
  const answers = await answersFrom(db).execute({ tenantId, ticketId, first })
  const last = answers.at(-1)
  if (!recipient?.email || !last) return null
  const inbox = await senderInbox(db, tenantId, recipient.emailInboxId)
  if (!inbox?.emailAddress) return null
  const { email: address, isVerified, name, subject } = recipient
  const words = mailWordsOf(recipient.language ?? recipient.tenantLanguage ?? 'en')
  const told = answers.map((answer) => ({ ...answer, author: answer.author ?? recipient.sourceName }))
  const { files, tooLarge } = await filesToSend(
    deps,
    tenantId,
    answers.map(({ id }) => id),
  )
  const ticket = { tenantId, id: ticketId, sequentialNumber: recipient.sequentialNumber }
  const message = {
    tenantId,
    inboxId: inbox.id,
    installationId: await installationId(deps.database),
    id: last.id,
    subject: isVerified ? replySubject(subject) : subjectOf(words.subject(recipient.sourceName)),
    from: inbox.emailAddress,
    fromName: oneLine(inbox.name),
    to: [address],
    toName: isVerified ? oneLine(name ?? '') : '',
    cc: [],
    bcc: [],
    replyTo: replyAddress(deps.secrets, ticket, inbox.emailAddress),
    mailId: `<chat.${last.id}@${domainToASCII(domainOf(inbox.emailAddress))}>`,
    references: await mailsOfThread(db, tenantId, { id: ticketId, requesterEmail: address }, []),
    text: [...told.map(({ author, text }) => `${author}:\n${text.trim()}`), ...tooLarge, `${words.closing}\n`].join(
      '\n\n',
    ),
    html: html`${told.map(
      (answer) => html`<p><strong>${answer.author}</strong></p>
${trustedHtml(answer.html)}
`,
    )}${tooLarge.map((name) => html`<p>${name}</p>`)}<p>${words.closing}</p>
`.text,
    signature: null,
    files,
    at,
  }
  return { message, address, isVerified, lastMessageId: last.id }
}

/** The files of these answers; what is more than a mail takes is told by its name, and stands in the chat. */
async function filesToSend({ database, files: store }: MailDeps, tenantId: string, messageIds: readonly string[]) {
  const files: OutgoingFile[] = []
  const tooLarge: string[] = []
  let left = MOST_BYTES
  for (const { id, fileName, contentType, size } of await filesOf(database.db, tenantId, messageIds)) {
    const content = size <= left ? await store.read({ kind: 'attachments', tenantId, id }) : null
    if (content === null) tooLarge.push(fileName)
    else {
      left -= size
      files.push({ id, fileName, contentType, content: new Uint8Array(await new Response(content).arrayBuffer()) })
    }
  }
  return { files, tooLarge }
}

/** Whether the visitor of a conversation left an address, and there is an inbox to send answers from. */
export async function canBeMailed(db: Reader, tenantId: string, ticketId: string): Promise<boolean> {
  const [recipient] = await recipientOfTicket(db).execute({ tenantId, ticketId })
  if (!recipient?.email) return false
  return Boolean((await senderInbox(db, tenantId, recipient.emailInboxId))?.emailAddress)
}

/** The inbox that the source names, else the tenant's oldest email inbox in use. */
async function senderInbox(db: Reader, tenantId: string, id: string | null): Promise<Inbox | null> {
  if (id !== null) return findInbox(db, tenantId, id)
  return oldestEmailInbox(db, tenantId)
}
