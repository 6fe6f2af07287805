import { and, eq } from 'drizzle-orm'
import { requireSource } from '../articles/sources.ts'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { calendars } from '../db/schema.ts'
import { getInbox } from '../inboxes/operations.ts'
import type { Calendar } from './model.ts'
import { findOwnCalendar, type Owner, ownerIdOf } from './read.ts'
import { askRecount } from './recounts.ts'
import { writeWeek } from './week-text.ts'

/**
 * Gives the owner this calendar, which `parseCalendar` has checked; null has it follow the next one up: a chat its inbox, an
 * inbox the tenant, and the tenant is always open. The same changes nothing. For admins. Throws `not_found`.
 */
export async function setCalendar(tx: Tx, caller: Caller, given: Owner, calendar: Calendar | null): Promise<void> {
  const { tenantId } = caller
  const owner = await existing(tx, tenantId, given)
  const before = await findOwnCalendar(tx, tenantId, owner)
  if (Bun.deepEquals(before, calendar)) return
  const ownerId = ownerIdOf(tenantId, owner)
  if (calendar === null) {
    await tx.delete(calendars).where(and(ofTenant(calendars, tenantId), eq(calendars.ownerId, ownerId)))
  } else {
    const row = { zone: calendar.zone, hours: writeWeek(calendar.hours), daysOff: [...calendar.daysOff] }
    const { inboxId, sourceId } = owner
    await tx
      .insert(calendars)
      .values({ ...row, tenantId, ownerId, inboxId, sourceId })
      .onConflictDoUpdate({ target: [calendars.tenantId, calendars.ownerId], set: row })
  }
  await askRecount(tx, tenantId, false)
  const action = owner.sourceId
    ? 'source.hours_changed'
    : owner.inboxId
      ? 'inbox.hours_changed'
      : 'tenant.hours_changed'
  await audit(tx, caller, action, ownerId)
}

/** The owner with its ids as they are stored. Throws `not_found`. */
async function existing(tx: Tx, tenantId: string, { sourceId, inboxId }: Owner): Promise<Owner> {
  if (sourceId !== undefined) {
    const id = sourceId.toLowerCase()
    await requireSource(tx, tenantId, id)
    return { sourceId: id }
  }
  return inboxId === undefined ? {} : { inboxId: (await getInbox(tx, tenantId, inboxId)).id }
}
