import { and, asc, count, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { cannedReplies } from '../../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import { checkName } from '../../lib/input/names.ts'
import { formatTime } from '../../lib/time.ts'
import { placeholders, unknownPlaceholder, written } from './placeholders.ts'

/** What one owner has at most: all can be chosen from beside an answer. */
const MAX_REPLIES = 200
/** The longest text, in characters. */
const MAX_TEXT = 10_000

/** A text that answers are made of. */
export interface CannedReply {
  readonly id: string
  /** Whose it is: a person's own, or with null everybody's. */
  readonly userId: string | null
  readonly name: string
  /** With placeholders: see `placeholders.ts`. */
  readonly text: string
  readonly updatedAt: string
}

/** Whose canned replies are meant: a person's own, or with null everybody's. */
export type ReplyOwner = string | null

const ownedBy = (owner: ReplyOwner): SQL =>
  owner === null ? isNull(cannedReplies.userId) : eq(cannedReplies.userId, owner)

const columns = {
  id: cannedReplies.id,
  userId: cannedReplies.userId,
  name: cannedReplies.name,
  text: cannedReplies.text,
  updatedAt: cannedReplies.updatedAt,
}

const repliesOf = (db: Reader, owned: SQL) =>
  db
    .select(named(columns))
    .from(cannedReplies)
    .where(and(ofTenant(cannedReplies), owned))
    .orderBy(asc(cannedReplies.id))
    .prepare()
const repliesOfAll = prepared((db) => repliesOf(db, isNull(cannedReplies.userId)))
const repliesOfPerson = prepared((db) => repliesOf(db, eq(cannedReplies.userId, sql.placeholder('owner'))))

/** The canned replies of an owner, from A to Z. */
export async function listCannedReplies(db: Reader, tenantId: string, owner: ReplyOwner): Promise<CannedReply[]> {
  const rows = await (owner === null
    ? repliesOfAll(db).execute({ tenantId })
    : repliesOfPerson(db).execute({ tenantId, owner }))
  return rows.sort((one, other) => one.name.localeCompare(other.name))
}

/** One that the person can use: their own, or everybody's. Throws `not_found`. */
export async function getUsableReply(db: Reader, tenantId: string, userId: string, id: string): Promise<CannedReply> {
  return find(db, tenantId, id, or(ownedBy(userId), ownedBy(null)))
}

/** One of an owner's. Throws `not_found`. */
export async function getCannedReply(
  db: Reader,
  tenantId: string,
  owner: ReplyOwner,
  id: string,
): Promise<CannedReply> {
  return find(db, tenantId, id, ownedBy(owner))
}

async function find(db: Reader, tenantId: string, id: string, owner: SQL | undefined): Promise<CannedReply> {
  const [reply] = await db
    .select(columns)
    .from(cannedReplies)
    .where(and(ofTenant(cannedReplies, tenantId), eq(cannedReplies.id, id), owner))
  if (!reply) throw notFound('canned reply')
  return reply
}

/** What is kept of a canned reply. */
export interface CannedReplyInput {
  readonly name: string
  readonly text: string
}

/**
 * Keeps a text for answers; everybody's are the admins' to write. Throws `invalid_request` for a bad name or text and a
 * placeholder that there is none of, `conflict` for too many.
 */
export async function addCannedReply(
  tx: Tx,
  caller: Caller,
  owner: ReplyOwner,
  input: CannedReplyInput,
): Promise<string> {
  const { tenantId, at } = caller
  const checked = check(input)
  const [row] = await tx
    .select({ count: count() })
    .from(cannedReplies)
    .where(and(ofTenant(cannedReplies, tenantId), ownedBy(owner)))
  if ((row?.count ?? 0) >= MAX_REPLIES) {
    throw refusal('conflict', rule('too_many_canned_replies', { most: MAX_REPLIES }))
  }
  const id = newId(at)
  const now = formatTime(at)
  await tx.insert(cannedReplies).values({ tenantId, id, userId: owner, ...checked, createdAt: now, updatedAt: now })
  await audit(tx, caller, 'canned_reply.created', id)
  return id
}

/** Changes one of an owner's. Throws as `addCannedReply`, and `not_found`. */
export async function changeCannedReply(
  tx: Tx,
  caller: Caller,
  owner: ReplyOwner,
  id: string,
  input: CannedReplyInput,
): Promise<void> {
  const before = await getCannedReply(tx, caller.tenantId, owner, id)
  const checked = check(input)
  if (checked.name === before.name && checked.text === before.text) return
  await tx
    .update(cannedReplies)
    .set({ ...checked, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(cannedReplies, caller.tenantId), eq(cannedReplies.id, id)))
  await audit(tx, caller, 'canned_reply.updated', id)
}

/** Deletes one of an owner's; answers that were made of it stay. Throws `not_found`. */
export async function deleteCannedReply(tx: Tx, caller: Caller, owner: ReplyOwner, id: string): Promise<void> {
  const { tenantId } = caller
  await getCannedReply(tx, tenantId, owner, id)
  await tx.delete(cannedReplies).where(and(ofTenant(cannedReplies, tenantId), eq(cannedReplies.id, id)))
  await audit(tx, caller, 'canned_reply.deleted', id)
}

function check({ name, text }: CannedReplyInput): CannedReplyInput {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid('text', rule('not_empty'))
  if (trimmed.length > MAX_TEXT) throw invalid('text', rule('too_long', { most: MAX_TEXT }))
  const unknown = unknownPlaceholder(trimmed)
  if (unknown !== null) {
    throw invalid('text', rule('placeholder', { name: unknown, placeholders: placeholders.map(written).join(', ') }))
  }
  return { name: checkName(name), text: trimmed }
}
