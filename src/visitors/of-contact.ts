import { and, desc, eq, inArray } from 'drizzle-orm'
import { ofTenant, type Reader, type Tx } from '../db/index.ts'
import { conversations, visitors } from '../db/schema.ts'

/** As whom a contact chatted, the newest first: what they said of themselves, and when. */
export async function visitorsOfContact(db: Reader, tenantId: string, contactId: string) {
  const { id, name, email, isVerified, wroteAt, createdAt } = visitors
  return db
    .select({ id, name, email, isVerified, wroteAt, createdAt })
    .from(visitors)
    .where(and(ofTenant(visitors, tenantId), eq(visitors.contactId, contactId)))
    .orderBy(desc(visitors.id))
}

/** The tickets that are chats of a contact's visitors, `limit` at most: whoever is named as their customer by now. */
export async function chatsOfContact(db: Reader, tenantId: string, contactId: string, limit: number) {
  const theirs = db
    .select({ id: visitors.id })
    .from(visitors)
    .where(and(ofTenant(visitors, tenantId), eq(visitors.contactId, contactId)))
  const found = await db
    .select({ id: conversations.ticketId })
    .from(conversations)
    .where(and(ofTenant(conversations, tenantId), inArray(conversations.visitorId, theirs)))
    .limit(limit)
  return found.map(({ id }) => id)
}

/** Forgets a contact's visitors, who have no conversation any more: their tokens open nothing from now on. */
export async function deleteVisitorsOfContact(tx: Tx, tenantId: string, contactId: string): Promise<void> {
  await tx.delete(visitors).where(and(ofTenant(visitors, tenantId), eq(visitors.contactId, contactId)))
}
