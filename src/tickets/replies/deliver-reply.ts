import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { RuleError, refusal, rule, sentenceOf } from '../../errors.ts'
import { type BeforeHandover, DeliveryError, type Unreached } from '../../ports/channel.ts'
import { messageOf, type OutgoingReply } from './build-reply.ts'
import { notReached, withMore } from './delivery-errors.ts'
import { putOffReply, RETRIES } from './put-off-replies.ts'

/** What can go wrong with a reply besides the reply itself. */
export type ReplyDeps = Pick<Deps, 'database' | 'channels' | 'clock' | 'log' | 'files' | 'secrets'> &
  // A command has nobody to tell.
  Partial<Pick<Deps, 'live'>>

/** How a reply is delivered. */
interface Delivery {
  /** Called just before it leaves; what it throws is thrown on, and nothing has left then. */
  readonly before?: BeforeHandover
  /** How often it was tried before. */
  readonly attempts?: number
}

/**
 * Hands a stored reply to whoever carries it. Takes seconds. One that was refused for now is `put_off`: it is tried again by
 * itself (`put-off-replies.ts`). Throws `delivery_failed`: then it has failed in the thread, too, with the reason. For the
 * operations of this folder.
 */
export async function deliverReply(
  deps: ReplyDeps,
  caller: Caller,
  outgoing: OutgoingReply,
  { before = async () => {}, attempts = 0 }: Delivery = {},
): Promise<'sent' | 'put_off'> {
  const { channel, message } = outgoing
  let kept: { readonly error: unknown } | undefined
  let unreached: readonly Unreached[]
  try {
    unreached = await deps.channels[channel].deliver(await messageOf(deps, outgoing), () =>
      before().catch((error) => {
        kept = { error }
        throw error
      }),
    )
  } catch (error) {
    if (kept) throw kept.error
    const isTold = error instanceof DeliveryError || error instanceof RuleError
    const cause = isTold ? error.rule : rule('our_fault')
    const why = sentenceOf(cause)
    if (error instanceof DeliveryError && error.isForNow && attempts < RETRIES) {
      const later = { at: deps.clock.now(), attempts: attempts + 1, why }
      await deps.database.transaction((tx) => putOffReply(tx, caller, message.id, later))
      deps.log.warn('a reply could not be sent yet', { messageId: message.id, why })
      return 'put_off'
    }
    await noteAndTell(deps, caller, (tx) => failReply(tx, caller, message.id, why))
    deps.log.error('a reply could not be sent', { messageId: message.id, why, error: causeOf(error) })
    throw refusal('delivery_failed', rule('reply_not_sent', { why: cause }))
  }
  if (unreached.length > 0) {
    const why = unreached.map(({ address, why }) => notReached(address, why)).reduce(withMore)
    await noteAndTell(deps, caller, (tx) => noteUnreached(tx, caller, message.id, why))
    deps.log.warn('a reply did not reach all its recipients', { messageId: message.id, why })
  }
  return 'sent'
}

/** Notes on a reply, in its ticket, that it has not arrived, and tells whoever looks at the inbox. */
async function noteAndTell(
  { database, live }: ReplyDeps,
  { tenantId }: Caller,
  note: (tx: Tx) => Promise<string | undefined>,
): Promise<void> {
  const ticketId = await database.transaction(note)
  if (ticketId !== undefined) live?.notArrived({ tenantId, ticketId })
}

/** Notes who did not get a reply that others got: it is shown as one that came back from them, and can be sent again. */
async function noteUnreached(tx: Tx, caller: Caller, id: string, error: string): Promise<string | undefined> {
  const [noted] = await tx
    .update(messages)
    .set({ error, errorSettledAt: null })
    .where(and(ofTenant(messages, caller.tenantId), eq(messages.id, id)))
    .returning({ ticketId: messages.ticketId })
  if (noted) await audit(tx, caller, 'ticket.reply_failed', noted.ticketId)
  return noted?.ticketId
}

/** Notes why a reply did not go out. Returns its ticket's id. For the operations of this folder. */
export async function failReply(tx: Tx, caller: Caller, id: string, error: string): Promise<string | undefined> {
  const [failed] = await tx
    .update(messages)
    .set({ state: 'failed', error, errorSettledAt: null })
    .where(and(ofTenant(messages, caller.tenantId), eq(messages.id, id)))
    .returning({ ticketId: messages.ticketId })
  if (failed) await audit(tx, caller, 'ticket.reply_failed', failed.ticketId)
  return failed?.ticketId
}

function causeOf(error: unknown): unknown {
  return error instanceof DeliveryError ? (error.cause ?? error) : error
}
