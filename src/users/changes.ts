import { and, count, eq, ne } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller, UserPrincipal } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { passkeys, users } from '../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../errors.ts'
import { afterDone } from '../kinds/people.ts'
import { checkLanguage } from '../lib/language/languages.ts'
import { disableSecondFactor } from './factors/second-factor.ts'
import { forgetReturned } from './links/account-mails.ts'
import { endLink } from './links/links.ts'
import { NO_PASSWORD } from './passwords/passwords.ts'
import { signsInElsewhere } from './people.ts'
import { updateUser } from './profile.ts'
import { endSessions } from './sessions/sessions.ts'

type Role = UserPrincipal['role']

const ofUser = ({ tenantId }: Pick<Caller, 'tenantId'>, userId: string) =>
  and(ofTenant(users, tenantId), eq(users.id, userId))

/** What a person says of themselves: `language` (BCP 47) is the console's, null for the tenant's. Throws `invalid_request`. */
export async function changeProfile(
  tx: Tx,
  caller: Caller,
  userId: string,
  { name, language }: { name: string; language: string | null },
): Promise<void> {
  await updateUser(tx, caller, userId, { name })
  await tx
    .update(users)
    .set({ language: language === null ? null : checkLanguage(language) })
    .where(ofUser(caller, userId))
}

/** Whether single keys do things in the console for this person. */
export async function setShortcuts(tx: Tx, caller: Caller, userId: string, usesShortcuts: boolean): Promise<void> {
  await tx.update(users).set({ usesShortcuts }).where(ofUser(caller, userId))
  await audit(tx, caller, 'user.updated', userId, ['shortcuts'])
}

/** Where the console leads this person from a ticket that they have answered or closed. Throws `invalid_request`. */
export async function setAfterDone(tx: Tx, caller: Caller, userId: string, chosen: string): Promise<void> {
  const known = afterDone.find((one) => one === chosen)
  if (!known) throw invalid('afterDone', rule('one_of', { choices: afterDone.join(', ') }))
  await tx.update(users).set({ afterDone: known }).where(ofUser(caller, userId))
  await audit(tx, caller, 'user.updated', userId, ['afterDone'])
}

/** Whether they are away: no team hands them a ticket by itself (decisions §16). Each says so for themselves. */
export async function setAway(tx: Tx, caller: Caller, userId: string, away: boolean): Promise<void> {
  await tx.update(users).set({ away }).where(ofUser(caller, userId))
  await audit(tx, caller, 'user.updated', userId, ['away'])
}

/**
 * Another password, of which the hash is made before: see `hashPassword`. It ends all sessions of the person but the one
 * that is `kept` (decisions §14), and links to choose a password with. Throws `conflict` for somebody who was invited and
 * signs in to another tenant by now.
 */
export async function setPassword(
  tx: Tx,
  caller: Caller,
  userId: string,
  passwordHash: string,
  kept: string | null = null,
): Promise<void> {
  const { tenantId } = caller
  if (await signsInElsewhere(tx, tenantId, userId)) throw refusal('conflict', rule('user_elsewhere'))
  await tx.update(users).set({ passwordHash }).where(ofUser(caller, userId))
  await endSessions(tx, { tenantId, userId }, kept)
  await endLink(tx, tenantId, userId)
  await forgetReturned(tx, tenantId, userId)
  await audit(tx, caller, 'user.password_changed', userId)
}

/** Signs somebody out of all browsers at once, but for the session that is `kept`. Throws `not_found`. */
export async function endAllSessions(
  tx: Tx,
  caller: Caller,
  userId: string,
  kept: string | null = null,
): Promise<void> {
  await mustFind(tx, caller, userId)
  await endSessions(tx, { tenantId: caller.tenantId, userId }, kept)
  await audit(tx, caller, 'user.sessions_ended', userId)
}

/**
 * Takes away whatever somebody signs in with besides a password: codes of an app, and passkeys. By admins, for who has lost
 * them. Throws `not_found`.
 */
export async function dropSecondFactors(tx: Tx, caller: Caller, userId: string): Promise<void> {
  await mustFind(tx, caller, userId)
  await disableSecondFactor(tx, caller, userId)
  const gone = await tx
    .delete(passkeys)
    .where(and(ofTenant(passkeys, caller.tenantId), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id })
  if (gone.length > 0) await audit(tx, caller, 'user.passkey_removed', userId)
}

/** Makes somebody an admin or an agent, from their next request on. For admins. Throws `not_found`, `conflict` for the last admin. */
export async function changeRole(tx: Tx, caller: Caller, userId: string, role: Role): Promise<void> {
  const { role: before } = await mustFind(tx, caller, userId)
  if (before === role) return
  if (role !== 'admin') await keepAnAdmin(tx, caller, userId)
  await tx.update(users).set({ role }).where(ofUser(caller, userId))
  await audit(tx, caller, 'user.updated', userId, ['role'])
}

/** Lets somebody own forms or not (decisions §5). For admins. Throws `not_found`. */
export async function changeBillable(tx: Tx, caller: Caller, userId: string, billable: boolean): Promise<void> {
  const { billable: before } = await mustFind(tx, caller, userId)
  if (before === billable) return
  await tx.update(users).set({ billable }).where(ofUser(caller, userId))
  await audit(tx, caller, 'user.updated', userId, ['billable'])
}

/**
 * Somebody who may be removed, and whether they could own forms. Throws `not_found`, `conflict` for the last admin and for
 * oneself.
 */
export async function userToRemove(db: Reader, caller: Caller, userId: string): Promise<{ billable: boolean }> {
  const { role, billable } = await mustFind(db, caller, userId)
  if (caller.author.id === userId) throw refusal('conflict', rule('oneself'))
  if (role === 'admin') await keepAnAdmin(db, caller, userId)
  return { billable }
}

/** Lets somebody own forms who takes over from another. */
export async function letOwnForms(tx: Tx, caller: Caller, userId: string): Promise<void> {
  await tx.update(users).set({ billable: true }).where(ofUser(caller, userId))
}

/** Deletes somebody's account with all that lets them in: `userToRemove` has been asked, and what they held is another's. */
export async function deleteUser(tx: Tx, caller: Caller, userId: string): Promise<void> {
  const { tenantId } = caller
  await endSessions(tx, { tenantId, userId })
  await endLink(tx, tenantId, userId)
  await forgetReturned(tx, tenantId, userId)
  await tx.delete(passkeys).where(and(ofTenant(passkeys, tenantId), eq(passkeys.userId, userId)))
  await tx.delete(users).where(ofUser(caller, userId))
  await audit(tx, caller, 'user.deleted', userId)
}

async function mustFind(db: Reader, caller: Caller, userId: string) {
  const [user] = await db
    .select({ role: users.role, billable: users.billable })
    .from(users)
    .where(ofUser(caller, userId))
  if (!user) throw notFound('user')
  return user
}

/** Throws `conflict` when nobody else could administer the tenant: those invited are not there yet. */
async function keepAnAdmin(db: Reader, { tenantId }: Caller, userId: string): Promise<void> {
  const others = and(
    ofTenant(users, tenantId),
    eq(users.role, 'admin'),
    ne(users.id, userId),
    ne(users.passwordHash, NO_PASSWORD),
  )
  const [row] = await db.select({ count: count() }).from(users).where(others)
  if (!row?.count) throw refusal('conflict', rule('admin_needed'))
}
