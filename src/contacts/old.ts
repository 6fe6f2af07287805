import { and, eq, type SQL, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader } from '../db/index.ts'
import { endOfPage, oldRows, oldRowsBehind } from '../db/lists/old-rows.ts'
import { contacts, conversations, receivedMails, responses, tickets, visitors } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/*
 * Contacts that a tenant keeps for a while only (decisions §22): those with whom nothing is left, no ticket, no response, no chat
 * and no mail in quarantine, and of whom nobody has changed anything since. For `retention/`.
 */

/** Contacts that are looked at in one query. */
const PAGE = 200

const has = (condition: SQL) => sql`EXISTS (${condition})`

const hasTicket = has(
  sql`SELECT 1 FROM ${tickets} WHERE ${and(ofTenant(tickets, contacts.tenantId), eq(tickets.contactId, contacts.id))}`,
)
const hasResponse = has(
  sql`SELECT 1 FROM ${responses} WHERE ${and(ofTenant(responses, contacts.tenantId), eq(responses.contactId, contacts.id))}`,
)
const hasChat = has(sql`SELECT 1 FROM ${visitors}
  JOIN ${conversations} ON ${and(ofTenant(conversations, visitors.tenantId), eq(conversations.visitorId, visitors.id))}
  WHERE ${and(ofTenant(visitors, contacts.tenantId), eq(visitors.contactId, contacts.id))}`)
const hasMail = has(sql`SELECT 1 FROM ${receivedMails}
  WHERE ${and(ofTenant(receivedMails, contacts.tenantId), sql`outcome = 'quarantined'`, eq(receivedMails.fromAddress, contacts.normalisedEmail))}`)

const isNeeded = sql<boolean>`(${hasTicket} OR ${hasResponse} OR ${hasChat} OR ${hasMail})`

const byChange = oldRows(contacts.updatedAt, contacts.id)

const unchanged = prepared((db) =>
  db
    .select({ id: contacts.id, at: contacts.updatedAt, isNeeded: isNeeded.mapWith(Boolean) })
    .from(contacts)
    .where(and(ofTenant(contacts), ...byChange.conditions))
    .orderBy(...byChange.order)
    .limit(PAGE)
    .prepare(),
)

/** Such contacts, some at a time, behind the last of those before. `before` is in milliseconds since 1970. */
export async function oldContacts(db: Reader, tenantId: string, before: number, after: string | null) {
  const found = await unchanged(db).execute({ tenantId, ...oldRowsBehind(before, after) })
  return {
    ids: found.flatMap((contact) => (contact.isNeeded ? [] : [contact.id])),
    next: endOfPage(found, PAGE),
  }
}

/** Those of these that still are such. */
export async function stillOld(
  db: Reader,
  tenantId: string,
  before: number,
  ids: readonly string[],
): Promise<string[]> {
  const found = await db
    .select({ id: contacts.id, updatedAt: contacts.updatedAt, isNeeded: isNeeded.mapWith(Boolean) })
    .from(contacts)
    .where(and(ofTenant(contacts, tenantId), isOneOf(db, contacts.id, JSON.stringify(ids))))
  const time = formatTime(before)
  return found.flatMap((contact) => (contact.updatedAt <= time && !contact.isNeeded ? [contact.id] : []))
}
