import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { isOneOf, named, ofTenant, prepared, preparedWrite, type Reader, type Tx } from '../../db/index.ts'
import { attachments, messages } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import type { MessageOrigin } from '../../kinds/tickets.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { type AddedAttachment, fileColumns } from '../attachments/operations.ts'
import type { Message } from '../model.ts'

/** A message as its row has it. */
export const messageRow = {
  id: messages.id,
  ticketId: messages.ticketId,
  direction: messages.direction,
  source: messages.source,
  authorType: messages.authorType,
  authorId: messages.authorId,
  authorName: messages.authorName,
  subject: messages.subject,
  html: messages.html,
  text: messages.text,
  from: messages.fromAddress,
  to: messages.to,
  cc: messages.cc,
  createdAt: messages.createdAt,
}

/** For the lists and operations of this folder; `withAttachments` makes messages of the rows. */
export const selectMessages = (db: Reader) => db.select(named(messageRow)).from(messages)
export type MessageRow = Awaited<ReturnType<typeof selectMessages>>[number]

const messageById = prepared((db) =>
  selectMessages(db)
    .where(and(ofTenant(messages), eq(messages.id, sql.placeholder('id'))))
    .prepare(),
)

/** One message, whatever its state. Throws `not_found`. */
export async function getMessage(db: Reader, tenantId: string, id: string): Promise<Message> {
  const message = await findMessage(db, tenantId, id)
  if (!message) throw notFound('message')
  return message
}

/** One message, whatever its state, or null. */
export async function findMessage(db: Reader, tenantId: string, id: string): Promise<Message | null> {
  const [message] = await withAttachments(db, tenantId, await messageById(db).execute({ tenantId, id }))
  return message ?? null
}

const attachmentsOfMessages = prepared((db) =>
  db
    .select({ messageId: attachments.messageId, ...fileColumns })
    .from(attachments)
    .where(and(ofTenant(attachments), isOneOf(db, attachments.messageId, sql.placeholder('messageIds'))))
    .orderBy(attachments.messageId, attachments.position, attachments.id)
    .prepare(),
)

/** Messages as the API shows them, in the order of their rows. */
export async function withAttachments(db: Reader, tenantId: string, rows: readonly MessageRow[]): Promise<Message[]> {
  if (rows.length === 0) return []
  const byId = new Map<string, Message>()
  const found = rows.map(({ authorType, authorId, authorName, ...row }) => {
    const message: Message = {
      id: row.id,
      ticketId: row.ticketId,
      direction: row.direction,
      source: row.source,
      author: { type: authorType, id: authorId, name: authorName },
      subject: row.subject,
      html: row.html,
      text: row.text,
      from: row.from,
      to: row.to,
      cc: row.cc,
      attachments: [],
      createdAt: row.createdAt,
    }
    byId.set(row.id, message)
    return message
  })
  const messageIds = JSON.stringify(rows.map(({ id }) => id))
  for (const { messageId, ...attachment } of await attachmentsOfMessages(db).execute({ tenantId, messageIds })) {
    byId.get(messageId ?? '')?.attachments.push(attachment)
  }
  return found
}

const insertMessage = preparedWrite((tx) =>
  tx
    .insert(messages)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      ticketId: sql.placeholder('ticketId'),
      state: sql.placeholder('state'),
      direction: sql.placeholder('direction'),
      source: sql.placeholder('source'),
      authorType: sql.placeholder('authorType'),
      authorId: sql.placeholder('authorId'),
      authorName: sql.placeholder('authorName'),
      subject: sql.placeholder('subject'),
      html: sql.placeholder('html'),
      text: sql.placeholder('text'),
      fromAddress: sql.placeholder('from'),
      to: sql.placeholder('to'),
      cc: sql.placeholder('cc'),
      mailId: sql.placeholder('mailId'),
      isAutomatic: sql.placeholder('isAutomatic'),
      createdAt: sql.placeholder('at'),
    })
    .prepare(),
)

