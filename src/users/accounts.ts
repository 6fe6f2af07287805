import { and, asc, desc, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, remembered, type Tx } from '../db/index.ts'
import { users } from '../db/schema.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { isEmail, normaliseEmail } from '../lib/input/email.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import { NO_PASSWORD } from './passwords/passwords.ts'
/**
 * A person who can sign in. `passwordHash` is made by the caller, outside of the transaction, since hashing is slow
 * on purpose; with `NO_PASSWORD` they are invited. Throws `conflict` where the tenant has somebody of that address, or
 * anybody signs in with it already and this user would, too.
 */
export async function createUser(
  tx: Tx,
  caller: Caller,
  input: { email: string; role: 'admin' | 'agent'; billable: boolean; passwordHash: string; name?: string },
): Promise<{ userId: string }> {
  const email = normaliseEmail(input.email)
  if (!isEmail(email)) throw invalid('email', rule('email_length'))
  const userId = newId(caller.at)
  const inserted = await tx
    .insert(users)
    .values({
      ...input,
      email,
      name: input.name ? checkName(input.name) : null,
      id: userId,
      tenantId: caller.tenantId,
      createdAt: formatTime(caller.at),
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (inserted.length === 0) throw refusal('conflict', rule('user_taken'))
  await audit(tx, caller, 'user.created', userId)
  return { userId }
}

/** A person who can sign in, without what they sign in with. */
interface UserRecord {
  userId: string
  email: string
  role: 'admin' | 'agent'
  billable: boolean
  createdAt: string
}

/** All people of the tenant, newest first. */
export async function listUsers(db: Reader, tenantId: string): Promise<UserRecord[]> {
  const { id: userId, email, role, billable, createdAt } = users
  return db
    .select({ userId, email, role, billable, createdAt })
    .from(users)
    .where(ofTenant(users, tenantId))
    .orderBy(desc(users.id))
}

const firstBillableUser = prepared((db) =>
  db
    .select(named({ id: users.id }))
    .from(users)
    .where(and(ofTenant(users), eq(users.billable, true)))
    .orderBy(asc(users.id))
    .limit(1)
    .prepare(),
)

/** Who owns forms made through the API: the first billable user (decisions §5), or null. */
export const findOwner = remembered([users], async (db, tenantId: string): Promise<string | null> => {
  const [owner] = await firstBillableUser(db).execute({ tenantId })
  return owner?.id ?? null
})

/** The tenant of the user who signs in with this address, or null. For the command line. */
export async function findTenantOfUser(db: Reader, email: string): Promise<string | null> {
  const found = await db
    .select({ tenantId: users.tenantId, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, normaliseEmail(email)))
  // To others they are invited alone.
  return (found.find(({ passwordHash }) => passwordHash !== NO_PASSWORD) ?? found[0])?.tenantId ?? null
}
