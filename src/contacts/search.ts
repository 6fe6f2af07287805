import { and, asc, eq, exists, gte, isNotNull, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import { openCursor, sealCursor } from '../db/cursor.ts'
import type { Reader } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/keyset.ts'
import { contactGroups, contacts } from '../db/schema.ts'
import { firstIdAt } from '../lib/ids.ts'
import { END, spellings } from '../lib/text/search-range.ts'
import type { Contact } from './model.ts'
import { listContacts } from './read.ts'
import { contactRow, toContacts } from './rows.ts'

/** Whom the console looks for. */
export interface ContactSearch {
  /** How their email, first name or last name begins; or one of both names and the beginning of the other. */
  readonly text?: string | undefined
  readonly groupId?: number | undefined
  readonly organisationId?: string | undefined
  readonly unsubscribed?: boolean | undefined
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
 * last names, each from A to Z. Capitals do not matter. Throws `invalid_request` for a cursor of another search.
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
type Filters = Pick<ContactSearch, 'groupId' | 'organisationId' | 'unsubscribed'> & {
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
  const start: Position = page.cursor === undefined ? [0, null, ''] : readPosition(openCursor(page.cursor, owner))
  const found: { range: number; key: string; row: RangeRow }[] = []
  for (let range = start[0]; range < ranges.length && found.length <= page.limit; range++) {
    const after = range === start[0] ? start : ([range, null, ''] as const)
    const rows = await readRange(db, tenantId, ranges, after, page.limit + 1 - found.length, filters)
    found.push(...rows.map(({ key, ...row }) => ({ range, key, row })))
  }
  const shown = found.slice(0, page.limit)
  const last = shown.at(-1)
  const position = last && Buffer.from(JSON.stringify([last.range, last.key, last.row.id])).toString('base64url')
  const items = await toContacts(
    db,
    tenantId,
    shown.map(({ row }) => row),
  )
  return { items, nextCursor: position && found.length > page.limit ? sealCursor(position, owner) : null }
}

/** Which range, and the key and id of the last that was shown of it, null for none. */
type Position = readonly [range: number, key: string | null, id: string]

function readPosition(text: string): Position {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
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

/** The rows of a range from a position on, without those that a range before it has. */
async function readRange(
  db: Reader,
  tenantId: string,
  ranges: readonly Range[],
  [index, afterKey, afterId]: Position,
  limit: number,
  { groupId, organisationId, unsubscribed, firstId, endId }: Filters,
) {
  const range = ranges[index] as Range
  const { field, prefix } = range
  const key = keys[field]
  const isEmail = field === 'email'
  const from = isEmail
    ? gte(key, afterKey === null ? prefix : afterKey + NEXT)
    : sql`(${key}, ${contacts.id}) > (${afterKey ?? prefix}, ${afterId})`
  return db
    .select({ ...contactRow(db), key: key.as('key') })
    .from(contacts)
    .where(
      and(
        ofTenant(contacts, tenantId),
        isNotNull(columns[field]),
        from,
        lt(key, endOf(range)),
        firstNameIn(range),
        ...ranges.slice(0, index).map(outside),
        groupId === undefined ? undefined : exists(membershipIn(db, groupId)),
        organisationId === undefined ? undefined : eq(contacts.organisationId, organisationId),
        unsubscribed === undefined ? undefined : eq(contacts.unsubscribed, unsubscribed),
        firstId === undefined ? undefined : gte(contacts.id, firstId),
        endId === undefined ? undefined : lt(contacts.id, endId),
      ),
    )
    .orderBy(...(isEmail ? [asc(key)] : [asc(key), asc(contacts.id)]))
    .limit(limit)
}

type RangeRow = Omit<Awaited<ReturnType<typeof readRange>>[number], 'key'>

/** After the last key of a range: of a whole last name that alone. */
function endOf({ prefix, firstNamePrefix }: Range): string {
  return prefix + (firstNamePrefix === undefined ? END : NEXT)
}

function firstNameIn({ firstName, firstNamePrefix }: Range): SQL | undefined {
  if (firstName !== undefined) return eq(keys.name, firstName)
  if (firstNamePrefix === undefined) return
  return and(gte(keys.name, firstNamePrefix), lt(keys.name, firstNamePrefix + END))
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
