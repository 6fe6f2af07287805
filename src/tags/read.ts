import { and, count, desc, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader, remembered } from '../db/index.ts'
import { tags, ticketTags } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import type { Tag } from './model.ts'
import { comparableTagName } from './names.ts'

const selectTags = (db: Reader) =>
  db
    .select({
      id: tags.id,
      name: tags.name,
      colour: tags.colour,
      ticketCount: sql<number>`${db
        .select({ count: count() })
        .from(ticketTags)
        .where(and(eq(ticketTags.tenantId, tags.tenantId), eq(ticketTags.tagId, tags.id)))}`,
    })
    .from(tags)

const tagsOfTenant = prepared((db) => selectTags(db).where(ofTenant(tags)).orderBy(desc(tags.id)).prepare())

/** All tags of the tenant, newest first. */
export async function listTags(db: Reader, tenantId: string): Promise<Tag[]> {
  return tagsOfTenant(db).execute({ tenantId })
}

const tagById = prepared((db) =>
  selectTags(db)
    .where(and(ofTenant(tags), eq(tags.id, sql.placeholder('id'))))
    .prepare(),
)

/** One tag. Throws `not_found`. */
export async function getTag(db: Reader, tenantId: string, id: string): Promise<Tag> {
  const [tag] = await tagById(db).execute({ tenantId, id })
  if (!tag) throw notFound('tag')
  return tag
}

const tagWords = prepared((db) =>
  db
    .select({ id: tags.id, name: tags.name, comparableName: tags.comparableName, colour: tags.colour })
    .from(tags)
    .where(ofTenant(tags))
    .prepare(),
)

/** What is known of a tag without counting its tickets. */
export interface KnownTag {
  readonly id: string
  readonly name: string
  readonly colour: string | null
}

interface Words {
  readonly byId: ReadonlyMap<string, KnownTag>
  readonly byName: ReadonlyMap<string, KnownTag>
}

const wordsOf = remembered([tags], async (db, tenantId: string): Promise<Words> => {
  const rows = await tagWords(db).execute({ tenantId })
  return {
    byId: new Map(rows.map((tag) => [tag.id, tag])),
    byName: new Map(rows.map((tag) => [tag.comparableName, tag])),
  }
})

/** All tags of the tenant, to choose of, by name. */
export async function tagsToChoose(db: Reader, tenantId: string): Promise<KnownTag[]> {
  return [...(await wordsOf(db, tenantId)).byId.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** The tag of this name, in whatever case, if there is one. */
export async function findTag(db: Reader, tenantId: string, name: string): Promise<KnownTag | undefined> {
  return (await wordsOf(db, tenantId)).byName.get(comparableTagName(name))
}

/** How many tags the tenant has. */
export async function countTags(db: Reader, tenantId: string): Promise<number> {
  return (await wordsOf(db, tenantId)).byId.size
}

/** Tags of the tenant by their ids, with commas between as a ticket's row has them, in the order of their names. */
export async function tagsOfIds(db: Reader, tenantId: string, ids: string | null): Promise<KnownTag[]> {
  if (ids === null) return []
  const { byId } = await wordsOf(db, tenantId)
  return ids
    .split(',')
    .flatMap((id) => byId.get(id) ?? [])
    .sort((a, b) => a.name.localeCompare(b.name))
}
