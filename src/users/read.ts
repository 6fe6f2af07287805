import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { accountMails, users } from '../db/schema.ts'
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
  const found = await userByEmail(db).execute({ email: normaliseEmail(email) })
  // One of them signs in; to other tenants they are invited alone.
  return found.find(({ passwordHash }) => passwordHash !== NO_PASSWORD) ?? found[0] ?? null
}

/** Whether the address of a user who is only invited, or was before, signs in to another tenant. */
export async function signsInElsewhere(db: Reader, tenantId: string, userId: string): Promise<boolean> {
  const [user] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(ofTenant(users, tenantId), eq(users.id, userId)))
  if (!user) return false
  const [other] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, user.email), ne(users.tenantId, tenantId), ne(users.passwordHash, NO_PASSWORD)))
  return other !== undefined
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
  /** When the last mail to them came back, and what the mail server said; null: it did not. */
  readonly returned: { readonly at: string; readonly error: string } | null
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
type Returned = { returnedAt: string | null; error: string | null }

const personOf = ({ passwordHash, totpSecret, returnedAt, error, ...row }: Row & Returned): Person => ({
  ...row,
  isInvited: passwordHash === NO_PASSWORD,
  hasSecondFactor: totpSecret !== null,
  returned: returnedAt === null ? null : { at: returnedAt, error: error ?? '' },
})

const people = (db: Reader) =>
  db
    .select(named({ ...record, returnedAt: accountMails.returnedAt, error: accountMails.error }))
    .from(users)
    .leftJoin(
      accountMails,
      and(
        eq(accountMails.tenantId, users.tenantId),
        eq(accountMails.userId, users.id),
        isNotNull(accountMails.returnedAt),
      ),
    )

/** All people of the tenant, by address. A tenant has as many as work there. */
export async function listPeople(db: Reader, tenantId: string): Promise<Person[]> {
  const rows = await people(db).where(ofTenant(users, tenantId)).orderBy(users.email)
  return rows.map(personOf)
}

/** One of them. Throws `not_found`. */
export async function getPerson(db: Reader, tenantId: string, userId: string): Promise<Person> {
  const [row] = await people(db).where(and(ofTenant(users, tenantId), eq(users.id, userId)))
  if (!row) throw notFound('user')
  return personOf(row)
}
