import { ofTenant, type Reader, remembered, type Tx } from '../db/index.ts'
import { retentionDays } from '../db/schema.ts'
import { DAYS_BY_DEFAULT, type RetentionRule, retentionRules } from '../kinds/retention.ts'

const DAY = 24 * 60 * 60 * 1000

/** For how many days something is kept; null: for good. */
export interface Kept {
  readonly rule: RetentionRule
  readonly days: number | null
}

/** What each tenant has set; read with every ticket. */
const chosenBy = remembered([retentionDays], async (db, tenantId) =>
  db
    .select({ rule: retentionDays.rule, days: retentionDays.days })
    .from(retentionDays)
    .where(ofTenant(retentionDays, tenantId)),
)

/** For how long the tenant keeps what, in the order of the rules (decisions §22). */
export async function retentionOf(db: Reader, tenantId: string): Promise<Kept[]> {
  const chosen = new Map((await chosenBy(db, tenantId)).map(({ rule, days }) => [rule, days]))
  return retentionRules.map((rule) => ({
    rule,
    days: chosen.get(rule) ?? (chosen.has(rule) ? null : DAYS_BY_DEFAULT[rule]),
  }))
}

/** Which rules the tenant has set by itself. */
export async function rulesSetBy(db: Reader, tenantId: string): Promise<ReadonlySet<RetentionRule>> {
  return new Set((await chosenBy(db, tenantId)).map(({ rule }) => rule))
}

/** For how many milliseconds the tenant keeps what one rule is about; null: for good. */
export async function keptFor(db: Reader, tenantId: string, rule: RetentionRule): Promise<number | null> {
  const kept = await retentionOf(db, tenantId)
  const days = kept.find((other) => other.rule === rule)?.days ?? null
  return days === null ? null : days * DAY
}

/** Has the tenant keep what one rule is about for so many days, or for good. For `retention/`, which carries it out. */
export async function keepFor(tx: Tx, tenantId: string, { rule, days }: Kept): Promise<void> {
  await tx
    .insert(retentionDays)
    .values({ tenantId, rule, days })
    .onConflictDoUpdate({ target: [retentionDays.tenantId, retentionDays.rule], set: { days } })
}
