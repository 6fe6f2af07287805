import { and, eq, sql } from 'drizzle-orm'
import type { Begun } from './at-commit.ts'
import { prepared, preparedWrite, type Reader, send, type Tx } from './dialect.ts'
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

const stored = prepared((db) =>
  db
    .select(named({ value: counters.value }))
    .from(counters)
    .where(and(ofTenant(counters), eq(counters.name, sql.placeholder('name'))))
    .prepare(),
)

const store = preparedWrite((tx) =>
  tx
    .insert(counters)
    .values({ tenantId: sql.placeholder('tenantId'), name: sql.placeholder('name'), value: sql.placeholder('value') })
    .onConflictDoUpdate({ target: [counters.tenantId, counters.name], set: { value: sql`excluded.value` } })
    .prepare(),
)

interface Counter {
  readonly tenantId: string
  readonly name: CounterName
  /** The last number taken. */
  value: number
}

/** What those who share a commit have taken: to store each number as it is taken costs a tenth of what a form does. */
const taken: Begun<Map<string, Counter>, Tx> = {
  begin: () => new Map(),
  async write(tx, counters) {
    for (const { tenantId, name, value } of counters.values()) await send(tx, store, { tenantId, name, value })
  },
}

/** Takes `count` numbers of the tenant's counter and returns the first. A number is never given twice. */
export async function takeNumbers(tx: Tx, tenantId: string, name: CounterName, count: number): Promise<number> {
  const { atCommit } = tx
  if (!atCommit) {
    const [row] = await take(tx).execute({ tenantId, name, count })
    return (row as { value: number }).value - count + 1
  }
  const key = `${tenantId} ${name}`
  let counter = atCommit.of(taken).get(key)
  if (!counter) {
    const [row] = await stored(tx).execute({ tenantId, name })
    // Somebody of the same transaction may have been quicker.
    counter = atCommit.of(taken).get(key) ?? { tenantId, name, value: row?.value ?? 0 }
    atCommit.of(taken).set(key, counter)
  }
  counter.value += count
  return counter.value - count + 1
}

/** Sets a counter to what was counted otherwise: the next number taken is one more. */
export async function setCounter(tx: Tx, tenantId: string, name: CounterName, value: number): Promise<void> {
  await tx.atCommit?.write()
  await send(tx, store, { tenantId, name, value })
}

/** The last number taken of a counter, 0 before the first. */
export async function lastNumber(db: Reader, tenantId: string, name: CounterName): Promise<number> {
  await db.atCommit?.write()
  const [row] = await stored(db).execute({ tenantId, name })
  return row?.value ?? 0
}
