import { and, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { inboxes } from '../db/schema.ts'
import { type AppError, invalid, notFound, refusal, rule } from '../errors.ts'
import { channels } from '../kinds/inboxes.ts'
import { newId } from '../lib/ids.ts'
import { comparable } from '../lib/input/comparable-email.ts'
import { isEmail, normaliseEmail } from '../lib/input/email.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import type { Inbox } from './model.ts'
import { inboxesOf } from './recipient.ts'

const inboxRow = {
  id: inboxes.id,
  name: inboxes.name,
  channel: inboxes.channel,
  emailAddress: inboxes.emailAddress,
  archivedAt: inboxes.archivedAt,
  createdAt: inboxes.createdAt,
  updatedAt: inboxes.updatedAt,
}

/** All inboxes of the tenant, newest first, archived ones too. */
export async function listInboxes(db: Reader, tenantId: string): Promise<Inbox[]> {
  return inboxesOfTenant(db).execute({ tenantId })
}

const inboxesOfTenant = prepared((db) =>
  db.select(named(inboxRow)).from(inboxes).where(ofTenant(inboxes)).orderBy(desc(inboxes.id)).prepare(),
)

const inboxById = prepared((db) =>
  db
    .select(named(inboxRow))
    .from(inboxes)
    .where(and(ofTenant(inboxes), eq(inboxes.id, sql.placeholder('id'))))
    .prepare(),
)

/** The inbox, or null when the tenant has none with this id. */
export async function findInbox(db: Reader, tenantId: string, id: string): Promise<Inbox | null> {
  const [inbox] = await inboxById(db).execute({ tenantId, id })
  return inbox ?? null
}

/** The inbox. Throws `not_found`. */
export async function getInbox(db: Reader, tenantId: string, id: string): Promise<Inbox> {
  const inbox = await findInbox(db, tenantId, id.toLowerCase())
  if (!inbox) throw notFound('inbox')
  return inbox
}

/** The tenant's oldest email inbox that is in use, or null: what nothing else was named for goes there. */
export async function oldestEmailInbox(db: Reader, tenantId: string): Promise<Inbox | null> {
  const all = await listInboxes(db, tenantId)
  return all.findLast(({ channel, archivedAt }) => channel === 'email' && archivedAt === null) ?? null
}

/** Throws `conflict` for an archived inbox: nothing new begins there (decisions §20). */
export function requireInUse({ archivedAt }: Inbox): void {
  if (archivedAt !== null) throw refusal('conflict', rule('inbox_archived'))
}

/**
 * Creates an inbox; for the command line and the console. An email inbox needs an address, the other channels have none. Throws
 * `invalid_request` for a bad name, channel or address, `conflict` when any inbox has the address, another tenant's
 * too, or takes the mail to it: incoming mail could not be told apart.
 */
export async function createInbox(
  tx: Tx,
  caller: Caller,
  input: { name: string; channel: string; emailAddress?: string | null | undefined },
): Promise<Inbox> {
  const channel = channels.find((known) => known === input.channel)
  if (!channel) throw invalid('channel', rule('one_of', { choices: channels.join(', ') }))
  const at = formatTime(caller.at)
  const inbox: Inbox = {
    id: newId(caller.at),
    name: checkName(input.name),
    channel,
    emailAddress: checkAddress(channel, input.emailAddress),
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  if (inbox.emailAddress !== null) await requireFree(tx, caller.tenantId, inbox.emailAddress)
  const inserted = await tx
    .insert(inboxes)
    .values({ ...inbox, tenantId: caller.tenantId })
    .onConflictDoNothing({ target: inboxes.emailAddress })
    .returning({ id: inboxes.id })
  if (inserted.length === 0) throw addressTaken()
  await audit(tx, caller, 'inbox.created', inbox.id)
  return inbox
}

/**
 * Renames an inbox, or gives it another address; what is left out stays. From then on mail to the old address is refused, and
 * answers go out from the new one. For admins. Throws `not_found`, and as `createInbox`.
 */
export async function updateInbox(
  tx: Tx,
  caller: Caller,
  id: string,
  input: { name?: string | undefined; emailAddress?: string | undefined },
): Promise<Inbox> {
  const { tenantId } = caller
  const before = await getInbox(tx, tenantId, id)
  const name = input.name === undefined ? before.name : checkName(input.name)
  const emailAddress =
    input.emailAddress === undefined ? before.emailAddress : checkAddress(before.channel, input.emailAddress)
  const fields = [
    ...(name === before.name ? [] : ['name']),
    ...(emailAddress === before.emailAddress ? [] : ['emailAddress']),
  ]
  if (fields.length === 0) return before
  if (emailAddress !== null && emailAddress !== before.emailAddress) {
    await requireFree(tx, tenantId, emailAddress, before.id)
  }
  await write(tx, caller, before.id, { name, emailAddress })
  await audit(tx, caller, 'inbox.updated', before.id, fields)
  return getInbox(tx, tenantId, before.id)
}

/**
 * Retires an inbox: nothing new begins there, mail to it is refused (550), and its mailbox is no longer read. Its tickets stay
 * where they are; they are read, worked on and answered from its address as before. For admins. Throws `not_found`.
 */
export async function archiveInbox(tx: Tx, caller: Caller, id: string): Promise<Inbox> {
  const before = await getInbox(tx, caller.tenantId, id)
  if (before.archivedAt !== null) return before
  await write(tx, caller, before.id, { archivedAt: formatTime(caller.at) })
  await audit(tx, caller, 'inbox.archived', before.id)
  return getInbox(tx, caller.tenantId, before.id)
}

/** Puts an archived inbox into use again. For admins. Throws `not_found`. */
export async function restoreInbox(tx: Tx, caller: Caller, id: string): Promise<Inbox> {
  const before = await getInbox(tx, caller.tenantId, id)
  if (before.archivedAt === null) return before
  await write(tx, caller, before.id, { archivedAt: null })
  await audit(tx, caller, 'inbox.restored', before.id)
  return getInbox(tx, caller.tenantId, before.id)
}

/** Deletes an inbox to which nothing belongs any more: `deleteInbox` of the channels sees to that. */
export async function removeInbox(tx: Tx, caller: Caller, id: string): Promise<void> {
  await tx.delete(inboxes).where(and(ofTenant(inboxes, caller.tenantId), eq(inboxes.id, id)))
  await audit(tx, caller, 'inbox.deleted', id)
}

async function write(
  tx: Tx,
  { tenantId, at }: Caller,
  id: string,
  changes: Partial<Pick<Inbox, 'name' | 'emailAddress' | 'archivedAt'>>,
): Promise<void> {
  await tx
    .update(inboxes)
    .set({ ...changes, updatedAt: formatTime(at) })
    .where(and(ofTenant(inboxes, tenantId), eq(inboxes.id, id)))
}

/**
 * Throws `conflict` for another spelling of an inbox's address, and for one that belongs to another tenant's: mail to
 * `help+anything@acme.test` is for whoever has `help@acme.test`.
 */
async function requireFree(tx: Tx, tenantId: string, address: string, ownId?: string): Promise<void> {
  const taken = await inboxesOf(tx, address)
  if (!taken || taken.id === ownId) return
  if (taken.tenantId !== tenantId || comparable(taken.emailAddress) === comparable(address)) throw addressTaken()
}

function addressTaken(): AppError {
  return refusal('conflict', rule('inbox_taken'))
}

function checkAddress(channel: Inbox['channel'], address: string | null | undefined): string | null {
  if (channel !== 'email') {
    if (address) throw invalid('emailAddress', rule('inbox_no_address', { channel }))
    return null
  }
  const emailAddress = normaliseEmail(address ?? '')
  if (!isEmail(emailAddress)) throw invalid('emailAddress', rule('email_needed'))
  return emailAddress
}
