import { and, eq, sql } from 'drizzle-orm'
import { preparedWrite, type Reader, type Tx } from './dialect.ts'
import { named } from './lean-query.ts'
import { ofTenant } from './of-tenant.ts'
import { counters } from './schema.ts'

/** What is counted per tenant. */
export type CounterName = 'group' | 'page' | 'question' | 'rule' | 'ticket' | `responses of ${string}`

const take = preparedWrite((tx) =>
  tx
    .insert(counters)
    .values({ tenantId: sql.placeholder('tenantId'), name: sql.placeholder('name'), value: sql.placeholder('count') })
    .onConflictDoUpdate({
      target: [counters.tenantId, counters.name],
      set: { value: sql`${counters.value} + ${sql.placeholder('count')}` },
    })
    .returning(named({ value: counters.value }))
    .prepare(),
)

/** Takes `count` numbers of the tenant's counter and returns the first. A number is never given twice. */
export async function takeNumbers(tx: Tx, tenantId: string, name: CounterName, count: number): Promise<number> {
  const [row] = await take(tx).execute({ tenantId, name, count })
  return (row as { value: number }).value - count + 1
}

/** Sets a counter to what was counted otherwise: the next number taken is one more. */
export async function setCounter(tx: Tx, tenantId: string, name: CounterName, value: number): Promise<void> {
  await tx
    .insert(counters)
    .values({ tenantId, name, value })
    .onConflictDoUpdate({ target: [counters.tenantId, counters.name], set: { value } })
}

/** The last number taken of a counter, 0 before the first. */
export async function lastNumber(db: Reader, tenantId: string, name: CounterName): Promise<number> {
  const [row] = await db
    .select({ value: counters.value })
    .from(counters)
    .where(and(ofTenant(counters, tenantId), eq(counters.name, name)))
  return row?.value ?? 0
}
