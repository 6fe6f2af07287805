import { and, asc, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, type Reader } from '../db/index.ts'
import type { PageRequest } from '../db/lists/keyset.ts'
import { pageOfRanges, rowsBehind } from '../db/lists/ranges.ts'
import { organisations } from '../db/schema.ts'
import { inOrderOf } from '../lib/ids.ts'
import { END, spellings } from '../lib/text/search-range.ts'
import type { Organisation } from './model.ts'
import { listOrganisations, selectOrganisations } from './operations.ts'

/** As the index has it. */
const nameKey = sql<string>`lower(${organisations.name})`

/** A page of the organisations that fit: newest first, or with `text` as `searchOrganisations` finds them. */
export function findOrganisations(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  { text, domain }: { text?: string | undefined; domain?: string | undefined },
): Promise<{ items: Organisation[]; nextCursor: string | null }> {
  if (text === undefined || text === '') return listOrganisations(db, tenantId, page, { domain })
  return searchOrganisations(db, tenantId, page, { text, domain })
}

/**
 * A page of the organisations whose name begins with `text`, whatever its capitals, from A to Z. A page may be short and still
 * be followed by others: see `pageOfRanges`. Throws `invalid_request` for a cursor of another search.
 */
async function searchOrganisations(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  { text, domain }: { text: string; domain?: string | undefined },
): Promise<{ items: Organisation[]; nextCursor: string | null }> {
  const prefixes = spellings(text.trim().replace(/\s+/g, ' '))
  const owner = ['organisation search', tenantId, JSON.stringify([prefixes, domain])].join('/')
  const wanted = domain?.trim().toLowerCase()
  const select = (...where: SQL[]) =>
    db
      .select({ key: nameKey.as('key'), id: organisations.id, domain: organisations.domain })
      .from(organisations)
      .where(and(ofTenant(organisations, tenantId), ...where))
  const { ids, nextCursor } = await pageOfRanges(page, owner, prefixes.length, async (range, after, most) => {
    const prefix = prefixes[range] as string
    const found = await rowsBehind(
      after,
      most,
      (key, id, limit) =>
        select(eq(nameKey, key), gt(organisations.id, id)).orderBy(asc(organisations.id)).limit(limit),
      (behind, limit) =>
        select(behind === null ? gte(nameKey, prefix) : gt(nameKey, behind), lt(nameKey, prefix + END))
          .orderBy(asc(nameKey), asc(organisations.id))
          .limit(limit),
    )
    return found.map((row) => ({ ...row, fits: wanted === undefined || row.domain === wanted }))
  })
  const rows = await selectOrganisations(db).where(
    and(ofTenant(organisations, tenantId), isOneOf(db, organisations.id, JSON.stringify(ids))),
  )
  return { items: inOrderOf(ids, rows), nextCursor }
}

/** The oldest organisation of exactly that name, whatever its capitals, or null. */
export async function findOrganisationId(db: Reader, tenantId: string, name: string): Promise<string | null> {
  const wanted = name.trim().toLowerCase()
  const found = await Promise.all(
    spellings(wanted).map((spelling) =>
      db
        .select({ id: organisations.id })
        .from(organisations)
        .where(and(ofTenant(organisations, tenantId), sql`${nameKey} = ${spelling}`))
        .orderBy(asc(organisations.id))
        .limit(1),
    ),
  )
  return found.flat()[0]?.id ?? null
}
