import { and, desc, eq, ne } from 'drizzle-orm'
import { ofTenant, prepared, type Reader, remembered } from '../db/index.ts'
import { tenants, users } from '../db/schema.ts'
import { NO_PASSWORD } from './passwords/passwords.ts'

/** Somebody who works for the tenant, as colleagues know them. */
export interface Colleague {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: 'admin' | 'agent'
  /** No team hands them a ticket by itself. */
  readonly away: boolean
}

const usersOfTenant = prepared((db) =>
  db
    .select({ id: users.id, name: users.name, email: users.email, role: users.role, away: users.away })
    .from(users)
    .where(ofTenant(users))
    .orderBy(desc(users.id))
    .prepare(),
)

/** Everybody who works for the tenant, by their ids, the newest first. */
export const colleaguesById = remembered(
  [users],
  async (db, tenantId: string): Promise<ReadonlyMap<string, Colleague>> => {
    const rows = await usersOfTenant(db).execute({ tenantId })
    return new Map(rows.map((row) => [row.id, { ...row, name: row.name ?? row.email }]))
  },
)

/** Everybody who works for the tenant, the newest first. */
export async function allColleagues(db: Reader, tenantId: string): Promise<Colleague[]> {
  return [...(await colleaguesById(db, tenantId)).values()]
}

/** Those who can be given a ticket: everybody who works for the tenant, by the name that colleagues know. */
export async function listColleagues(db: Reader, tenantId: string): Promise<{ userId: string; name: string }[]> {
  return (await allColleagues(db, tenantId))
    .map(({ id: userId, name }) => ({ userId, name }))
    .sort((one, other) => one.name.localeCompare(other.name))
}

/** Somebody who works for the tenant and has signed in, so that their address is known to be theirs. */
export interface ActivePerson extends Colleague {
  /** BCP 47: theirs, or the tenant's. */
  readonly language: string
}

const activeOfTenant = prepared((db) =>
  db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
      away: users.away,
      language: users.language,
      tenantLanguage: tenants.language,
    })
    .from(users)
    .innerJoin(tenants, eq(tenants.id, users.tenantId))
    .where(and(ofTenant(users), ne(users.passwordHash, NO_PASSWORD)))
    .prepare(),
)

/** Everybody who works for the tenant, by their ids, but those who were invited and have not come. */
export const activePeople = remembered(
  [users, tenants],
  async (db, tenantId: string): Promise<ReadonlyMap<string, ActivePerson>> => {
    const rows = await activeOfTenant(db).execute({ tenantId })
    return new Map(
      rows.map(({ tenantLanguage, ...row }) => [
        row.id,
        { ...row, name: row.name ?? row.email, language: row.language ?? tenantLanguage ?? 'en' },
      ]),
    )
  },
)
