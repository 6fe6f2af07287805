import { and, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { inboxes } from '../db/schema.ts'
import { type AppError, invalid, refusal, rule } from '../errors.ts'
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
  createdAt: inboxes.createdAt,
  updatedAt: inboxes.updatedAt,
}

/** All inboxes of the tenant, newest first. */
export async function listInboxes(db: Reader, tenantId: string): Promise<Inbox[]> {
  return db.select(inboxRow).from(inboxes).where(ofTenant(inboxes, tenantId)).orderBy(desc(inboxes.id))
}

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
 * Throws `conflict` for another spelling of an inbox's address, and for one that belongs to another tenant's: mail to
 * `help+anything@acme.test` is for whoever has `help@acme.test`.
 */
async function requireFree(tx: Tx, tenantId: string, address: string): Promise<void> {
  const taken = await inboxesOf(tx, address)
  if (!taken) return
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
