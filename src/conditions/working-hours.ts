import { and, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { inboxAnswers } from '../db/schema.ts'
import { hoursOf, isWithin } from '../lib/input/hours.ts'

const hoursOfInbox = prepared((db) =>
  db
    .select(named({ hours: inboxAnswers.hours }))
    .from(inboxAnswers)
    .where(and(ofTenant(inboxAnswers), eq(inboxAnswers.inboxId, sql.placeholder('inboxId'))))
    .prepare(),
)

/** Whether somebody is there at `at`: within the inbox's hours, and always where it has none. */
export async function isWorkingTime(
  db: Reader,
  tenantId: string,
  inboxId: string | null,
  at: number,
): Promise<boolean> {
  if (inboxId === null) return true
  const [row] = await hoursOfInbox(db).execute({ tenantId, inboxId })
  return !row?.hours || isWithin(hoursOf(row.hours), at)
}
