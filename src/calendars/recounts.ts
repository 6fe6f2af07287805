import { eq, sql } from 'drizzle-orm'
import { askedOnceWritten, type Tx } from '../db/index.ts'
import { calendarRecounts } from '../db/schema.ts'

/* Which tenants' due times have to be counted anew. */

/** Has the due times of the tenant's open tickets counted anew, from the first on. */
export async function askRecount(tx: Tx, tenantId: string, findsAnew: boolean): Promise<void> {
  await tx
    .insert(calendarRecounts)
    .values({ tenantId, after: '', findsAnew })
    .onConflictDoUpdate({
      target: calendarRecounts.tenantId,
      set: { after: '', findsAnew: findsAnew ? true : sql`${calendarRecounts.findsAnew}` },
    })
}

/** A tenant whose tickets have to be counted anew, and behind which ticket; undefined for none. */
export async function nextRecount(tx: Tx): Promise<typeof calendarRecounts.$inferSelect | undefined> {
  const [next] = await tx.select().from(calendarRecounts).orderBy(calendarRecounts.tenantId).limit(1)
  return next
}

/** Notes how far it has got; null: there is no ticket left. */
export async function noteRecounted(tx: Tx, tenantId: string, after: string | null): Promise<void> {
  const ofTenant = eq(calendarRecounts.tenantId, tenantId)
  if (after === null) await tx.delete(calendarRecounts).where(ofTenant)
  else await tx.update(calendarRecounts).set({ after }).where(ofTenant)
}

/** Now, where something has to be counted; else null. For the scheduler. */
export const recountDue = askedOnceWritten([calendarRecounts], async (db, now) => {
  const [waiting] = await db.select({ tenantId: calendarRecounts.tenantId }).from(calendarRecounts).limit(1)
  return waiting ? now : null
})
