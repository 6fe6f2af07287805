import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { type Channels, DeliveryError, type OutgoingMessage } from '../channels/channel.ts'
import { type Database, prepared, type Reader, type Tx } from '../db/index.ts'
import { messages } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalid } from '../errors.ts'
import { findInbox } from '../inboxes/operations.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { ticketToChange } from './change.ts'
import { type Content, contentOf, isEmpty, oneLine } from './content.ts'
import { addToThread } from './incoming.ts'
import { requireUnmerged } from './merging.ts'
import { addMessage, getMessage } from './messages.ts'
import type { Message, Ticket } from './model.ts'
import { ticketRowOf } from './read.ts'

/** Mails of the thread that a reply refers to: the newest ones. Some servers refuse header lines that grow for ever. */
const MAX_REFERENCES = 20

/**
 * Stores a reply and delivers it to the requester on the ticket's own channel (api.md §4 rule 7). Nobody sees it before
 * `publishReply`, which takes the id that is returned. Not inside a transaction: mail takes seconds. `token` names the
 * message for good, so that one sent twice under an Idempotency-Key is the same mail (decisions §1). Throws
 * `invalid_request` when there is nothing to send, `not_found`, `unprocessable` for a ticket that cannot be answered
 * (over the API: any that is not email), `delivery_failed`: then the message is kept, for the console, with its error.
 */
export async function sendReply(
  deps: Pick<Deps, 'database' | 'channels' | 'log'>,
  caller: Caller,
  ticketId: string,
  input: { html: string; text?: string | null | undefined },
  token: string = newId(caller.at),
): Promise<string> {
  const content = contentOf(input)
  if (isEmpty(content)) throw invalid('html', 'holds nothing that could be sent')
  const { channel, message } = await deps.database.transaction((tx) =>
    storeReply(tx, caller, ticketId, { ...content, token }, deps.channels),
  )
  try {
    await deps.channels[channel].deliver(message)
  } catch (error) {
    const why = error instanceof DeliveryError ? error.message : 'something went wrong on our side'
    await deps.database.transaction((tx) => failReply(tx, caller, message.id, why))
    deps.log.error('a reply could not be sent', { messageId: message.id, why, error: causeOf(error) })
    throw new AppError('delivery_failed', `the reply was not sent: ${why}`)
  }
  return message.id
}

async function storeReply(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  { token, ...content }: Content & { token: string },
  channels: Channels,
): Promise<{ channel: Ticket['channel']; message: OutgoingMessage }> {
  const { tenantId } = caller
  const ticket = await ticketRowOf(tx, tenantId, ticketId)
  await requireUnmerged(tx, tenantId, ticket)
  const { channel, subject, requesterEmail } = ticket
  const inbox = await findInbox(tx, tenantId, ticket.inboxId)
  const isAllowed = caller.via !== 'api' || channel === 'email'
  const addressed = inbox && isAllowed ? channels[channel].address({ subject, requesterEmail, inbox, token }) : null
  if (!inbox || !addressed) throw new AppError('unprocessable', 'only email tickets can be answered here')
  const references = await mailsOfThread(tx, tenantId, ticketId)
  const id = await addMessage(tx, caller, {
    ...content,
    ...addressed,
    ticketId,
    state: 'sending',
    direction: 'outbound',
    source: caller.author.type === 'api' ? 'api' : 'web',
    author: caller.author,
    cc: [],
  })
  const names = { fromName: oneLine(inbox.name), toName: oneLine(ticket.requesterName ?? '') }
  const ids = { tenantId, inboxId: inbox.id, id }
  return { channel, message: { ...ids, ...content, ...addressed, ...names, references, at: caller.at } }
}

const newestMails = prepared((db) =>
  db
    .select({ mailId: messages.mailId })
    .from(messages)
    .where(
      and(
        eq(messages.tenantId, sql.placeholder('tenantId')),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        eq(messages.state, 'public'),
        isNotNull(messages.mailId),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(MAX_REFERENCES)
    .prepare(),
)

/** Message-IDs of the thread's mails, oldest first. */
async function mailsOfThread(db: Reader, tenantId: string, ticketId: string): Promise<string[]> {
  const mails = await newestMails(db).execute({ tenantId, ticketId })
  return mails.map(({ mailId }) => mailId as string).reverse()
}

async function failReply(tx: Tx, caller: Caller, id: string, error: string): Promise<void> {
  const [failed] = await tx
    .update(messages)
    .set({ state: 'failed', error })
    .where(and(eq(messages.tenantId, caller.tenantId), eq(messages.id, id)))
    .returning({ ticketId: messages.ticketId })
  if (failed) await audit(tx, caller, 'ticket.reply_failed', failed.ticketId)
}

function causeOf(error: unknown): unknown {
  return error instanceof DeliveryError ? (error.cause ?? error) : error
}

/**
 * Makes a reply that was sent part of the thread, and fires `ticket.replied`. It gets the place, the id and the time of
 * now: what came in while it was being sent stands before it, and nobody who reads on from the newest message they know
 * misses it. Throws `not_found`.
 */
export async function publishReply(tx: Tx, caller: Caller, sentId: string): Promise<Message> {
  const { tenantId } = caller
  const { ticketId } = await getMessage(tx, tenantId, sentId)
  const id = newId(caller.at)
  await tx
    .update(messages)
    .set({ id, state: 'public', createdAt: formatTime(caller.at) })
    .where(and(eq(messages.tenantId, tenantId), eq(messages.id, sentId)))
  await addToThread(tx, caller, await ticketToChange(tx, caller, ticketId), id)
  return getMessage(tx, tenantId, id)
}

/** Written out, so that the index over such messages alone can answer it. */
const isBeingSent = sql`${messages.state} = 'sending'`

/** Sending takes seconds: what another node began so long ago, in milliseconds, was interrupted, whoever's clock is right. */
const SENDING_AT_MOST = 15 * 60 * 1000

/**
 * Marks replies of all tenants that were being sent when the service died. For its start, before it answers anything.
 * Of data that other nodes serve too, only those that nobody can still be sending. Writes, and waits for other writers,
 * only when there are any. Returns how many.
 */
export async function failInterruptedReplies(database: Database, now: number): Promise<number> {
  const begun = formatTime(now - SENDING_AT_MOST)
  const isInterrupted = and(isBeingSent, database.isShared ? lt(messages.createdAt, begun) : undefined)
  const interrupted = await database.db.select({ id: messages.id }).from(messages).where(isInterrupted)
  if (interrupted.length > 0) {
    const error = 'the service stopped while it was being sent: it may have arrived'
    await database.transaction(async (tx) => {
      await tx.update(messages).set({ state: 'failed', error }).where(isInterrupted)
    })
  }
  return interrupted.length
}
