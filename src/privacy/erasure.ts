import { and, count, eq, inArray, type SQL } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { deleteQuarantinedFrom, quarantinedFrom } from '../channels/email/quarantined-from.ts'
import { idsOfContact } from '../contacts/merged.ts'
import { removeContact } from '../contacts/operations.ts'
import { getContact } from '../contacts/read.ts'
import { type Database, ofTenant, type Reader, type Tx } from '../db/index.ts'
import { attachments, messages, receivedMails, responses, tickets, uploads } from '../db/schema.ts'
import { eventsTellingOf } from '../events/erasure.ts'
import { endOfLog } from '../events/log.ts'
import { BEGINNING, type Place } from '../events/places.ts'
import type { FileName } from '../files/names.ts'
import { deleteResponsesOfContact } from '../responses/deletion.ts'
import { isMoreUnfinishedThan, unfinishedOfAddress } from '../responses/lists/of-address.ts'
import { eraseTicket } from '../tickets/deletion/erasure.ts'
import { deleteChatUploadsOf } from '../uploads/of-chats.ts'
import { chatsOfContact, deleteVisitorsOfContact, visitorsOfContact } from '../visitors/of-contact.ts'
import { forgetEvents } from '../webhooks/forgetting.ts'

/** Tickets, and responses, that are deleted in one transaction: other writers wait meanwhile. */
const STEP = 20

/** What there is of one person. */
export interface PersonCounts {
  readonly tickets: number
  readonly messages: number
  /** Mails as they came, those that could not be understood among them. */
  readonly mails: number
  readonly responses: number
  /** That came with messages or answers. */
  readonly files: number
  /** As whom they chatted. */
  readonly visitors: number
}

/**
 * Counts what `erasePerson` deletes. What was left unfinished is counted by `countUnfinished`. Takes as long as there is much
 * of them. Throws `not_found`.
 */
export async function countPerson(db: Reader, tenantId: string, contactId: string): Promise<PersonCounts> {
  const { email } = await getContact(db, tenantId, contactId)
  const own = db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.contactId, contactId)))
  const theirs = and(ofTenant(messages, tenantId), inArray(messages.ticketId, own))
  const messageIds = db.select({ id: messages.id }).from(messages).where(theirs)
  const ofContact = and(ofTenant(responses, tenantId), eq(responses.contactId, contactId))
  const responseIds = db.select({ id: responses.id }).from(responses).where(ofContact)
  const counted = (table: Counted, where: SQL | undefined) => countIn(db, table, where)
  return {
    tickets: await counted(tickets, and(ofTenant(tickets, tenantId), eq(tickets.contactId, contactId))),
    messages: await counted(messages, theirs),
    mails:
      (await counted(
        receivedMails,
        and(ofTenant(receivedMails, tenantId), inArray(receivedMails.messageId, messageIds)),
      )) + (await quarantinedFrom(db, tenantId, email)).length,
    responses: await counted(responses, ofContact),
    files:
      (await counted(attachments, and(ofTenant(attachments, tenantId), inArray(attachments.messageId, messageIds)))) +
      (await counted(uploads, and(ofTenant(uploads, tenantId), inArray(uploads.responseId, responseIds)))),
    visitors: (await visitorsOfContact(db, tenantId, contactId)).length,
  }
}

/** Unfinished responses of a tenant, up to which a page that is only looked at goes through all of them. */
const MOST_LOOKED_THROUGH = 2_000

/**
 * Counts what `unfinishedOf` finds, and the files in it; null where people of the tenant have begun so much that it would keep
 * whoever asks waiting. Throws `not_found`.
 */
export async function countUnfinished(
  db: Reader,
  tenantId: string,
  contactId: string,
): Promise<{ responses: number; files: number } | null> {
  if (await isMoreUnfinishedThan(db, tenantId, MOST_LOOKED_THROUGH)) return null
  const unfinished = { responses: 0, files: 0 }
  for await (const ids of unfinishedOf(db, tenantId, contactId)) {
    unfinished.responses += ids.length
    unfinished.files += await countIn(db, uploads, and(ofTenant(uploads, tenantId), inArray(uploads.responseId, ids)))
  }
  return unfinished
}

