import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { askedOnceWritten, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { retentionRuns } from '../db/schema.ts'
import type { RetentionRule } from '../kinds/retention.ts'
import { rulesSetBy } from '../tenants/retention.ts'

/** A rule of a tenant. */
export interface TenantRule {
  readonly tenantId: string
  readonly rule: RetentionRule
}

/** Notes that so many more are gone; 0 has the rule carried out at once. In the transaction in which they went. */
export async function noteGone(tx: Tx, { tenantId, rule }: TenantRule, gone: number): Promise<void> {
  await tx
    .insert(retentionRuns)
    .values({ tenantId, rule, gone })
    .onConflictDoUpdate({
      target: [retentionRuns.tenantId, retentionRuns.rule],
      set: { gone: sql`${retentionRuns.gone} + ${gone}` },
    })
}

/**
 * Notes that a rule was carried out. What a tenant has set by itself leaves an entry in its audit log where something went,
 * which says how much; what holds for everybody does not, or every hour would.
 */
export async function endRun(tx: Tx, caller: Caller, rule: RetentionRule): Promise<number> {
  const own = and(ofTenant(retentionRuns, caller.tenantId), eq(retentionRuns.rule, rule))
  const [run] = await tx.delete(retentionRuns).where(own).returning({ gone: retentionRuns.gone })
  const gone = run?.gone ?? 0
  const isSet = (await rulesSetBy(tx, caller.tenantId)).has(rule)
  if (gone > 0 && isSet) await audit(tx, caller, 'retention.applied', rule, [String(gone)])
  return gone
}

const runOf = prepared((db) =>
  db
    .select({ gone: retentionRuns.gone })
    .from(retentionRuns)
    .where(and(ofTenant(retentionRuns), eq(retentionRuns.rule, sql.placeholder('rule'))))
    .prepare(),
)

/** Whether a rule is being carried out, as far as anybody noted. */
export async function isNoted(db: Reader, { tenantId, rule }: TenantRule): Promise<boolean> {
  return (await runOf(db).execute({ tenantId, rule })).length > 0
}

/** Rules that are to be carried out at once, or were interrupted. */
export async function waitingRuns(db: Reader): Promise<TenantRule[]> {
  const { tenantId, rule } = retentionRuns
  return db.select({ tenantId, rule }).from(retentionRuns).orderBy(tenantId, rule)
}

/** Now, where there are such; else null. For the scheduler. */
export const nextRun = askedOnceWritten([retentionRuns], async (db, now) => {
  const [first] = await db.select({ rule: retentionRuns.rule }).from(retentionRuns).limit(1)
  return first ? now : null
})
