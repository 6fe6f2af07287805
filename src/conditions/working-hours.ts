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

/** When so much working time of the inbox has passed since `from`; null where that never comes. Times are in milliseconds. */
export async function afterWorkingTime(
  db: Reader,
  tenantId: string,
  inboxId: string,
  from: number,
  length: number,
): Promise<number | null> {
  return time.afterWorkingTime(await calendarOfInbox(db, tenantId, inboxId), from, length)
}
