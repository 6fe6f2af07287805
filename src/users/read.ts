import { and, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { users } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { normaliseEmail } from '../lib/email.ts'
import { NO_PASSWORD } from '../tenants/passwords.ts'

const userByEmail = prepared((db) =>
  db
    .select(
      named({
        tenantId: users.tenantId,
        userId: users.id,
        email: users.email,
        name: users.name,
        role: users.role,
        language: users.language,
        passwordHash: users.passwordHash,
        totpSecret: users.totpSecret,
        totpStep: users.totpStep,
        recoveryCodes: users.recoveryCodes,
      }),
    )
    .from(users)
    .where(eq(users.email, sql.placeholder('email')))
    .prepare(),
)

/** Somebody who wants to sign in, with what has to be checked. For the sign-in alone. */
export type Claimant = NonNullable<Awaited<ReturnType<typeof findClaimant>>>

/** Who signs in with this address, in whatever tenant, or null. For the sign-in alone. */
export async function findClaimant(db: Reader, email: string) {
  const [found] = await userByEmail(db).execute({ email: normaliseEmail(email) })
  return found ?? null
}

/** A person of the tenant, as admins see them. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly name: string | null
  readonly role: 'admin' | 'agent'
  readonly billable: boolean
  /** Whether they have yet to choose a password. */
  readonly isInvited: boolean
  readonly hasSecondFactor: boolean
  readonly createdAt: string
}

const record = {
  userId: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  billable: users.billable,
  passwordHash: users.passwordHash,
  totpSecret: users.totpSecret,
  createdAt: users.createdAt,
}

type Row = {
  [K in keyof typeof record]: (typeof users.$inferSelect)[K extends 'userId'
    ? 'id'
    : K & keyof typeof users.$inferSelect]
}

const personOf = ({ passwordHash, totpSecret, ...row }: Row): Person => ({
  ...row,
  isInvited: passwordHash === NO_PASSWORD,
  hasSecondFactor: totpSecret !== null,
})

/** All people of the tenant, by address. A tenant has as many as work there. */
export async function listPeople(db: Reader, tenantId: string): Promise<Person[]> {
  const rows = await db.select(record).from(users).where(ofTenant(users, tenantId)).orderBy(users.email)
  return rows.map(personOf)
}

/** One of them. Throws `not_found`. */
export async function getPerson(db: Reader, tenantId: string, userId: string): Promise<Person> {
  const [row] = await db
    .select(record)
    .from(users)
    .where(and(ofTenant(users, tenantId), eq(users.id, userId)))
  if (!row) throw notFound('user')
  return personOf(row)
}
