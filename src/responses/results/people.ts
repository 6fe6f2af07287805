import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { isAmong, named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { contactGroups, responses } from '../../db/schema.ts'
import { idBytes } from './columns/segment.ts'

/** Whose responses are meant: one contact's, or those of all in a group. */
export type Whose = { readonly contactId: string } | { readonly groupId: number }

/** Members whose responses are looked for at once. */
const MEMBERS = 2000

/** Not by its index: contacts have few responses, forms many. */
const isOfForm = sql`coalesce(${responses.formId}, '') = ${sql.placeholder('formId')}`

const ofContact = prepared((db) =>
  db
    .select(named({ id: responses.id }))
    .from(responses)
    .where(and(ofTenant(responses), eq(responses.contactId, sql.placeholder('contactId')), isOfForm))
    .prepare(),
)

const isMember = and(
  ofTenant(contactGroups),
  eq(contactGroups.groupId, sql.placeholder('groupId')),
  gt(contactGroups.contactId, sql.placeholder('after')),
)

const membersAfter = (db: Reader) =>
  db
    .select(named({ contactId: contactGroups.contactId }))
    .from(contactGroups)
    .where(isMember)
    .orderBy(asc(contactGroups.contactId))
    .limit(sql.placeholder('limit'))

const someMembers = prepared((db) => membersAfter(db).prepare())

const lastOfSome = prepared((db) => membersAfter(db).offset(sql.placeholder('skipped')).prepare())

/** Ids are hexadecimal: every one comes before it. */
const END = 'g'

/** The digits of theirs in one text: a row for each would cost as much again as finding them. */
const ofMembers = prepared((db) => {
  const some = db
    .select(named({ contactId: contactGroups.contactId }))
    .from(contactGroups)
    .where(and(isMember, lte(contactGroups.contactId, sql.placeholder('last'))))
  return db
    .select(named({ digits: sql<string | null>`string_agg(substr(${responses.id}, 3), '')` }))
    .from(responses)
    .where(and(ofTenant(responses), isAmong(db, responses.contactId, some), isOfForm))
    .prepare()
})

/**
 * Ids of the responses to a form that are theirs, as segments have them: one after the other. Of a large group a part at a
 * time, while others are served; a server looks for two at once.
 */
export async function* responseIdsOf(
  db: Reader,
  tenantId: string,
  formId: string,
  whose: Whose,
): AsyncGenerator<Buffer> {
  if ('contactId' in whose) {
    for (const { id } of await ofContact(db).execute({ tenantId, formId, ...whose })) yield idBytes(id)
    return
  }
  let before = Promise.resolve(Buffer.alloc(0))
  for await (const span of spansOf(db, tenantId, whose.groupId)) {
    const found = idsWithin(db, tenantId, formId, whose.groupId, span)
    // Whoever waits for the ones before it may end by an error of theirs.
    found.catch(() => {})
    yield await before
    before = found
  }
  yield await before
}

/** Members whose ids come after one and not after another. */
interface Span {
  readonly after: string
  readonly last: string
}

/** Where a group's members are divided, so many at a time. */
async function* spansOf(db: Reader, tenantId: string, groupId: number): AsyncGenerator<Span> {
  for (let after = ''; after !== END; ) {
    const [found] = await lastOfSome(db).execute({ tenantId, groupId, after, skipped: MEMBERS - 1, limit: 1 })
    const last = found?.contactId ?? END
    yield { after, last }
    after = last
    await new Promise(setImmediate)
  }
}

async function idsWithin(
  db: Reader,
  tenantId: string,
  formId: string,
  groupId: number,
  span: Span,
): Promise<Buffer<ArrayBuffer>> {
  const [found] = await ofMembers(db).execute({ tenantId, formId, groupId, ...span })
  return Buffer.from(found?.digits ?? '', 'hex')
}

/** Whether a contact is one of them. */
export async function isOneOfThem(
  db: Reader,
  tenantId: string,
  whose: Whose,
): Promise<(contactId: string | null) => boolean> {
  if ('contactId' in whose) return (contactId) => contactId === whose.contactId
  const members = new Set<string | null>()
  for await (const contactIds of membersOf(db, tenantId, whose.groupId)) {
    for (const id of contactIds) members.add(id)
  }
  return (contactId) => members.has(contactId)
}

/** The ids of a group's members, so many at a time. */
async function* membersOf(db: Reader, tenantId: string, groupId: number): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await someMembers(db).execute({ tenantId, groupId, after, limit: MEMBERS })
    const contactIds = rows.map(({ contactId }) => contactId)
    if (contactIds.length > 0) yield contactIds
    if (rows.length < MEMBERS) return
    after = contactIds.at(-1) as string
    await new Promise(setImmediate)
  }
}
