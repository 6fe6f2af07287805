import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { accountMails, passkeys, tenants, users } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import { NO_PASSWORD } from './passwords/passwords.ts'

const claimants = (db: Reader) =>
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
        providerIssuer: users.providerIssuer,
        requiresSecondFactor: tenants.requiresSecondFactor,
      }),
    )
    .from(users)
    .innerJoin(tenants, eq(tenants.id, users.tenantId))

const userByEmail = prepared((db) =>
  claimants(db)
    .where(eq(users.email, sql.placeholder('email')))
    .prepare(),
)

const userByIdentity = prepared((db) =>
  claimants(db)
    .where(
      and(eq(users.providerIssuer, sql.placeholder('issuer')), eq(users.providerSubject, sql.placeholder('subject'))),
    )
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

/** Who has signed in by the provider of that issuer, which calls them `subject`, before; or null. For the sign-in alone. */
export async function findByIdentity(db: Reader, issuer: string, subject: string): Promise<Claimant | null> {
  const [found] = await userByIdentity(db).execute({ issuer, subject })
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
  /** Whether codes of an app are asked for, or there are passkeys. */
  readonly hasSecondFactor: boolean
  /** The issuer of the identity provider by which they have signed in, or null. */
  readonly providerIssuer: string | null
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
  providerIssuer: users.providerIssuer,
  createdAt: users.createdAt,
}

type Row = {
  [K in keyof typeof record]: (typeof users.$inferSelect)[K extends 'userId'
    ? 'id'
    : K & keyof typeof users.$inferSelect]
}
type Returned = { returnedAt: string | null; error: string | null }

const personOf = (
  { passwordHash, totpSecret, returnedAt, error, ...row }: Row & Returned,
  withPasskeys: ReadonlySet<string>,
): Person => ({
  ...row,
  isInvited: passwordHash === NO_PASSWORD,
  hasSecondFactor: totpSecret !== null || withPasskeys.has(row.userId),
  returned: returnedAt === null ? null : { at: returnedAt, error: error ?? '' },
})

/** Who of the tenant has a passkey. */
async function passkeyOwners(db: Reader, tenantId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectDistinct({ userId: passkeys.userId }).from(passkeys).where(ofTenant(passkeys, tenantId))
  return new Set(rows.map(({ userId }) => userId))
}

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
  const owners = await passkeyOwners(db, tenantId)
  return rows.map((row) => personOf(row, owners))
}

/** One of them. Throws `not_found`. */
export async function getPerson(db: Reader, tenantId: string, userId: string): Promise<Person> {
  const [row] = await people(db).where(and(ofTenant(users, tenantId), eq(users.id, userId)))
  if (!row) throw notFound('user')
  return personOf(row, await passkeyOwners(db, tenantId))
}
