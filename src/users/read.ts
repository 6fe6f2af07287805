import { eq, sql } from 'drizzle-orm'
import { named, prepared, type Reader } from '../db/index.ts'
import { users } from '../db/schema.ts'
import { normaliseEmail } from '../lib/email.ts'

const userByEmail = prepared((db) =>
  db
    .select(
      named({
        tenantId: users.tenantId,
        userId: users.id,
        email: users.email,
        passwordHash: users.passwordHash,
        totpSecret: users.totpSecret,
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