type Counted =
  | typeof tickets
  | typeof messages
  | typeof receivedMails
  | typeof responses
  | typeof attachments
  | typeof uploads

async function countIn(db: Reader, table: Counted, where: SQL | undefined): Promise<number> {
  const [row] = await db.select({ count: count() }).from(table).where(where)
  return row?.count ?? 0
}

/**
 * Deletes a person with everything, some at a time: tickets with their messages, notes, mails and files, whatever
 * channel they came by, responses with their files, mails in quarantine, whom they chatted as, and in the end the
 * contact. No event tells of it, and with `eraseEvents` before no earlier one tells of them: then what came in behind
 * `eventsUpTo` since goes with the contact. The audit log, which holds ids alone, stays. Returns the files, which the caller removes
 * after the commit, and whether more is left: then it is to be called again; until then the contact is there. For admins
 * alone. Throws `not_found`.
 */
export async function erasePerson(
  tx: Tx,
  caller: Caller,
  contactId: string,
  eventsUpTo?: Place,
): Promise<{ files: FileName[]; isMore: boolean }> {
  const { tenantId } = caller
  const { email } = await getContact(tx, tenantId, contactId)
  const ticketIds = await someTickets(tx, tenantId, contactId)
  if (ticketIds.length > 0) {
    const files: FileName[] = []
    for (const id of ticketIds) if (await isThere(tx, tenantId, id)) files.push(...(await eraseTicket(tx, caller, id)))
    return { files, isMore: true }
  }
  const answered = await deleteResponsesOfContact(tx, caller, contactId, STEP)
  if (answered.isMore) return answered
  const mails = await deleteQuarantinedFrom(tx, tenantId, email)
  const visitorIds = (await visitorsOfContact(tx, tenantId, contactId)).map(({ id }) => id)
  const unsaid = await deleteChatUploadsOf(tx, tenantId, visitorIds)
  await deleteVisitorsOfContact(tx, tenantId, contactId)
  if (eventsUpTo) await eraseEventsBehind(tx, tenantId, contactId, eventsUpTo)
  await removeContact(tx, tenantId, contactId)
  await audit(tx, caller, 'contact.erased', contactId)
  return { files: [...answered.files, ...mails, ...unsaid], isMore: false }
}

/**
 * Takes what tells of a person out of the log of events, some at a time. What was given to webhooks stays with these. Returns
 * up to where the log was looked through. To be called before `erasePerson`.
 */
export async function eraseEvents(database: Database, tenantId: string, contactId: string): Promise<Place> {
  const { db } = database
  const end = await endOfLog(db, tenantId)
  for (const id of await idsOfContact(db, tenantId, contactId)) {
    for (let after: Place | null = BEGINNING; after !== null; ) {
      const { numbers, next } = await eventsTellingOf(db, { tenantId, contactId: id }, after)
      if (numbers.length > 0) await database.transaction((tx) => forgetEvents(tx, tenantId, numbers))
      // Requests are read in between.
      await new Promise(setImmediate)
      after = next
    }
  }
  return end
}

/**
 * The responses that a person has begun with their address, and that are nobody's before they are completed: their ids, some
 * at a time, for `deletePartials`. To be called before `erasePerson`. Throws `not_found`.
 */
export async function* unfinishedOf(db: Reader, tenantId: string, contactId: string): AsyncGenerator<string[]> {
  const { email } = await getContact(db, tenantId, contactId)
  if (email === null) return
  let some: string[] = []
  for await (const id of unfinishedOfAddress(db, tenantId, email)) {
    some.push(id)
    if (some.length < STEP) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

async function eraseEventsBehind(tx: Tx, tenantId: string, contactId: string, behind: Place): Promise<void> {
  for (let after: Place | null = behind; after !== null; ) {
    const { numbers, next } = await eventsTellingOf(tx, { tenantId, contactId }, after)
    await forgetEvents(tx, tenantId, numbers)
    after = next
  }
}

async function someTickets(tx: Tx, tenantId: string, contactId: string): Promise<string[]> {
  const own = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.contactId, contactId)))
    .limit(STEP)
  return own.length > 0 ? own.map(({ id }) => id) : chatsOfContact(tx, tenantId, contactId, STEP)
}

/** One that was merged into another goes with that one. */
async function isThere(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.id, id)))
  return found.length > 0
}
