import { and, eq } from 'drizzle-orm'
import { ofTenant, type Reader, remembered } from '../db/index.ts'
import { calendars, livechatSources } from '../db/schema.ts'
import { alwaysOpen, type Calendar } from './model.ts'
import { readWeek } from './week-text.ts'

/** Whose calendar it is: an inbox's, a chat's source's, or, of neither, the tenant's. */
export interface Owner {
  readonly inboxId?: string | undefined
  readonly sourceId?: string | undefined
}

/** All calendars of a tenant, by the id of whose it is, and the sources of its chats. Few, and asked for with every ticket. */
const ofWholeTenant = remembered([calendars, livechatSources], async (db, tenantId) => {
  const rows = await db.select().from(calendars).where(ofTenant(calendars, tenantId))
  const sources =
    rows.length === 0
      ? []
      : await db
          .select({ id: livechatSources.id, inboxId: livechatSources.inboxId })
          .from(livechatSources)
          .innerJoin(
            calendars,
            and(eq(calendars.tenantId, livechatSources.tenantId), eq(calendars.sourceId, livechatSources.id)),
          )
          .where(ofTenant(livechatSources, tenantId))
          .orderBy(livechatSources.id)
  const byOwner = new Map(
    rows.map(({ ownerId, zone, hours, daysOff }): [string, Calendar] => [
      ownerId,
      { zone, hours: readWeek(hours), daysOff },
    ]),
  )
  return { byOwner, sources }
})

/** The calendar that somebody gave to exactly this owner, or null. */
export async function findOwnCalendar(db: Reader, tenantId: string, owner: Owner): Promise<Calendar | null> {
  const { byOwner } = await ofWholeTenant(db, tenantId)
  return byOwner.get(ownerIdOf(tenantId, owner)) ?? null
}

/** The id under which its calendar is kept. */
export const ownerIdOf = (tenantId: string, { sourceId, inboxId }: Owner): string => sourceId ?? inboxId ?? tenantId

/** The tenant's calendar, always open where it has none. */
export async function calendarOfTenant(db: Reader, tenantId: string): Promise<Calendar> {
  return (await findOwnCalendar(db, tenantId, {})) ?? alwaysOpen
}

/**
 * The calendar that holds for tickets of an inbox (decisions §18): its own, that of its oldest chat which has one, the tenant's, or
 * always open. The same object comes back until one of them is written.
 */
export async function calendarOfInbox(db: Reader, tenantId: string, inboxId: string): Promise<Calendar> {
  const { byOwner, sources } = await ofWholeTenant(db, tenantId)
  const chat = sources.find((source) => source.inboxId === inboxId)
  return byOwner.get(inboxId) ?? (chat && byOwner.get(chat.id)) ?? byOwner.get(tenantId) ?? alwaysOpen
}

/** The calendar of a chat: its own, its inbox's, the tenant's; null where nobody has set any. */
export async function calendarOfChat(
  db: Reader,
  { tenantId, sourceId, inboxId }: { tenantId: string; sourceId: string; inboxId: string },
): Promise<Calendar | null> {
  const { byOwner } = await ofWholeTenant(db, tenantId)
  return byOwner.get(sourceId) ?? byOwner.get(inboxId) ?? byOwner.get(tenantId) ?? null
}
