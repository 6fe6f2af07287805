import { and, count, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/lists/keyset.ts'
import { contacts, organisations } from '../db/schema.ts'
import { invalid, notFound, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { isDomain } from '../lib/input/email.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import type { Organisation } from './model.ts'

/** For the reads of this folder. */
export const selectOrganisations = (db: Reader) =>
  db
    .select({
      id: organisations.id,
      name: organisations.name,
      domain: organisations.domain,
      contactCount: sql<number>`${db
        .select({ count: count() })
        .from(contacts)
        .where(and(eq(contacts.tenantId, organisations.tenantId), eq(contacts.organisationId, organisations.id)))}`,
      createdAt: organisations.createdAt,
      updatedAt: organisations.updatedAt,
    })
    .from(organisations)

const organisationList = keysetList({
  name: 'organisations',
  select: selectOrganisations,
  tenantId: organisations.tenantId,
  key: organisations.id,
  keyOf: (row) => row.id,
  filters: { domain: (value) => eq(organisations.domain, value) },
})

/** A page of organisations, newest first. Throws `invalid_request` for a foreign cursor. */
export async function listOrganisations(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  filters: { domain?: string | undefined },
): Promise<{ items: Organisation[]; nextCursor: string | null }> {
  const domain = filters.domain?.trim().toLowerCase()
  const { rows, nextCursor } = await organisationList(db, tenantId, page, { domain })
  return { items: rows, nextCursor }
}

const namesOfTenant = prepared((db) =>
  db
    .select({ id: organisations.id, name: organisations.name })
    .from(organisations)
    .where(ofTenant(organisations))
    .orderBy(desc(organisations.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** The newest organisations, `limit` at most, by their names alone: to choose one of. */
export async function listOrganisationNames(
  db: Reader,
  tenantId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return namesOfTenant(db).execute({ tenantId, limit })
}

/** The names of organisations, by their ids. */
export async function organisationNamesOf(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: organisations.id, name: organisations.name })
    .from(organisations)
    .where(and(ofTenant(organisations, tenantId), isOneOf(db, organisations.id, JSON.stringify(ids))))
  return new Map(found.map(({ id, name }) => [id, name]))
}

const organisationById = prepared((db) =>
  selectOrganisations(db)
    .where(and(ofTenant(organisations), eq(organisations.id, sql.placeholder('id'))))
    .prepare(),
)

/** One organisation. Throws `not_found`. */
export async function getOrganisation(db: Reader, tenantId: string, id: string): Promise<Organisation> {
  const [organisation] = await organisationById(db).execute({ tenantId, id })
  if (!organisation) throw notFound('organisation')
  return organisation
}

/**
 * An organisation, which contacts created later with an email of its domain join by themselves (decisions §7). Throws
 * `invalid_request` for a bad name or domain.
 */
export async function createOrganisation(
  tx: Tx,
  caller: Caller,
  input: { name: string; domain?: string | null | undefined },
): Promise<Organisation> {
  const id = newId(caller.at)
  const at = formatTime(caller.at)
  await tx.insert(organisations).values({
    tenantId: caller.tenantId,
    id,
    name: checkName(input.name),
    domain: input.domain ? checkDomain(input.domain) : null,
    createdAt: at,
    updatedAt: at,
  })
  await audit(tx, caller, 'organisation.created', id)
  return getOrganisation(tx, caller.tenantId, id)
}

/** The domain in small letters. Throws `invalid_request`. */
export function checkDomain(text: string): string {
  const domain = text.trim().toLowerCase()
  if (!isDomain(domain)) throw invalid('domain', rule('domain'))
  return domain
}
