import { calendarOfInbox, calendarOfTenant } from '../calendars/read.ts'
import * as time from '../calendars/working-time.ts'
import type { Reader } from '../db/index.ts'

/** Whether it is working time at `at`, by the calendar of the inbox, or of the tenant where there is none. */
export async function isWorkingTime(
  db: Reader,
  tenantId: string,
  inboxId: string | null,
  at: number,
): Promise<boolean> {
  const calendar = inboxId === null ? calendarOfTenant(db, tenantId) : calendarOfInbox(db, tenantId, inboxId)
  return time.isWorkingTime(await calendar, at)
}
