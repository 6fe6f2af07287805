import { sql } from 'drizzle-orm'
import { preparedWrite, type Tx } from './dialect.ts'
import { named } from './lean-query.ts'
import { counters } from './schema.ts'

/** What is counted per tenant. */
export type CounterName = 'group' | 'page' | 'question' | 'ticket'

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
