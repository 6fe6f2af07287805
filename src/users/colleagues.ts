import { asc } from 'drizzle-orm'
import type { Reader } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { users } from '../db/schema.ts'

/** Those who can be given a ticket: everybody who works for the tenant, by the name that colleagues know. */
export async function listColleagues(db: Reader, tenantId: string): Promise<{ userId: string; name: string }[]> {
  const rows = await db
    .select({ userId: users.id, email: users.email, name: users.name })
    .from(users)
    .where(ofTenant(users, tenantId))
    .orderBy(asc(users.id))
  return rows
    .map(({ userId, email, name }) => ({ userId, name: name ?? email }))
    .sort((one, other) => one.name.localeCompare(other.name))
}
