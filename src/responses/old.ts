import { and, asc, gt, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { endOfPage, oldRows, oldRowsBehind } from '../db/lists/old-rows.ts'
import { responses } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { type Deleted, deleteResponses, deleteUnfinished } from './deletion.ts'

/* Responses that a tenant keeps for a while only (decisions §22). `before` is in milliseconds since 1970. For `retention/`. */

/** Responses that are looked at in one query. */
const PAGE = 500

/** As the index of partial responses has it: a value that is bound would not let it be used. */
const isPartial = sql`${responses.status} = 'partial'`

const byChange = oldRows(responses.updatedAt, responses.id)

const partials = prepared((db) =>
  db
    .select({ id: responses.id, at: responses.updatedAt })
    .from(responses)
    .where(and(ofTenant(responses), isPartial, ...byChange.conditions))
    .orderBy(...byChange.order)
    .limit(PAGE)
    .prepare(),
)

/** Partial responses that nobody has touched since, some at a time, behind the last of those before. */
export async function untouchedPartials(db: Reader, tenantId: string, before: number, after: string | null) {
  const found = await partials(db).execute({ tenantId, ...oldRowsBehind(before, after) })
  return { ids: found.map(({ id }) => id), next: endOfPage(found, PAGE) }
}

/** Deletes those of these that still are such, with their files. No event tells of it. */
export async function deletePartials(tx: Tx, caller: Caller, before: number, ids: readonly string[]): Promise<Deleted> {
  const { id, formId, status, updatedAt } = responses
  const found = await tx
    .select({ id, formId, status, updatedAt })
    .from(responses)
    .where(theseOf(tx, caller, ids))
  const time = formatTime(before)
  const old = found.filter((response) => response.status === 'partial' && response.updatedAt <= time)
  return deleteUnfinished(tx, caller, old)
}

const begun = prepared((db) =>
  db
    .select({ id: responses.id, startedAt: responses.startedAt, submittedAt: responses.submittedAt })
    .from(responses)
    .where(and(ofTenant(responses), gt(responses.id, sql.placeholder('after'))))
    .orderBy(asc(responses.id))
    .limit(PAGE)
    .prepare(),
)

/**
 * Responses that were completed by then, some at a time: ids sort by when they were begun, which is earlier still, so no index
 * is needed that every response would have to pay for.
 */
export async function oldResponses(db: Reader, tenantId: string, before: number, after: string | null) {
  const found = await begun(db).execute({ tenantId, after: after ?? '' })
  const time = formatTime(before)
  const last = found.at(-1)
  const isMore = found.length === PAGE && last !== undefined && last.startedAt <= time
  return {
    ids: found.flatMap(({ id, submittedAt }) => (submittedAt !== null && submittedAt <= time ? [id] : [])),
    next: isMore ? last.id : null,
  }
}

/** Deletes those of these that were completed by then, with their files. No event tells of it. */
export async function deleteOldResponses(
  tx: Tx,
  caller: Caller,
  before: number,
  ids: readonly string[],
): Promise<Deleted> {
  const { id, formId, submittedAt } = responses
  const found = await tx
    .select({ id, formId, submittedAt })
    .from(responses)
    .where(theseOf(tx, caller, ids))
  const time = formatTime(before)
  const old = found.filter((response) => response.submittedAt !== null && response.submittedAt <= time)
  return deleteResponses(tx, caller, old)
}

const theseOf = (tx: Tx, { tenantId }: Caller, ids: readonly string[]) =>
  and(ofTenant(responses, tenantId), isOneOf(tx, responses.id, JSON.stringify(ids)))
