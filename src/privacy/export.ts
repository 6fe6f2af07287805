import { listConsent } from '../audit/consent.ts'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { quarantinedFrom } from '../channels/email/quarantined-from.ts'
import { idsOfContact } from '../contacts/merged.ts'
import { getContact } from '../contacts/read.ts'
import { findGroupOfConsent } from '../contacts/rows.ts'
import type { Reader, Tx } from '../db/index.ts'
import { getOrganisation } from '../organisations/operations.ts'
import { responsesOfAddress, responsesOfContact } from '../responses/lists/of-contact.ts'
import { listTicketsOfContact } from '../tickets/read.ts'
import { listMessages } from '../tickets/thread/public-thread.ts'
import { visitorsOfContact } from '../visitors/of-contact.ts'

const STEP = 100

/** Notes that everything of a contact was handed out. Throws `not_found`. */
export async function noteExport(tx: Tx, caller: Caller, contactId: string): Promise<void> {
  await getContact(tx, caller.tenantId, contactId)
  await audit(tx, caller, 'contact.exported', contactId)
}

/**
 * Everything there is of one person, as the text of one JSON object in pieces: the contact and its organisation, when
 * they were subscribed and unsubscribed, joined and left groups, responses to all forms, tickets with their messages, as whom
 * they chatted, and mails of theirs that could not be understood, all newest first; and what was begun to be answered with
 * their address. Internal notes and what integrations were sent are no part of it; of attachments what they are, not what
 * they hold. Throws `not_found`.
 */
export async function* exportContact(db: Reader, tenantId: string, contactId: string): AsyncGenerator<string> {
  const contact = await getContact(db, tenantId, contactId)
  const { organisationId } = contact
  const organisation = organisationId === null ? null : await getOrganisation(db, tenantId, organisationId)
  yield `{"contact":${JSON.stringify(contact)},\n"organisation":${JSON.stringify(organisation?.name ?? null)},\n"consent":`
  yield* list(consentOf(db, tenantId, contactId))
  yield ',\n"responses":'
  yield* list(texts(responsesOfContact(db, tenantId, contactId)))
  yield ',\n"unfinishedResponses":'
  yield* list(texts(begunBy(db, tenantId, contact.email)))
  yield ',\n"tickets":'
  yield* list(ticketsOf(db, tenantId, contactId))
  yield `,\n"chats":${JSON.stringify(await visitorsOfContact(db, tenantId, contactId))}`
  yield `,\n"quarantinedMails":${JSON.stringify(await quarantinedFrom(db, tenantId, contact.email))}}\n`
}

/** A JSON array of `items`, which are JSON themselves. */
async function* list(items: AsyncGenerator<string>): AsyncGenerator<string> {
  yield '['
  let isFirst = true
  for await (const item of items) {
    yield (isFirst ? '\n' : ',\n') + item
    isFirst = false
  }
  yield ']'
}

/** What they have begun to answer, though no contact is known of it. */
async function* begunBy(db: Reader, tenantId: string, email: string | null): AsyncGenerator<object> {
  if (email !== null) yield* responsesOfAddress(db, tenantId, email)
}

async function* texts(items: AsyncGenerator<object>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item)
}

async function* consentOf(db: Reader, tenantId: string, contactId: string): AsyncGenerator<string> {
  const ids = await idsOfContact(db, tenantId, contactId)
  let before: number | undefined
  for (;;) {
    const entries = await listConsent(db, tenantId, ids, { before, limit: STEP })
    for (const { at, isGiven, groupId } of entries) {
      if (groupId === null) yield JSON.stringify({ at, subscribed: isGiven })
      else yield JSON.stringify({ at, group: await findGroupOfConsent(db, tenantId, groupId), joined: isGiven })
    }
    if (entries.length < STEP) return
    before = entries.at(-1)?.number
  }
}

async function* ticketsOf(db: Reader, tenantId: string, contactId: string): AsyncGenerator<string> {
  let before: string | undefined
  for (;;) {
    const tickets = await listTicketsOfContact(db, tenantId, contactId, { before, limit: STEP })
    for (const ticket of tickets) {
      const messages: object[] = []
      for await (const message of messagesOf(db, tenantId, ticket.id)) messages.push(message)
      yield JSON.stringify({ ...ticket, messages })
    }
    if (tickets.length < STEP) return
    before = tickets.at(-1)?.id
  }
}

async function* messagesOf(db: Reader, tenantId: string, ticketId: string): AsyncGenerator<object> {
  for (let cursor: string | undefined; ; ) {
    const page = await listMessages(db, tenantId, ticketId, { cursor, limit: STEP })
    yield* page.items
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}