/** What a message is stored from. Its content is clean already: see `content.ts`. */
export interface NewMessage extends Pick<Message, 'direction' | 'source' | 'author' | 'subject' | 'html' | 'text'> {
  ticketId: string
  state: 'public' | 'note' | 'pending' | 'sending' | 'outside'
  from: string | null
  to: readonly string[]
  cc: readonly string[]
  /** Of those who get it without the others being told. */
  bcc?: readonly string[]
  mailId: string | null
  /** Whether a program sent it by itself. */
  isAutomatic?: boolean
  /** Stored before; they stay in this order. */
  attachments?: readonly AddedAttachment[]
}

/** Stores a message and returns its id; what it means for the ticket is the caller's to do. */
export async function addMessage(tx: Tx, caller: Caller, message: NewMessage): Promise<string> {
  const { author, attachments: files = [], isAutomatic = false, bcc = [], ...columns } = message
  const { tenantId } = caller
  const id = newId(caller.at)
  await insertMessage(tx).execute({
    ...columns,
    tenantId,
    id,
    isAutomatic,
    authorType: author.type,
    authorId: author.id,
    authorName: author.name,
    at: formatTime(caller.at),
  })
  if (bcc.length > 0) await noteBlindCopies(tx, tenantId, id, bcc)
  if (files.length > 0) {
    await tx.insert(attachments).values(files.map((file, position) => ({ ...file, tenantId, messageId: id, position })))
  }
  return id
}

/** Few messages have any: the insert that all of them share does without. */
async function noteBlindCopies(tx: Tx, tenantId: string, messageId: string, bcc: readonly string[]): Promise<void> {
  await tx
    .update(messages)
    .set({ bcc: [...bcc] })
    .where(and(ofTenant(messages, tenantId), eq(messages.id, messageId)))
}

const blindCopiesOfMessage = prepared((db) =>
  db
    .select({ bcc: messages.bcc })
    .from(messages)
    .where(and(ofTenant(messages), eq(messages.id, sql.placeholder('id'))))
    .prepare(),
)

/**
 * Who gets a message without the others being told. For sending it: what customers, integrations and exports are shown is a
 * `Message`, which does not say it.
 */
export async function blindCopiesOf(db: Reader, tenantId: string, id: string): Promise<readonly string[]> {
  const [message] = await blindCopiesOfMessage(db).execute({ tenantId, id })
  return message?.bcc ?? []
}

/** Notes who sent a message that was taken for somebody else's. */
export async function noteOrigin(
  tx: Tx,
  { tenantId }: Caller,
  messageId: string,
  origin: MessageOrigin,
): Promise<void> {
  await tx
    .update(messages)
    .set({ origin })
    .where(and(ofTenant(messages, tenantId), eq(messages.id, messageId)))
}

/** The first message of the conversation, of those the customer wrote or those they got, after another; undefined: none. */
export async function nextMessage(
  db: Reader,
  tenantId: string,
  { ticketId, direction }: Pick<Message, 'ticketId' | 'direction'>,
  after: string,
): Promise<{ id: string; createdAt: string } | undefined> {
  const [next] = await db
    .select({ id: messages.id, createdAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        ofTenant(messages, tenantId),
        eq(messages.ticketId, ticketId),
        eq(messages.state, 'public'),
        eq(messages.direction, direction),
        gt(messages.id, after),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(1)
  return next
}

/** Whether a program sent this message, or, with null, what the customer of the ticket wrote last. */
export async function isFromProgram(
  db: Reader,
  tenantId: string,
  ticketId: string,
  messageId: string | null,
): Promise<boolean> {
  const which =
    messageId === null
      ? and(eq(messages.ticketId, ticketId), eq(messages.state, 'public'), eq(messages.direction, 'inbound'))
      : eq(messages.id, messageId)
  const [found] = await db
    .select({ isAutomatic: messages.isAutomatic, direction: messages.direction })
    .from(messages)
    .where(and(ofTenant(messages, tenantId), which))
    .orderBy(desc(messages.id))
    .limit(1)
  return found?.direction === 'inbound' && found.isAutomatic
}
