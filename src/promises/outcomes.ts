import { and, desc, eq } from 'drizzle-orm'
import type { Calendar } from '../calendars/model.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { type promiseClocks, promiseOutcomes } from '../db/schema.ts'
import type { PromiseKind } from '../kinds/promises.ts'
import { dueOf, paused } from './clock.ts'

export type ClockRow = typeof promiseClocks.$inferSelect
export type OutcomeRow = typeof promiseOutcomes.$inferSelect

/** Notes that what was promised has been done, in time or not; nothing where it is known already that it was not. */
export async function decide(tx: Tx, clock: ClockRow, calendar: Calendar, now: string): Promise<void> {
  if (clock.brokenAt !== null) return
  const dueAt = clock.dueAt ?? dueOf(calendar, { ...clock, pauses: paused(clock.pauses, false, now) })
  const kept = dueAt === null || now <= dueAt
  await noteOutcome(tx, { ...clock, dueAt }, kept, kept ? now : dueAt)
}

/** Writes whether it was kept. What is there already stays. */
export async function noteOutcome(tx: Tx, clock: ClockRow, kept: boolean, decidedAt: string): Promise<void> {
  const { tenantId, ticketId, kind, startedAt, promiseId, dueAt } = clock
  await tx
    .insert(promiseOutcomes)
    .values({ tenantId, ticketId, kind, startedAt, promiseId, dueAt, decidedAt, kept })
    .onConflictDoNothing()
}

/** What was decided last of this kind in the ticket; of one beginning alone where that is named. */
export async function lastOutcome(
  tx: Tx,
  tenantId: string,
  ticketId: string,
  kind: PromiseKind,
  startedAt?: string,
): Promise<OutcomeRow | undefined> {
  const [last] = await tx
    .select()
    .from(promiseOutcomes)
    .where(
      and(
        ofTenant(promiseOutcomes, tenantId),
        eq(promiseOutcomes.ticketId, ticketId),
        eq(promiseOutcomes.kind, kind),
        startedAt === undefined ? undefined : eq(promiseOutcomes.startedAt, startedAt),
      ),
    )
    .orderBy(desc(promiseOutcomes.startedAt))
    .limit(1)
  return last
}

/** Forgets what was decided by something that was undone: an answer that was taken back answered nobody. */
export async function withdrawOutcome(tx: Tx, { tenantId, ticketId, kind, startedAt }: OutcomeRow): Promise<void> {
  await tx
    .delete(promiseOutcomes)
    .where(
      and(
        ofTenant(promiseOutcomes, tenantId),
        eq(promiseOutcomes.ticketId, ticketId),
        eq(promiseOutcomes.kind, kind),
        eq(promiseOutcomes.startedAt, startedAt),
      ),
    )
}
