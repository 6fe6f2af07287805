import type { Caller } from '../caller.ts'
import { commandCaller } from '../caller.ts'
import type { Config } from '../config.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Files } from '../files/files.ts'
import { createKey, findPrincipal, listKeys, revokeKey } from '../keys/operations.ts'
import { scopes } from '../kinds/scopes.ts'
import type { Secrets } from '../secrets/seal.ts'
import { findTenantOfUser } from '../users/accounts.ts'
import { isPassword, randomPassword } from '../users/passwords/passwords.ts'
import { findClaimant } from '../users/people.ts'
import { articleSteps } from './articles.ts'
import { ADMIN_EMAIL, foundCompany } from './company.ts'
import { collectingForm, helpSource } from './examples.ts'
import { guestSteps } from './guest.ts'
import { inventPeople, peopleSteps } from './people.ts'
import { formSteps } from './responses.ts'
import { addRules } from './rules.ts'
import type { Guest } from './secrets.ts'
import { keepSecrets, readSecrets } from './secrets.ts'
import { addPromises } from './tickets/promises.ts'
import { ticketSteps } from './tickets/tickets.ts'
import { addInboxWork } from './tickets/work.ts'
import { DAY, happen } from './timeline.ts'
import { todaySteps } from './today.ts'
import { webhookSteps } from './webhooks.ts'

/** Where the demo lives, where its files go, and what seals its secrets. */
export type DemoFolder = Pick<Config, 'dataDir'> & { readonly files: Files; readonly secrets: Secrets }

const KEY_NAME = 'Demo key'

/** A tenant to look around in. */
export interface Demo {
  readonly tenantId: string
  /** A key of all scopes that works now. */
  readonly key: string
  /** How to sign in to the console as its admin; without a password where that was changed, or the file of it lost. */
  readonly admin: { readonly email: string; readonly password: string | null }
  /** The launch code of a form that collects, or null where all have been closed. */
  readonly launchCode: string | null
  /** The source of its articles and of the chat on its site, or null where all have been deleted. */
  readonly sourceId: string | null
  /** What a visitor of its site and forms holds, for the examples of the documentation; null where the file of it is lost. */
  readonly guest: Guest | null
  /** Whether it was made just now; otherwise it was there, and everything in it stays as it is. */
  readonly isNew: boolean
}

/**
 * The demo tenant of a data folder, filled first where there is none (decisions §11); all of it or nothing. For the
 * command line. What is in it is the same every time but for ids and secrets; its times lead up to `now`, so that it
 * always looks alive. Files that a failure leaves behind belong to no record: a job removes them.
 */
export async function prepareDemo(database: Database, folder: DemoFolder, now: number): Promise<Demo> {
  const { dataDir } = folder
  const openTo = async (id: string) => ({
    launchCode: (await collectingForm(database.db, id))?.launchCode ?? null,
    sourceId: await helpSource(database.db, id),
  })
  const tenantId = await findTenantOfUser(database.db, ADMIN_EMAIL)
  if (tenantId) {
    const key = await workingKey(database, dataDir, tenantId, now)
    const admin = { email: ADMIN_EMAIL, password: await workingPassword(database, dataDir) }
    const guest = readSecrets(dataDir)?.guest ?? null
    return { tenantId, key, admin, ...(await openTo(tenantId)), guest, isNew: false }
  }
  const { password, hash: passwordHash } = await randomPassword()
  const made = await database.transaction(async (tx) => {
    const filled = await fill(tx, folder, now, passwordHash)
    return { ...filled, key: await newKey(tx, commandCaller(filled.tenantId, now)) }
  })
  keepSecrets(dataDir, { key: made.key, email: ADMIN_EMAIL, password, ...(made.guest && { guest: made.guest }) })
  const admin = { email: ADMIN_EMAIL, password }
  return { ...made, admin, ...(await openTo(made.tenantId)), isNew: true }
}

/** The password that was printed before, where it still is the admin's. */
async function workingPassword(database: Database, dataDir: string): Promise<string | null> {
  const password = readSecrets(dataDir)?.password
  const admin = await findClaimant(database.db, ADMIN_EMAIL)
  return password && admin && (await isPassword(password, admin.passwordHash)) ? password : null
}

/** A tenant with three months behind it, and what its guest holds. */
async function fill(
  tx: Tx,
  folder: DemoFolder,
  now: number,
  passwordHash: string,
): Promise<Pick<Demo, 'tenantId' | 'guest'>> {
  const company = await foundCompany(tx, now - 90 * DAY, passwordHash)
  await addInboxWork(tx, company, now - 90 * DAY)
  await addPromises(tx, company, now - 90 * DAY)
  const people = inventPeople(now)
  const held: { guest: Guest | null } = { guest: null }
  await happen(tx, company.tenantId, [
    ...peopleSteps(company, people, now),
    ...formSteps(company, people, folder.files, now),
    ...ticketSteps(company, people, folder.files, now),
    ...todaySteps(company, now),
    ...articleSteps(company, now),
    ...webhookSteps(now, folder.secrets),
    ...guestSteps(company, folder.files, held, now),
  ])
  await addRules(tx, company, now)
  return { tenantId: company.tenantId, guest: held.guest }
}

/** The key that was printed before, so that what somebody built on it goes on working; a new one where it is gone. */
async function workingKey(database: Database, dataDir: string, tenantId: string, now: number): Promise<string> {
  const kept = readSecrets(dataDir)
  const holder = kept && (await findPrincipal(database.db, kept.key, now))
  if (kept && holder?.tenantId === tenantId) return kept.key
  const key = await database.transaction(async (tx) => {
    const caller = commandCaller(tenantId, now)
    for (const { keyId, name, revokedAt } of await listKeys(tx, tenantId)) {
      if (name === KEY_NAME && revokedAt === null) await revokeKey(tx, caller, keyId)
    }
    return newKey(tx, caller)
  })
  keepSecrets(dataDir, { ...kept, key })
  return key
}

async function newKey(tx: Tx, caller: Caller): Promise<string> {
  const { key } = await createKey(tx, caller, { name: KEY_NAME, scopes, expiresAt: null })
  return key
}
