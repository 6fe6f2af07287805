import { eq } from 'drizzle-orm'
import type { Tx } from '../../../src/db/index.ts'
import { events } from '../../../src/db/schema.ts'
import { isAnyUnsettled } from '../../../src/events/log.ts'
import { BEGINNING } from '../../../src/events/places.ts'
import type { TestApp, TestTenant } from '../app.ts'
import { until } from '../patience.ts'

/**
 * Resolves once all events of a tenant can be read in its log: where nodes share a server, not before every transaction has
 * ended that is older than theirs, those of other databases included.
 */
export async function settled({ database }: Pick<TestApp, 'database'>, { tenantId }: Pick<TestTenant, 'tenantId'>) {
  if (!database.isShared) return
  await until(async () => !(await isAnyUnsettled(database.db, tenantId, BEGINNING)))
}

/** The number of an event of the tenant, of which there has to be one. */
export async function someEvent(tx: Tx, tenantId: string): Promise<number> {
  const [found] = await tx.select({ number: events.number }).from(events).where(eq(events.tenantId, tenantId)).limit(1)
  if (!found) throw new Error('nothing has happened')
  return found.number
}
