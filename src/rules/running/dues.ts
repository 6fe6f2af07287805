import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import { askedOnceWritten, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { promiseClocks, ruleDues, rules } from '../../db/schema.ts'
import { happenFor } from '../../events/happenings.ts'
import { formatTime } from '../../lib/time.ts'

/* `ticket.due_soon`: so long before a promise's time has passed, once a promise and rule (decisions §17, §18). */

/** Noted in one transaction for each rule. */
const STEP = 100

const rulesForIt = prepared((db) =>
  db
    .select(named({ tenantId: rules.tenantId, id: rules.id, span: rules.span }))
    .from(rules)
    .where(and(eq(rules.trigger, 'ticket.due_soon'), eq(rules.enabled, true)))
    .prepare(),
)

/** Of a promise that still runs and that the rule was not told of. */
const isUntold = and(
  ofTenant(promiseClocks),
  isNull(promiseClocks.brokenAt),
  gt(promiseClocks.dueAt, sql.placeholder('now')),
  sql`NOT EXISTS (SELECT 1 FROM ${ruleDues} WHERE ${ruleDues.tenantId} = ${promiseClocks.tenantId}
    AND ${ruleDues.ruleId} = ${sql.placeholder('ruleId')} AND ${ruleDues.ticketId} = ${promiseClocks.ticketId}
    AND ${ruleDues.kind} = ${promiseClocks.kind})`,
)

const soonestUntold = prepared((db) =>
  db
    .select(named({ dueAt: promiseClocks.dueAt }))
    .from(promiseClocks)
    .where(isUntold)
    .orderBy(asc(promiseClocks.dueAt))
    .limit(1)
    .prepare(),
)

const untoldUntil = prepared((db) =>
  db
    .select(named({ ticketId: promiseClocks.ticketId, kind: promiseClocks.kind }))
    .from(promiseClocks)
    .where(and(isUntold, lte(promiseClocks.dueAt, sql.placeholder('until'))))
    .orderBy(asc(promiseClocks.dueAt))
    .limit(STEP)
    .prepare(),
)

/** When a rule is to be told of a promise next, in milliseconds since 1970, or null. For the scheduler. */
export const nextDueSoon = askedOnceWritten([rules, promiseClocks, ruleDues], async (db: Reader, now) => {
  const times: number[] = []
  for (const { tenantId, id: ruleId, span } of await rulesForIt(db).execute({})) {
    const [first] = await soonestUntold(db).execute({ tenantId, ruleId, now: formatTime(now) })
    if (first?.dueAt) times.push(Date.parse(first.dueAt) - (span ?? 0))
  }
  return times.length === 0 ? null : Math.min(...times)
})

/** Sets off the rules that want to know of tickets which are due soon. Says whether more may be left. */
export async function tellDueSoon(tx: Tx, now: number): Promise<boolean> {
  let isMore = false
  for (const { tenantId, id: ruleId, span } of await rulesForIt(tx).execute({})) {
    const until = formatTime(now + (span ?? 0))
    const due = await untoldUntil(tx).execute({ tenantId, ruleId, now: formatTime(now), until })
    if (due.length === 0) continue
    await tx.insert(ruleDues).values(due.map(({ ticketId, kind }) => ({ tenantId, ruleId, ticketId, kind })))
    for (const ticketId of new Set(due.map((one) => one.ticketId))) {
      await happenFor(tx, tenantId, ruleId, 'ticket.due_soon', ticketId, now)
    }
    isMore ||= due.length === STEP
  }
  return isMore
}
