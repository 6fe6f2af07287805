import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { afterWorkingTime } from '../../conditions/working-hours.ts'
import { askedOnceWritten, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { ruleWaits, tickets } from '../../db/schema.ts'
import { type Happened, happenFor, happenForEach } from '../../events/happenings.ts'
import { formatTime } from '../../lib/time.ts'
import type { Rule, RuleDefinition } from '../model.ts'
import { enabledRules } from '../read.ts'

/* `ticket.waiting`: unanswered for so long in working hours, once a wait (decisions §17). */

/** Ended in one transaction. */
const STEP = 100

const waitingById = prepared((db) =>
  db
    .select(named({ inboxId: tickets.inboxId, waitingSince: tickets.waitingSince }))
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.id, sql.placeholder('id'))))
    .prepare(),
)

/** Has the rules for it know when a customer will have waited so long who began to wait. */
export async function planWaits(tx: Tx, { tenantId, recordId: ticketId, ruleId, at }: Happened): Promise<void> {
  const all = (await enabledRules(tx, tenantId)).get('ticket.waiting') ?? []
  const asked = all.filter(({ id }) => ruleId === null || id === ruleId)
  if (asked.length === 0) return
  const [ticket] = await waitingById(tx).execute({ tenantId, id: ticketId })
  if (!ticket?.waitingSince) return
  for (const rule of asked) {
    const end = await endOf(tx, tenantId, ticket.inboxId, ticket.waitingSince, rule)
    // Whoever makes a rule does not mean those who have waited for longer already.
    if (end === null || (ruleId !== null && end < Date.parse(at))) continue
    await planWait(tx, { tenantId, ruleId: rule.id, ticketId, since: ticket.waitingSince, dueAt: formatTime(end) })
  }
}

const endOf = (db: Reader, tenantId: string, inboxId: string, since: string, { span }: Pick<Rule, 'span'>) =>
  afterWorkingTime(db, tenantId, inboxId, Date.parse(since), span ?? 0)

async function planWait(tx: Tx, wait: typeof ruleWaits.$inferInsert): Promise<void> {
  const { since, dueAt } = wait
  await tx
    .insert(ruleWaits)
    .values(wait)
    .onConflictDoUpdate({ target: [ruleWaits.tenantId, ruleWaits.ruleId, ruleWaits.ticketId], set: { since, dueAt } })
}

/** Has a rule that is new, or was changed, know of the customers who wait already. */
export async function planWaitsOfRule(
  tx: Tx,
  tenantId: string,
  { id: ruleId, on, enabled }: RuleDefinition & { id: string },
  at: number,
): Promise<void> {
  if (on !== 'ticket.waiting' || !enabled) return
  const isWaiting = and(inArray(tickets.status, ['open', 'pending']), isNotNull(tickets.waitingSince))
  const waiting = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), isWaiting))
  await happenForEach(
    tx,
    tenantId,
    ruleId,
    'ticket.waits',
    waiting.map(({ id }) => id),
    at,
  )
}

/** Lets go of what a rule waits for. */
export async function forgetWaits(tx: Tx, tenantId: string, ruleId: string): Promise<void> {
  await tx.delete(ruleWaits).where(and(ofTenant(ruleWaits, tenantId), eq(ruleWaits.ruleId, ruleId)))
}

const earliest = prepared((db) =>
  db.select({ dueAt: ruleWaits.dueAt }).from(ruleWaits).orderBy(asc(ruleWaits.dueAt)).limit(1).prepare(),
)

/** When a customer will have waited as long as a rule says, in milliseconds since 1970, or null. For the scheduler. */
export const nextWaitEnd = askedOnceWritten([ruleWaits], async (db) => {
  const [first] = await earliest(db).execute()
  return first ? Date.parse(first.dueAt) : null
})

/** Sets off the rules whose time has come: those who were answered meanwhile are left alone. Says whether more may be due. */
export async function endWaits(tx: Tx, now: number): Promise<boolean> {
  const due = await tx
    .select()
    .from(ruleWaits)
    .where(lte(ruleWaits.dueAt, formatTime(now)))
    .orderBy(asc(ruleWaits.dueAt))
    .limit(STEP)
  for (const { tenantId, ruleId, ticketId, since } of due) {
    const own = and(ofTenant(ruleWaits, tenantId), eq(ruleWaits.ruleId, ruleId), eq(ruleWaits.ticketId, ticketId))
    await tx.delete(ruleWaits).where(own)
    const rule = (await enabledRules(tx, tenantId)).get('ticket.waiting')?.find(({ id }) => id === ruleId)
    const [ticket] = await waitingById(tx).execute({ tenantId, id: ticketId })
    if (!rule || ticket?.waitingSince !== since) continue
    const end = await endOf(tx, tenantId, ticket.inboxId, since, rule)
    if (end === null) continue
    // The hours may have become others since it was planned.
    if (end > now) await planWait(tx, { tenantId, ruleId, ticketId, since, dueAt: formatTime(end) })
    else await happenFor(tx, tenantId, ruleId, 'ticket.waiting', ticketId, now)
  }
  return due.length === STEP
}
