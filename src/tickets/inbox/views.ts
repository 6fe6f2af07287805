import { and, asc, count, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { inboxViews } from '../../db/schema.ts'
import { notFound, refusal, rule } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import { checkName } from '../../lib/input/names.ts'
import { formatTime } from '../../lib/time.ts'

/** Views that somebody has, and that are everybody's: all stand beside the list. */
const MAX_VIEWS = 20

/** Filters of the inbox under a name. */
export interface InboxView {
  readonly id: string
  readonly name: string
  /** The query of the list's address. */
  readonly filters: string
}

/** Whose a view is: a person's own, or with null everybody's. */
export type ViewOwner = string | null

const ownedBy = (owner: ViewOwner): SQL => (owner === null ? isNull(inboxViews.userId) : eq(inboxViews.userId, owner))

const viewsOf = (db: Reader, owned: SQL) => {
  const { id, name, filters } = inboxViews
  return db
    .select({ id, name, filters })
    .from(inboxViews)
    .where(and(ofTenant(inboxViews), owned))
    .orderBy(asc(inboxViews.id))
    .prepare()
}
const viewsOfAll = prepared((db) => viewsOf(db, isNull(inboxViews.userId)))
const viewsOfPerson = prepared((db) => viewsOf(db, eq(inboxViews.userId, sql.placeholder('owner'))))

/** The views of one owner, the oldest first. */
export async function listViews(db: Reader, tenantId: string, owner: ViewOwner): Promise<InboxView[]> {
  return owner === null ? viewsOfAll(db).execute({ tenantId }) : viewsOfPerson(db).execute({ tenantId, owner })
}

/**
 * Keeps filters under a name. For whoever the view is to be, everybody's for admins alone. Throws `invalid_request` for a
 * bad name, `conflict` for more views than can be shown.
 */
export async function addView(
  tx: Tx,
  caller: Caller,
  owner: ViewOwner,
  input: { name: string; filters: string },
): Promise<string> {
  const { tenantId, at } = caller
  const name = checkName(input.name)
  const [row] = await tx
    .select({ count: count() })
    .from(inboxViews)
    .where(and(ofTenant(inboxViews, tenantId), ownedBy(owner)))
  if ((row?.count ?? 0) >= MAX_VIEWS) throw refusal('conflict', rule('too_many_views', { most: MAX_VIEWS }))
  const id = newId(at)
  await tx
    .insert(inboxViews)
    .values({ tenantId, id, userId: owner, name, filters: input.filters, createdAt: formatTime(at) })
  await audit(tx, caller, 'view.created', id)
  return id
}

/** Deletes a view of this owner. Throws `not_found`. */
export async function deleteView(tx: Tx, caller: Caller, owner: ViewOwner, id: string): Promise<void> {
  const [deleted] = await tx
    .delete(inboxViews)
    .where(and(ofTenant(inboxViews, caller.tenantId), eq(inboxViews.id, id), ownedBy(owner)))
    .returning({ id: inboxViews.id })
  if (!deleted) throw notFound('view')
  await audit(tx, caller, 'view.deleted', id)
}
