import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { auditEntries, isConsent } from '../db/schema.ts'

/** That somebody took a contact into email sends or a group, or out of them. */
export interface ConsentEntry {
  readonly number: number
  readonly at: string
  readonly isGiven: boolean
  /** Null for email sends. */
  readonly groupId: number | null
  /** Who did it, as they were called then. */
  readonly authorName: string | null
}

const consentOfContact = prepared((db) =>
  db
    .select(
      named({
        number: auditEntries.number,
        at: auditEntries.at,
        action: auditEntries.action,
        fields: auditEntries.fields,
        authorName: auditEntries.authorName,
      }),
    )
    .from(auditEntries)
    .where(
      and(
        ofTenant(auditEntries),
        eq(auditEntries.recordId, sql.placeholder('contactId')),
        lt(auditEntries.number, sql.placeholder('before')),
        isConsent(auditEntries.action),
      ),
    )
    .orderBy(desc(auditEntries.number))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/**
 * What a contact agreed to and took back, newest first: the entries `before` one, `limit` at most. `contactIds` are those
 * under which something may have been noted of them (`contacts/merged.ts`).
 */
export async function listConsent(
  db: Reader,
  tenantId: string,
  contactIds: readonly string[],
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<ConsentEntry[]> {
  const found = await Promise.all(
    contactIds.map((contactId) => consentOfContact(db).execute({ tenantId, contactId, before, limit })),
  )
  return found
    .flat()
    .sort((a, b) => b.number - a.number)
    .slice(0, limit)
    .map(({ action, fields, ...entry }) => ({
      ...entry,
      isGiven: action === 'contact.subscribed' || action === 'contact.group_joined',
      groupId: fields === null ? null : Number(fields),
    }))
}
