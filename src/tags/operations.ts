import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { tags, ticketTags } from '../db/schema.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { checkColour } from '../lib/input/colours.ts'
import { formatTime } from '../lib/time.ts'
import type { Tag } from './model.ts'
import { checkTagName, comparableTagName, MAX_TAGS_OF_TICKET } from './names.ts'
import { countTags, findTag, getTag, type KnownTag } from './read.ts'

/** The most tags of a tenant: the list comes whole. */
export const MAX_TAGS = 1000

/**
 * A tag, which no ticket holds yet. For the command line and the console. Throws `invalid_request` for a bad name or
 * colour, `conflict` where there is one of that name, in whatever case, or as many as there can be.
 */
export async function createTag(
  tx: Tx,
  caller: Caller,
  input: { name: string; colour?: string | null | undefined },
): Promise<Tag> {
  const name = checkTagName(input.name, 'name')
  const colour = input.colour ? checkColour(input.colour, 'colour') : null
  if (await findTag(tx, caller.tenantId, name)) throw refusal('conflict', rule('tag_taken'))
  return { ...(await addTag(tx, caller, name, colour)), ticketCount: 0 }
}

async function addTag(tx: Tx, caller: Caller, name: string, colour: string | null = null): Promise<KnownTag> {
  const { tenantId } = caller
  if ((await countTags(tx, tenantId)) >= MAX_TAGS)
    throw refusal('conflict', rule('too_many_ticket_tags', { most: MAX_TAGS }))
  const tag = { id: newId(caller.at), name, colour }
  await tx
    .insert(tags)
    .values({ ...tag, tenantId, comparableName: comparableTagName(name), createdAt: formatTime(caller.at) })
  await audit(tx, caller, 'tag.created', tag.id)
  return tag
}

/**
 * The tags of these names, each once; those that are missing are made. Throws `invalid_request` for a bad name and for
 * more than a ticket holds, both at `tags`, `conflict` where there would be more than there can be.
 */
export async function findOrCreateTags(tx: Tx, caller: Caller, names: readonly string[]): Promise<KnownTag[]> {
  const wanted = new Map<string, string>()
  for (const [index, text] of names.entries()) {
    const name = checkTagName(text, `tags[${index}]`)
    const comparable = comparableTagName(name)
    if (!wanted.has(comparable)) wanted.set(comparable, name)
  }
  if (wanted.size > MAX_TAGS_OF_TICKET) throw invalid('tags', rule('too_many_items', { most: MAX_TAGS_OF_TICKET }))
  const found: KnownTag[] = []
  for (const name of wanted.values()) {
    found.push((await findTag(tx, caller.tenantId, name)) ?? (await addTag(tx, caller, name)))
  }
  return found
}

/** Has the ticket hold these tags and no others. For the operations of tickets. */
export async function replaceTagsOf(
  tx: Tx,
  { tenantId }: Caller,
  ticketId: string,
  kept: readonly KnownTag[],
): Promise<void> {
  await tx.delete(ticketTags).where(and(ofTenant(ticketTags, tenantId), eq(ticketTags.ticketId, ticketId)))
  if (kept.length > 0) await tx.insert(ticketTags).values(kept.map(({ id: tagId }) => ({ tenantId, ticketId, tagId })))
}

/** Has what names tags by their names go on with one that is called otherwise from now on. Rooms above know what that is. */
export type FollowTag = (tx: Tx, caller: Caller, from: string, to: string) => Promise<void>

/**
 * Renames or colours a tag, on all its tickets at once; a colour of null takes it away. `follow` is told of another name. For
 * admins. Throws `not_found`, `invalid_request` as `createTag`, `conflict` where another has the name.
 */
export async function updateTag(
  tx: Tx,
  caller: Caller,
  id: string,
  input: { name?: string | undefined; colour?: string | null | undefined },
  follow: FollowTag,
): Promise<Tag> {
  const { tenantId } = caller
  const before = await getTag(tx, tenantId, id)
  const name = input.name === undefined ? before.name : checkTagName(input.name, 'name')
  const colour = input.colour === undefined ? before.colour : input.colour && checkColour(input.colour, 'colour')
  const namesake = await findTag(tx, tenantId, name)
  if (namesake && namesake.id !== id) throw refusal('conflict', rule('tag_taken'))
  const fields = [...(name === before.name ? [] : ['name']), ...(colour === before.colour ? [] : ['colour'])]
  if (fields.length === 0) return before
  await tx
    .update(tags)
    .set({ name, comparableName: comparableTagName(name), colour: colour || null })
    .where(and(ofTenant(tags, tenantId), eq(tags.id, id)))
  await audit(tx, caller, 'tag.updated', id, fields)
  if (name !== before.name) await follow(tx, caller, before.name, name)
  return getTag(tx, tenantId, id)
}

/**
 * Has all tickets with the one tag hold the other instead, and deletes the one; `follow` is told of it. For admins. Throws
 * `not_found`, `invalid_request` for the same.
 */
export async function mergeTags(tx: Tx, caller: Caller, id: string, intoId: string, follow: FollowTag): Promise<Tag> {
  const { tenantId } = caller
  if (id === intoId) throw invalid('into', rule('another_tag'))
  const merged = await getTag(tx, tenantId, id)
  const kept = await getTag(tx, tenantId, intoId)
  const ofTag = and(ofTenant(ticketTags, tenantId), eq(ticketTags.tagId, id))
  const held = await tx.select({ ticketId: ticketTags.ticketId }).from(ticketTags).where(ofTag)
  for (let first = 0; first < held.length; first += SLICE) {
    const rows = held.slice(first, first + SLICE).map(({ ticketId }) => ({ tenantId, ticketId, tagId: intoId }))
    await tx.insert(ticketTags).values(rows).onConflictDoNothing()
  }
  await removeTag(tx, caller, id)
  await audit(tx, caller, 'tag.merged', intoId)
  await follow(tx, caller, merged.name, kept.name)
  return getTag(tx, tenantId, intoId)
}

/** Rows written by one statement. */
const SLICE = 500

/** Takes a tag from all its tickets, and away. For admins. Throws `not_found`. */
export async function deleteTag(tx: Tx, caller: Caller, id: string): Promise<void> {
  await getTag(tx, caller.tenantId, id)
  await removeTag(tx, caller, id)
}

/** With its rows at the tickets, which go by their foreign key. */
async function removeTag(tx: Tx, caller: Caller, id: string): Promise<void> {
  await tx.delete(tags).where(and(ofTenant(tags, caller.tenantId), eq(tags.id, id)))
  await audit(tx, caller, 'tag.deleted', id)
}
