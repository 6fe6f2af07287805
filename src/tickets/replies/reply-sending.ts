import { and, eq, gt, lt } from 'drizzle-orm'
import { type Caller, replyCaller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { messages, pendingReplies } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { type Due, LeasedWork } from '../../work/leased-work.ts'
import { setStatus } from '../status.ts'
import { getMessage, nextMessage } from '../thread/messages.ts'
import { buildReply } from './build-reply.ts'
import { deliverReply, failReply, type ReplyDeps } from './deliver-reply.ts'
import { INTERRUPTED, SENDING_AT_MOST } from './interrupted-replies.ts'
import { publishReply } from './operations.ts'
import { WAITS } from './put-off-replies.ts'
import { UNDO_WINDOW } from './send-later.ts'

const RULES = { most: 16, lease: SENDING_AT_MOST, waits: WAITS }

const dueReply = {
  tenantId: pendingReplies.tenantId,
  messageId: pendingReplies.messageId,
  thenStatus: pendingReplies.thenStatus,
  thenSnoozedUntil: pendingReplies.thenSnoozedUntil,
  attempts: pendingReplies.attempts,
  via: pendingReplies.via,
  address: pendingReplies.address,
  ticketId: messages.ticketId,
  state: messages.state,
  mailId: messages.mailId,
  authorType: messages.authorType,
  authorId: messages.authorId,
  authorName: messages.authorName,
}

type Claim = Pick<
  typeof pendingReplies.$inferSelect,
  'tenantId' | 'messageId' | 'thenStatus' | 'thenSnoozedUntil' | 'attempts' | 'via' | 'address'
> &
  Pick<typeof messages.$inferSelect, 'ticketId' | 'mailId' | 'authorType' | 'authorId' | 'authorName'>

/** Thrown when a reply is no longer there to be sent: its writer took it back, or another node sends it. */
class TakenBack extends Error {}

/**
 * Sends the replies that nobody has taken back in time (`queueReply`), and those that were put off. Each is sent once. It
 * waits, and can be taken back, until the mail server is about to get it: one that was interrupted before that is sent after all, and one that was
 * interrupted later may have arrived, so it has failed, and its writer decides.
 */
export class ReplySending extends LeasedWork<Claim> {
  constructor(private readonly deps: ReplyDeps & Pick<Deps, 'clock'>) {
    super(deps, pendingReplies, RULES)
  }

  /** What the only process had taken when it died waits for no lease to run out. Before anything is done. */
  async begin(): Promise<void> {
    const { database, clock } = this.deps
    if (database.isShared) return this.pullIn()
    const now = clock.now()
    // A reply that can still be taken back is due within this window: what is due later has been leased. One that was put
    // off may just wait: should it have been leased, that is over within a minute.
    const isTaken = and(lt(pendingReplies.attempts, 1), gt(pendingReplies.dueAt, formatTime(now + UNDO_WINDOW)))
    await database.transaction((tx) =>
      tx
        .update(pendingReplies)
        .set({ dueAt: formatTime(now) })
        .where(isTaken),
    )
  }

  /** Brings due times back that lie further ahead than any wait after so many attempts. */
  override async pullIn(): Promise<void> {
    const now = this.clock.now()
    const latest = ({ attempts }: { attempts: number }) =>
      formatTime(now + Math.max(attempts === 0 ? 0 : this.waitAfter(attempts), RULES.lease))
    await this.database.transaction(async (tx) => {
      const later = await tx
        .select()
        .from(pendingReplies)
        .where(gt(pendingReplies.dueAt, latest({ attempts: 0 })))
      for (const reply of later.filter((one) => (one.dueAt as string) > latest(one))) {
        await tx
          .update(pendingReplies)
          .set({ dueAt: formatTime(now) })
          .where(ofReply(reply))
      }
    })
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
      const outgoing = await buildReply(database.db, secrets, tenantId, { id, mailId, at: clock.now() })
      const before = () => database.transaction((tx) => markSending(tx, claim, clock.now()))
      const delivery = { before, attempts: claim.attempts }
      const outcome = await deliverReply(this.deps, callerOf(claim, clock.now()), outgoing, delivery).catch((error) => {
        if (error instanceof AppError && error.code === 'delivery_failed') return 'failed'
        throw error
      })
      if (outcome === 'put_off') return
      await database.transaction(async (tx) => {
        await tx.delete(pendingReplies).where(ofReply(claim))
        if (outcome === 'sent') await conclude(tx, callerOf(claim, clock.now()), claim)
      })
    } catch (error) {
      if (error instanceof TakenBack || isGone(error)) return
      // The lease runs out: it is tried again, or has failed if it may have left.
      log.error('a reply could not be concluded', { id, error })
    }
  }
}

/** Nobody takes it back from now on, nor sends it a second time. Throws TakenBack. */
async function markSending(tx: Tx, claim: Claim, at: number): Promise<void> {
  const own = and(ofTenant(messages, claim.tenantId), eq(messages.id, claim.messageId))
  const marked = await tx
    .update(messages)
    .set({ state: 'sending', error: null, createdAt: formatTime(at) })
    .where(and(own, eq(messages.state, 'pending')))
    .returning({ id: messages.id })
  if (marked.length === 0) throw new TakenBack()
  await tx
    .update(pendingReplies)
    .set({ dueAt: formatTime(at + RULES.lease) })
    .where(ofReply(claim))
}

/** Whether it was taken back before anything was read of it. */
function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found'
}

function callerOf(
  { tenantId, authorType: type, authorId: id, authorName: name, via, address }: Claim,
  at: number,
): Caller {
  return replyCaller({ tenantId, author: { type, id, name }, via, address }, at)
}

const ofReply = ({ tenantId, messageId }: Pick<Claim, 'tenantId' | 'messageId'>) =>
  and(ofTenant(pendingReplies, tenantId), eq(pendingReplies.messageId, messageId))

/**
 * Makes it part of the thread; its ticket becomes what was asked for, unless somebody has written since or was not reached.
 * A snooze that is over by now is none.
 */
async function conclude(tx: Tx, caller: Caller, claim: Claim): Promise<void> {
  const { messageId, ticketId, thenStatus: status, thenSnoozedUntil: until, via } = claim
  const { ticketId: now } = await getMessage(tx, caller.tenantId, messageId)
  const [sent] = await tx
    .select({ unreached: messages.error })
    .from(messages)
    .where(and(ofTenant(messages, caller.tenantId), eq(messages.id, messageId)))
  const later = await nextMessage(tx, caller.tenantId, { ticketId: now, direction: 'inbound' }, messageId)
  // What was written in the console is found there; programs were told an id.
  await publishReply(tx, caller, messageId, { keepsPlace: via !== 'console' })
  if (status === null || sent?.unreached || later || now !== ticketId) return
  const snoozedUntil = until !== null && until > formatTime(caller.at) ? until : null
  await setStatus(tx, caller, ticketId, { status, snoozedUntil })
}
