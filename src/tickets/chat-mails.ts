import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { type Database, named, ofTenant, prepared, type Tx } from '../db/index.ts'
import { chatMails, conversations, visitors } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { nextMessage } from './thread/messages.ts'

/** decisions §13: how long an answer waits to be seen before it is mailed, in milliseconds. */
export const UNSEEN = 2 * 60 * 1000

const addressOfVisitor = prepared((db) =>
  db
    .select(named({ email: visitors.email }))
    .from(conversations)
    .innerJoin(visitors, and(eq(visitors.tenantId, conversations.tenantId), eq(visitors.id, conversations.visitorId)))
    .where(and(ofTenant(conversations), eq(conversations.ticketId, sql.placeholder('ticketId'))))
    .prepare(),
)

/**
 * Plans a mail with an answer, in the transaction of the answer, in case that the visitor does not see it within two
 * minutes. Nothing is planned for one who left no address, nor where a mail waits already: the answer will be in it.
 */
export async function planChatMail(
  tx: Tx,
  { tenantId, at }: Caller,
  { ticketId, messageId }: { ticketId: string; messageId: string },
): Promise<void> {
  const [visitor] = await addressOfVisitor(tx).execute({ tenantId, ticketId })
  if (!visitor?.email) return
  await tx
    .insert(chatMails)
    .values({
      tenantId,
      id: newId(at),
      ticketId,
      firstMessageId: messageId,
      dueAt: formatTime(at + UNSEEN),
      createdAt: formatTime(at),
    })
    .onConflictDoNothing()
}

const waitingMail = prepared((db) =>
  db
    .select(named({ id: chatMails.id, firstMessageId: chatMails.firstMessageId }))
    .from(chatMails)
    .where(and(ofTenant(chatMails), eq(chatMails.ticketId, sql.placeholder('ticketId')), isNotNull(chatMails.dueAt)))
    .prepare(),
)

/** The visitor has seen the conversation up to a message: no mail is sent with that or any before it. */
export async function forgetSeenMail(
  database: Database,
  tenantId: string,
  ticketId: string,
  messageId: string,
): Promise<void> {
  const [waiting] = await waitingMail(database.db).execute({ tenantId, ticketId })
  if (!waiting || waiting.firstMessageId > messageId) return
  await database.transaction((tx) => takeBackSeenMail(tx, tenantId, ticketId, messageId))
}

/** The same, within a transaction. */
export async function takeBackSeenMail(tx: Tx, tenantId: string, ticketId: string, messageId: string): Promise<void> {
  const [mail] = await waitingMail(tx).execute({ tenantId, ticketId })
  if (!mail || mail.firstMessageId > messageId) return
  await moveOn(tx, { tenantId, id: mail.id, ticketId }, messageId)
}

/** Has a mail that waits begin behind a message, or takes it back where there is no later answer. */
async function moveOn(
  tx: Tx,
  { tenantId, id, ticketId }: { tenantId: string; id: string; ticketId: string },
  messageId: string,
): Promise<void> {
  const own = and(ofTenant(chatMails, tenantId), eq(chatMails.id, id))
  const later = await nextMessage(tx, tenantId, { ticketId, direction: 'outbound' }, messageId)
  if (!later) await tx.delete(chatMails).where(own)
  else {
    const dueAt = formatTime(Date.parse(later.createdAt) + UNSEEN)
    await tx.update(chatMails).set({ firstMessageId: later.id, dueAt, attempts: 0 }).where(own)
  }
}

/**
 * Whether a mail with an answer has gone out, or may be on its way: one that was tried and waits, or that ended since it
 * was written.
 */
export async function hasGoneByMail(
  tx: Tx,
  tenantId: string,
  { id, ticketId, createdAt }: { id: string; ticketId: string; createdAt: string },
): Promise<boolean> {
  const own = and(ofTenant(chatMails, tenantId), eq(chatMails.ticketId, ticketId))
  const [waiting] = await tx
    .select({ firstMessageId: chatMails.firstMessageId, attempts: chatMails.attempts })
    .from(chatMails)
    .where(and(own, isNotNull(chatMails.dueAt)))
  if (waiting && waiting.attempts > 0 && waiting.firstMessageId <= id) return true
  const [sent] = await tx
    .select({ id: chatMails.id })
    .from(chatMails)
    .where(and(own, gte(chatMails.endedAt, createdAt), isNull(chatMails.error)))
    .limit(1)
  return sent !== undefined
}

/** Has a mail that would have begun with an answer that is gone begin with a later one. */
export async function skipInMail(tx: Tx, tenantId: string, ticketId: string, messageId: string): Promise<void> {
  const [mail] = await waitingMail(tx).execute({ tenantId, ticketId })
  if (mail?.firstMessageId === messageId) await moveOn(tx, { tenantId, id: mail.id, ticketId }, messageId)
}
