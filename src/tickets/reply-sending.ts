import { and, eq } from 'drizzle-orm'
import { type Caller, lateCaller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { messages, pendingReplies } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type Due, LeasedWork } from '../jobs/leased-work.ts'
import { formatTime } from '../lib/time.ts'
import { deliver, failReply, type ReplyDeps } from './delivering.ts'
import { INTERRUPTED, SENDING_AT_MOST } from './interrupted-replies.ts'
import { getMessage, nextMessage } from './messages.ts'
import { outgoingOf } from './outgoing.ts'
import { publishReply } from './replies.ts'
import { setStatus } from './status.ts'

const RULES = { most: 16, lease: SENDING_AT_MOST, waits: [SENDING_AT_MOST] }

const dueReply = {
  tenantId: pendingReplies.tenantId,
  messageId: pendingReplies.messageId,
  closesTicket: pendingReplies.closesTicket,
  address: pendingReplies.address,
  ticketId: messages.ticketId,
  state: messages.state,
  mailId: messages.mailId,
  authorId: messages.authorId,
  authorName: messages.authorName,
}

interface Claim {
  readonly tenantId: string
  readonly messageId: string
  readonly closesTicket: boolean
  readonly address: string | null
  readonly ticketId: string
  readonly mailId: string | null
  readonly authorId: string | null
  readonly authorName: string | null
}

/**
 * Sends the replies that nobody has taken back in time (`queueReply`). Each is sent once: one that was interrupted may have
 * arrived, and so it has failed, and its writer decides.
 */
export class ReplySending extends LeasedWork<Claim> {
  constructor(private readonly deps: ReplyDeps & Pick<Deps, 'clock'>) {
    super(deps, pendingReplies, RULES)
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<Claim[]> {
    const due = await tx
      .select(dueReply)
      .from(pendingReplies)
      .innerJoin(
        messages,
        and(eq(messages.tenantId, pendingReplies.tenantId), eq(messages.id, pendingReplies.messageId)),
      )
      .where(isDue)
      .orderBy(order)
      .limit(most)
    const at = this.clock.now()
    for (const { state, ...claim } of due) {
      if (state === 'pending') {
        await tx.update(pendingReplies).set({ dueAt: leasedUntil }).where(ofReply(claim))
        await tx
          .update(messages)
          .set({ state: 'sending', createdAt: formatTime(at) })
          .where(and(ofTenant(messages, claim.tenantId), eq(messages.id, claim.messageId)))
        continue
      }
      await tx.delete(pendingReplies).where(ofReply(claim))
      if (state === 'sending') await failReply(tx, callerOf(claim, at), claim.messageId, INTERRUPTED)
    }
    return due.filter(({ state }) => state === 'pending')
  }

  protected override async perform(claim: Claim): Promise<void> {
    const { database, secrets, clock, log } = this.deps
    const { tenantId, messageId: id, mailId } = claim
    try {
      const outgoing = await outgoingOf(database.db, secrets, tenantId, { id, mailId, at: clock.now() })
      const isSent = await deliver(this.deps, callerOf(claim, clock.now()), outgoing).then(
        () => true,
        (error) => {
          if (error instanceof AppError && error.code === 'delivery_failed') return false
          throw error
        },
      )
      await database.transaction(async (tx) => {
        await tx.delete(pendingReplies).where(ofReply(claim))
        if (isSent) await conclude(tx, callerOf(claim, clock.now()), claim)
      })
    } catch (error) {
      // The lease runs out, and then it has failed.
      log.error('a reply could not be concluded', { id, error })
    }
  }
}

function callerOf({ tenantId, authorId: id, authorName: name, address }: Claim, at: number): Caller {
  return lateCaller(tenantId, { type: 'agent', id, name }, address, at)
}

const ofReply = ({ tenantId, messageId }: Pick<Claim, 'tenantId' | 'messageId'>) =>
  and(ofTenant(pendingReplies, tenantId), eq(pendingReplies.messageId, messageId))

/**
 * Makes it part of the thread; its ticket is closed where that was asked for, unless somebody has written since or was not
 * reached.
 */
async function conclude(tx: Tx, caller: Caller, { messageId, ticketId, closesTicket }: Claim): Promise<void> {
  const { ticketId: now } = await getMessage(tx, caller.tenantId, messageId)
  const [sent] = await tx
    .select({ unreached: messages.error })
    .from(messages)
    .where(and(ofTenant(messages, caller.tenantId), eq(messages.id, messageId)))
  const later = await nextMessage(tx, caller.tenantId, { ticketId: now, direction: 'inbound' }, messageId)
  await publishReply(tx, caller, messageId)
  if (closesTicket && !sent?.unreached && !later && now === ticketId)
    await setStatus(tx, caller, ticketId, { status: 'closed' })
}
