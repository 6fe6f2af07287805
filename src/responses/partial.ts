import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { jobCaller } from '../caller.ts'
import { askedOnceWritten, named, ofTenant, prepared, type Tx } from '../db/index.ts'
import { responses } from '../db/schema.ts'
import { emit } from '../events/outbox.ts'
import { formatTime } from '../lib/time.ts'
import { responseIfShown } from './operations.ts'

/*
 * Partial responses are told of once their respondents have left them alone (decisions §23), not at each save: pages save what is
 * typed all the time, and strangers might save over and over.
 */

/** How long one has to be left alone, in milliseconds. */
const LEFT_ALONE = 5 * 60_000
/** Responses that are told of in one transaction: others wait meanwhile. */
const STEP = 25

/**
 * When a response is told of that was saved now: once it was left alone for five minutes, or for half of the time since it was
 * begun where that is longer. So one is told of two dozen times in a month at most, whatever its respondent does: as many
 * times is what a save of a few bytes can cost that has all of a long response sent. All in milliseconds since 1970.
 */
export function timeToTell(startedAt: number, now: number): number {
  return now + Math.max(LEFT_ALONE, (now - startedAt) / 2)
}

const isUntold = isNotNull(responses.tellAt)

const earliest = prepared((db) =>
  db
    .select(named({ at: responses.tellAt }))
    .from(responses)
    .where(isUntold)
    .orderBy(asc(responses.tellAt))
    .limit(1)
    .prepare(),
)

/** When the next partial response is to be told of, in milliseconds since 1970, or null. For the scheduler. */
export const nextUntold = askedOnceWritten([responses], async (db) => {
  const [first] = await earliest(db).execute()
  return first?.at ? Date.parse(first.at) : null
})

const due = prepared((db) =>
  db
    .select(named({ tenantId: responses.tenantId, formId: responses.formId, id: responses.id }))
    .from(responses)
    .where(and(isUntold, lte(responses.tellAt, sql.placeholder('now'))))
    .orderBy(asc(responses.tellAt))
    .limit(STEP)
    .prepare(),
)

/**
 * Tells of partial responses that were left alone, of all tenants; not of those to forms in the trash. Says whether more may
 * be left. For the scheduler.
 */
export async function tellOfPartials(tx: Tx, now: number): Promise<boolean> {
  const found = await due(tx).execute({ now: formatTime(now) })
  for (const { tenantId, formId, id } of found) {
    const response = await responseIfShown(tx, tenantId, formId, id)
    if (response) await emit(tx, jobCaller(tenantId, now), 'response.partial', { response })
    await tx
      .update(responses)
      .set({ tellAt: null })
      .where(and(ofTenant(responses, tenantId), eq(responses.id, id)))
  }
  return found.length === STEP
}
