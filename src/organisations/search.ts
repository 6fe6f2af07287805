import { and, asc, gte, lt, sql } from 'drizzle-orm'
import { ofTenant, type Reader } from '../db/index.ts'
import { organisations } from '../db/schema.ts'
import { END, spellings } from '../lib/text/search-range.ts'
import type { Organisation } from './model.ts'
import { selectOrganisations } from './operations.ts'

/** As the index has it. */
const nameKey = sql<string>`lower(${organisations.name})`

/** The organisations whose name begins with `text`, whatever its capitals, from A to Z, `limit` at most. */
export async function findOrganisations(
  db: Reader,
  tenantId: string,
  text: string,
  limit: number,
): Promise<Organisation[]> {
  const ranges = await Promise.all(
    spellings(text.trim().replace(/\s+/g, ' ')).map((prefix) =>
      selectOrganisations(db)
        .where(and(ofTenant(organisations, tenantId), gte(nameKey, prefix), lt(nameKey, prefix + END)))
        .orderBy(asc(nameKey), asc(organisations.id))
        .limit(limit),
    ),
  )
  return ranges.flat().slice(0, limit)
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
