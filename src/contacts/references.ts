import { and, eq, isNull, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, remembered, type Tx } from '../db/index.ts'
import { groups, organisations } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'

/** The ids without repeats. Throws `invalid_request` when one is not a group of the tenant. */
export async function checkGroups(tx: Tx, tenantId: string, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const known = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(ofTenant(groups, tenantId), isNull(groups.deletedAt), isOneOf(tx, groups.id, JSON.stringify(ids))))
  const knownIds = new Set(known.map(({ id }) => id))
  for (const [index, group] of ids.entries()) {
    if (!knownIds.has(group)) throw invalid(`groupIds[${index}]`, rule('group_unknown', { group }))
  }
  return [...knownIds]
}

/** The id in small letters. Throws `invalid_request` when it is no organisation of the tenant. */
export async function checkOrganisation(tx: Tx, tenantId: string, anyCaseId: string): Promise<string> {
  const id = anyCaseId.toLowerCase()
  const [known] = await tx
    .select({ id: organisations.id })
    .from(organisations)
    .where(and(ofTenant(organisations, tenantId), eq(organisations.id, id)))
  if (!known) throw invalid('organisationId', rule('organisation_unknown'))
  return id
}

const organisationByDomain = prepared((db) =>
  db
    .select(named({ id: organisations.id }))
    .from(organisations)
    .where(and(ofTenant(organisations), eq(organisations.domain, sql.placeholder('domain'))))
    .orderBy(organisations.id)
    .limit(1)
    .prepare(),
)

/** By tenant and domain. That a domain is nobody's is remembered as well: most are. */
const organisationsOfDomain = remembered([organisations], (tx, place) => {
  const [tenantId, domain] = place.split(' ')
  return organisationByDomain(tx).execute({ tenantId, domain })
})

/** The oldest organisation of the domain, or null: what a new contact joins by itself (decisions §7). */
export async function organisationOfDomain(tx: Tx, tenantId: string, domain: string): Promise<string | null> {
  const [row] = await organisationsOfDomain(tx, `${tenantId} ${domain}`)
  return row?.id ?? null
}
