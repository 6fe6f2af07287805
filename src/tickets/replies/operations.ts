import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { messages, pendingReplies } from '../../db/schema.ts'
import { invalid, refusal, rule } from '../../errors.ts'
import { newId, timeOfId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { Channels } from '../../ports/channel.ts'
import { addressReply } from '../addressing/addressing.ts'
import type { NamedRecipients } from '../addressing/recipients.ts'
import { limitFiles, type NewAttachment, placesOf } from '../attachments/operations.ts'
import { changeTicket, ticketToChange } from '../change.ts'
import type { Message } from '../model.ts'
import { followForwarded, publishForward } from '../outgoing/forwards.ts'
import { addToThread } from '../thread/adding.ts'
import { type Content, contentOf, isEmpty } from '../thread/content.ts'
import { addMessage, getMessage } from '../thread/messages.ts'
import { threadSummaryOf } from '../thread/summary.ts'
import { buildReply } from './build-reply.ts'
import { deliverReply, type ReplyDeps } from './deliver-reply.ts'
import { INTERRUPTED } from './interrupted-replies.ts'

/** Of `html` and `text`, the missing one is made from the other. `to`, `cc` and `bcc` are of a mail. */
export interface NewReply extends NamedRecipients {
  html?: string | null | undefined
  text?: string | null | undefined
  /** Files that go with it, stored before (`storeAttachment`). `html` may show images of them by `cid:{id}`. */
  attachments?: readonly NewAttachment[] | undefined
}

/** A reply, or a function that makes it in the transaction that stores it: its writes are committed with the reply, or not at all. */
export type ReplySource = NewReply | ((tx: Tx) => Promise<NewReply>)

/** A reply that is with the mail server, or, `isPutOff`, is tried again later because that refused it for now. */
export interface SentReply {
  readonly id: string
  readonly isPutOff: boolean
}

/**
 * Stores a reply and delivers it to the requester on the ticket's own channel (api.md §4 rule 7). Nobody sees it before
 * `concludeReply`, which takes what is returned. Not inside a transaction: mail takes seconds. `token` names the
 * message for good, so that one sent twice under an Idempotency-Key is the same mail (decisions §1). Throws
 * `invalid_request` when there is nothing to send or `to`, `cc` or `bcc` is wrong, `too_large` for files above 25 MiB together,
 * `not_found`, `unprocessable` for a ticket that cannot be answered (over the API: any that is not email; any that was
 * merged into another), `delivery_failed`: then the message is kept, for the console, with its error.
 */
export async function sendReply(
  deps: ReplyDeps,
  caller: Caller,
  ticketId: string,
  source: ReplySource,
  token: string = newId(caller.at),
): Promise<SentReply> {
  const ready = typeof source === 'function' ? null : readyToStore(source)
  const outgoing = await deps.database.transaction(async (tx) => {
    const written = ready ?? readyToStore(await (source as (tx: Tx) => Promise<NewReply>)(tx))
    const stored = await storeReply(tx, caller, ticketId, { ...written, token }, deps.channels)
    if (stored.isPutOff) return stored
    return buildReply(tx, deps.secrets, caller.tenantId, { ...stored, at: caller.at })
  })
  if ('isPutOff' in outgoing) return outgoing
  const outcome = await deliverReply(deps, caller, outgoing)
  return { id: outgoing.message.id, isPutOff: outcome === 'put_off' }
}

/** Makes a reply part of the thread if it was sent; one that was put off is not there yet. */
export function concludeReply(tx: Tx, caller: Caller, { id, isPutOff }: SentReply): Promise<Message> {
  return isPutOff ? getMessage(tx, caller.tenantId, id) : publishReply(tx, caller, id)
}

/** Sends an agent's reply and makes it part of the thread. Otherwise as `sendReply`. For the console and the command line. */
export async function reply(deps: ReplyDeps, caller: Caller, ticketId: string, source: ReplySource): Promise<Message> {
  const sent = await sendReply(deps, caller, ticketId, source)
  return deps.database.transaction((tx) => concludeReply(tx, { ...caller, at: deps.clock.now() }, sent))
}

/**
 * Sends a reply again that failed or came back: the same mail, by its Message-ID, so that one that arrived all the same is
 * known for the same. Of several who try at once, one does. For agents. Throws `not_found`, `conflict` for a message that
 * has not failed, `delivery_failed`: then it has failed again. Returns null when it was put off.
 */
export async function resendReply(deps: ReplyDeps, caller: Caller, messageId: string): Promise<Message | null> {
  const outgoing = await deps.database.transaction(async (tx) => {
    const mailId = await takeFailed(tx, caller, messageId)
    return buildReply(tx, deps.secrets, caller.tenantId, { id: messageId, mailId, at: caller.at })
  })
  const outcome = await deliverReply(deps, caller, outgoing)
  if (outcome === 'put_off') return null
  return deps.database.transaction((tx) => publishReply(tx, { ...caller, at: deps.clock.now() }, messageId))
}

/** Throws as `sendReply`. */
function readyToStore(input: NewReply) {
  const { attachments = [], to, cc, bcc } = input
  const content = contentOf(input, input.attachments && placesOf(attachments))
  if (isEmpty(content)) throw invalid('html', rule('nothing_to_send'))
  limitFiles(attachments)
  return { ...content, attachments, to, cc, bcc }
}

async function storeReply(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  {
    token,
    to,
    cc,
    bcc,
    ...reply
  }: Content & NamedRecipients & { token: string; attachments: readonly NewAttachment[] },
  channels: Channels,
): Promise<{ id: string; mailId: string | null; isPutOff: boolean }> {
  const addressed = await addressReply(tx, caller, channels, ticketId, { token, to, cc, bcc })
  const { mailId } = addressed
  const waiting = await findPutOff(tx, caller.tenantId, ticketId, mailId)
  if (waiting !== undefined) return { id: waiting, mailId, isPutOff: true }
  const id = await addMessage(tx, caller, {
    ...reply,
    ...addressed,
    ticketId,
    state: 'sending',
    direction: 'outbound',
    source: caller.author.type === 'api' ? 'api' : 'web',
    author: caller.author,
  })
  return { id, mailId, isPutOff: false }
}

/** The same mail, sent before under the same Idempotency-Key, that is put off: its sender died before the key was answered. */
async function findPutOff(
  tx: Tx,
  tenantId: string,
  ticketId: string,
  mailId: string | null,
): Promise<string | undefined> {
  if (mailId === null) return undefined
  const same = await tx
    .select({ id: messages.id, ticketId: messages.ticketId, state: messages.state })
    .from(messages)
    .where(and(ofTenant(messages, tenantId), eq(messages.mailId, mailId)))
  return same.find((message) => message.ticketId === ticketId && message.state === 'pending')?.id
}

/**
 * Marks a reply that failed as being sent, and returns its Message-ID. One that came back was in the thread: it leaves
 * that, and joins it anew once it is sent.
 */
async function takeFailed(tx: Tx, caller: Caller, id: string): Promise<string | null> {
  const { tenantId, at } = caller
  const { ticketId } = await getMessage(tx, tenantId, id)
  const own = and(ofTenant(messages, tenantId), eq(messages.id, id), eq(messages.direction, 'outbound'))
  const [found] = await tx.select({ state: messages.state, error: messages.error }).from(messages).where(own)
  const cameBack = found?.state === 'public' && found.error !== null
  const isPartly = found?.state === 'forwarded' && found.error !== null
  if (found?.state !== 'failed' && !cameBack && !isPartly) {
    throw refusal('conflict', rule('not_failed'))
  }
  const [taken] = await tx
    .update(messages)
    // The time tells when an interrupted one may be given up.
    .set({ state: 'sending', error: null, errorSettledAt: null, createdAt: formatTime(at) })
    .where(own)
    .returning({ mailId: messages.mailId })
  // What is left of an interrupted one would give this up.
  await tx.delete(pendingReplies).where(and(ofTenant(pendingReplies, tenantId), eq(pendingReplies.messageId, id)))
  if (cameBack) {
    const ticket = await ticketToChange(tx, caller, ticketId)
    await changeTicket(tx, caller, ticket, await threadSummaryOf(tx, tenantId, ticket, [ticket]), -1)
  }
  await audit(tx, caller, 'ticket.reply_resent', ticketId)
  return taken?.mailId ?? null
}

/**
 * Makes a reply that was sent part of the thread, and fires `ticket.replied`; one that forwards a message only agents see. It gets the place, the id and the time of
 * now: what came in while it was being sent stands before it, and nobody who reads on from the newest message they know
 * misses it. Only one whose id was told, since it was put off, `keepsPlace`. Throws `not_found`.
 */
export async function publishReply(
  tx: Tx,
  caller: Caller,
  sentId: string,
  { keepsPlace = false }: { keepsPlace?: boolean } = {},
): Promise<Message> {
  const { tenantId } = caller
  const forward = await publishForward(tx, caller, sentId)
  if (forward) return forward
  const { ticketId } = await getMessage(tx, tenantId, sentId)
  const id = keepsPlace ? sentId : newId(caller.at)
  await tx
    .update(messages)
    // One that was given up has gone out all the same.
    .set({
      id,
      state: 'public',
      error: sql`nullif(${messages.error}, ${INTERRUPTED})`,
      createdAt: formatTime(timeOfId(id)),
    })
    .where(and(ofTenant(messages, tenantId), eq(messages.id, sentId)))
  if (id !== sentId) await followForwarded(tx, tenantId, { from: sentId, to: id })
  const ticket = await ticketToChange(tx, caller, ticketId)
  const shown = keepsPlace ? await threadSummaryOf(tx, tenantId, ticket, [ticket]) : {}
  await addToThread(tx, caller, ticket, id, shown)
  return getMessage(tx, tenantId, id)
}
