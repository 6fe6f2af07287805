import { and, asc, eq, exists, gt, gte, isNotNull, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/index.ts'
import { isOneOf, ofTenant } from '../db/index.ts'
import { openCursor } from '../db/lists/cursor.ts'
import { keysetList, type PageRequest } from '../db/lists/keyset.ts'
import { type After, type LookedAt, pageOfRanges, rowsBehind } from '../db/lists/ranges.ts'
import { contactGroups, contacts } from '../db/schema.ts'
import { firstIdAt, inOrderOf } from '../lib/ids.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import { END, spellings } from '../lib/text/search-range.ts'
import type { Contact } from './model.ts'
import { listContacts } from './read.ts'
import { contactRow, toContacts } from './rows.ts'

/** Whom people and programs look for. */
export interface ContactSearch {
  /** How their email, first name or last name begins; or one of both names and the beginning of the other. */
  readonly text?: string | undefined
  readonly groupId?: number | undefined
  readonly organisationId?: string | undefined
  readonly unsubscribed?: boolean | undefined
  /** Exactly this address, and changed at this time or later: not together with a group. */
  readonly email?: string | undefined
  readonly since?: string | undefined
  /** When they were created, in milliseconds since 1970: at the one or later, and before the other. */
  readonly createdFrom?: number | undefined
  readonly createdUntil?: number | undefined
}

const memberList = keysetList({
  name: 'members',
  select: (db) =>
    db
      .select(contactRow(db))
      .from(contactGroups)
      .innerJoin(
        contacts,
        and(eq(contacts.tenantId, contactGroups.tenantId), eq(contacts.id, contactGroups.contactId)),
      ),
  tenantId: contactGroups.tenantId,
  key: contactGroups.contactId,
  keyOf: (row) => row.id,
  filters: {
    groupId: (value) => eq(contactGroups.groupId, value),
    // Not by indexes of theirs: members come in the order of the group's.
    organisationId: (value) => sql`coalesce(${contacts.organisationId}, '') = ${value}`,
    unsubscribed: (value) => sql`CASE WHEN ${contacts.unsubscribed} THEN 1 ELSE 0 END = ${value}`,
    firstId: (value) => gte(contactGroups.contactId, value),
    endId: (value) => lt(contactGroups.contactId, value),
  },
  within: ['groupId'],
})

/**
 * A page of the contacts that fit: newest first, or with `text` by what begins with it, emails before first names before
 * last names, each from A to Z. Capitals do not matter. With `text`, a page may be short and still be followed by others: see
 * `pageOfRanges`. Throws `invalid_request` for a cursor of another search.
 */
export async function searchContacts(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  { text = '', createdFrom, createdUntil, ...others }: ContactSearch,
): Promise<{ items: Contact[]; nextCursor: string | null }> {
  const wanted = text.trim().replace(/\s+/g, ' ')
  const filters = {
    ...others,
    firstId: createdFrom === undefined ? undefined : firstIdAt(createdFrom),
    endId: createdUntil === undefined ? undefined : firstIdAt(createdUntil),
  }
  if (wanted !== '') return findByText(db, tenantId, page, wanted, filters)
  if (filters.groupId === undefined) return listContacts(db, tenantId, page, filters)
  const { rows, nextCursor } = await memberList(db, tenantId, page, filters)
  return { items: await toContacts(db, tenantId, rows), nextCursor }
}

/** What a search asks for besides a text. */
type Filters = Pick<ContactSearch, 'groupId' | 'organisationId' | 'unsubscribed' | 'email' | 'since'> & {
  readonly firstId: string | undefined
  readonly endId: string | undefined
}

type Field = 'email' | 'name' | 'lastName'

/** What each field is looked for by: as an index has it, in small letters as far as A to Z go. */
const keys: Record<Field, SQL<string>> = {
  email: sql<string>`${contacts.normalisedEmail}`,
  name: sql<string>`lower(${contacts.name})`,
  lastName: sql<string>`lower(${contacts.lastName})`,
}
const columns = { email: contacts.normalisedEmail, name: contacts.name, lastName: contacts.lastName }

/** Those whose `field` begins with `prefix`: one range of one index. */
interface Range {
  readonly field: Field
  readonly prefix: string
  /** The whole first name, where the prefix is that of a last name. */
  readonly firstName?: string
  /** How the first name begins, where the prefix is a whole last name. */
  readonly firstNamePrefix?: string
}

/** The next text that an email can be. */
const NEXT = '\u0001'

async function findByText(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  text: string,
  filters: Filters,
): Promise<{ items: Contact[]; nextCursor: string | null }> {
  const owner = ['contact search', tenantId, JSON.stringify([text, filters])].join('/')
  const ranges = rangesOf(text)
  if (filters.email !== undefined) {
    if (page.cursor !== undefined) openCursor(page.cursor, owner)
    return { items: await ofEmail(db, tenantId, ranges, filters), nextCursor: null }
  }
  const { ids, nextCursor } = await pageOfRanges(page, owner, ranges.length, (range, after, most) =>
    lookIn(db, tenantId, ranges, range, after, most, filters),
  )
  const rows = await db
    .select(contactRow(db))
    .from(contacts)
    .where(and(ofTenant(contacts, tenantId), isOneOf(db, contacts.id, JSON.stringify(ids))))
  return { items: await toContacts(db, tenantId, inOrderOf(ids, rows)), nextCursor }
}

/** The one contact of an address, if it is found by the text as well. */
async function ofEmail(db: Reader, tenantId: string, ranges: readonly Range[], filters: Filters): Promise<Contact[]> {
  const rows = await db
    .select(contactRow(db))
    .from(contacts)
    .where(
      and(
        ofTenant(contacts, tenantId),
        eq(contacts.normalisedEmail, normaliseEmail(filters.email ?? '')),
        sql`${fitting(db, or(...ranges.map(inside)), filters)} = 1`,
      ),
    )
  return toContacts(db, tenantId, rows)
}

/** The ranges in which to look. A text of two words is a last name of two, or a first and a last name in either order. */
function rangesOf(text: string): Range[] {
  const ranges: Range[] = text.includes(' ') ? [] : [{ field: 'email', prefix: text.toLowerCase() }]
  for (const field of ['name', 'lastName'] as const)
    ranges.push(...spellings(text).map((prefix) => ({ field, prefix })))
  const split = text.lastIndexOf(' ')
  if (split < 0) return ranges
  for (const firstName of spellings(text.slice(0, split))) {
    for (const prefix of spellings(text.slice(split + 1))) ranges.push({ field: 'lastName', prefix, firstName })
  }
  for (const prefix of spellings(text.slice(0, split).replace(/,$/, ''))) {
    for (const firstNamePrefix of spellings(text.slice(split + 1))) {
      ranges.push({ field: 'lastName', prefix, firstNamePrefix })
    }
  }
  return ranges
}

/** Rows of a range behind one: those fit that no range before it has, and that fit the filters. */
async function lookIn(
  db: Reader,
  tenantId: string,
  ranges: readonly Range[],
  index: number,
  after: After,
  most: number,
  filters: Filters,
): Promise<LookedAt[]> {
  const range = ranges[index] as Range
  const { field, prefix } = range
  const key = keys[field]
  const fits = fitting(db, and(firstNameIn(range), ...ranges.slice(0, index).map(outside)), filters)
  const select = (...where: SQL[]) =>
    db
      .select({ key: key.as('key'), id: contacts.id, fits: fits.as('fits') })
      .from(contacts)
      .where(and(ofTenant(contacts, tenantId), isNotNull(columns[field]), ...where))
  // Nobody else has somebody's address.
  const isEmail = field === 'email'
  const order = isEmail ? [asc(key)] : [asc(key), asc(contacts.id)]
  const rows = await rowsBehind(
    after,
    most,
    async (same, id, limit) =>
      isEmail ? [] : select(eq(key, same), gt(contacts.id, id)).orderBy(asc(contacts.id)).limit(limit),
    (behind, limit) =>
      select(behind === null ? gte(key, prefix) : gt(key, behind), lt(key, endOf(range)))
        .orderBy(...order)
        .limit(limit),
  )
  return rows.map((row) => ({ ...row, fits: Number(row.fits) === 1 }))
}

/** 1 for a contact to which `condition` and the filters apply: looked at row by row, so that no filter decides the order. */
function fitting(
  db: Reader,
  condition: SQL | undefined,
  { groupId, organisationId, unsubscribed, since, firstId, endId }: Filters,
): SQL<number> {
  const all = and(
    condition,
    groupId === undefined ? undefined : exists(membershipIn(db, groupId)),
    organisationId === undefined ? undefined : sql`${organisationId} = ${contacts.organisationId}`,
    unsubscribed === undefined
      ? undefined
      : sql`${Number(unsubscribed)} = CASE WHEN ${contacts.unsubscribed} THEN 1 ELSE 0 END`,
    since === undefined ? undefined : gte(contacts.updatedAt, since),
    firstId === undefined ? undefined : gte(contacts.id, firstId),
    endId === undefined ? undefined : lt(contacts.id, endId),
  )
  return all === undefined ? sql<number>`1` : sql<number>`CASE WHEN ${all} THEN 1 ELSE 0 END`
}

/** After the last key of a range: of a whole last name that alone. */
function endOf({ prefix, firstNamePrefix }: Range): string {
  return prefix + (firstNamePrefix === undefined ? END : NEXT)
}

function firstNameIn({ firstName, firstNamePrefix }: Range): SQL | undefined {
  if (firstName !== undefined) return eq(keys.name, firstName)
  if (firstNamePrefix === undefined) return
  return and(gte(keys.name, firstNamePrefix), lt(keys.name, firstNamePrefix + END))
}

function inside(range: Range): SQL | undefined {
  const key = keys[range.field]
  return and(isNotNull(columns[range.field]), gte(key, range.prefix), lt(key, endOf(range)), firstNameIn(range))
}

function outside(range: Range): SQL | undefined {
  const { field, prefix } = range
  const firstName = firstNameIn(range)
  return or(
    isNull(columns[field]),
    lt(keys[field], prefix),
    gte(keys[field], endOf(range)),
    firstName && or(isNull(columns.name), not(firstName)),
  )
}

function membershipIn(db: Reader, groupId: number) {
  return db
    .select({ one: sql`1` })
    .from(contactGroups)
    .where(
      and(
        eq(contactGroups.tenantId, contacts.tenantId),
        eq(contactGroups.contactId, contacts.id),
        eq(contactGroups.groupId, groupId),
      ),
    )
}
