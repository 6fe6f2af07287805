import { and, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { contactMerges } from '../db/schema.ts'

/* Which contact somebody is now, and who is in it. How they got there: `merging.ts`. */

const mergedInto = prepared((db) =>
  db
    .select(named({ id: contactMerges.contactId }))
    .from(contactMerges)
    .where(and(ofTenant(contactMerges), eq(contactMerges.intoId, sql.placeholder('intoId'))))
    .prepare(),
)

/** The ids under which something may have been noted of a contact: its own, and those of all that are this one now. */
export async function idsOfContact(db: Reader, tenantId: string, contactId: string): Promise<string[]> {
  const merged = await mergedInto(db).execute({ tenantId, intoId: contactId })
  return [contactId, ...merged.map(({ id }) => id)]
}

const mergeOf = prepared((db) =>
  db
    .select(named({ intoId: contactMerges.intoId }))
    .from(contactMerges)
    .where(and(ofTenant(contactMerges), eq(contactMerges.contactId, sql.placeholder('contactId'))))
    .prepare(),
)

/** The contact that a contact who is gone was merged into, or null. */
export async function findMergedInto(db: Reader, tenantId: string, contactId: string): Promise<string | null> {
  const [merge] = await mergeOf(db).execute({ tenantId, contactId })
  return merge?.intoId ?? null
}
