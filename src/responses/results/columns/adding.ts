import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Database, named, ofTenant, prepared, type Tx } from '../../../db/index.ts'
import { forms, responseSegments, responses } from '../../../db/schema.ts'
import { formRecordOf } from '../../../forms/operations.ts'
import { askedOf } from '../scan.ts'
import { BEGINNING, markAfter, scanChanges, settledBy } from './changes.ts'
import { type SegmentRow, segmentOf } from './segment.ts'
import { writeSegment } from './segment-text.ts'

/** Changes that a segment is made of: fewer are read from the responses themselves, or kept at hand. */
const CHANGES = 2000
/** How often segments are added, in milliseconds. */
export const ADD_SEGMENTS_EVERY = 20_000

const lastMark = prepared((db) =>
  db
    .select(named({ number: responseSegments.number, at: responseSegments.throughAt, id: responseSegments.throughId }))
    .from(responseSegments)
    .where(and(ofTenant(responseSegments), eq(responseSegments.formId, sql.placeholder('formId'))))
    .orderBy(desc(responseSegments.number))
    .limit(1)
    .prepare(),
)

/**
 * Adds a segment to a form where enough has changed since the last one. Says whether it did: there may be more. Two that
 * do it at once add one. `now` is in milliseconds since 1970.
 */
export async function addSegment(database: Database, tenantId: string, formId: string, now: number): Promise<boolean> {
  const { db } = database
  const [last] = await lastMark(db).execute({ tenantId, formId })
  const mark = last ?? BEGINNING
  const settled = settledBy(now)
  if (mark.at > settled) return forgetFrom(database, tenantId, formId, settled)
  const through = await markAfter(db, tenantId, formId, mark, CHANGES, settled)
  if (!through) return false
  const asked = await askedOf(db, tenantId, await formRecordOf(db, tenantId, formId))
  const rows: SegmentRow[] = []
  for await (const row of scanChanges(db, tenantId, formId, mark, through)) rows.push(row)
  const content = writeSegment(await segmentOf(rows, asked))
  return database.transaction(async (tx) => {
    const [before] = await lastMark(tx).execute({ tenantId, formId })
    // Another node wrote a segment first, or one of the responses was deleted meanwhile.
    if (before?.number !== last?.number || before?.id !== last?.id) return false
    const still = await markAfter(tx, tenantId, formId, mark, CHANGES, through.at)
    if (still?.id !== through.id || still.at !== through.at) return false
    await tx.insert(responseSegments).values({
      tenantId,
      formId,
      number: (last?.number ?? 0) + 1,
      throughAt: through.at,
      throughId: through.id,
      content,
    })
    return true
  })
}

/** The clock was set back: what changes now would seem to have been taken in already. */
async function forgetFrom(database: Database, tenantId: string, formId: string, at: string): Promise<boolean> {
  await database.transaction((tx) =>
    tx
      .delete(responseSegments)
      .where(
        and(
          ofTenant(responseSegments, tenantId),
          eq(responseSegments.formId, formId),
          gt(responseSegments.throughAt, at),
        ),
      ),
  )
  return true
}

/**
 * Has the results of a form be added up from its responses anew. For whoever deletes responses, but for unfinished ones that
 * are too old to be counted, in the same transaction: nothing of them is left in segments.
 */
export async function forgetSegments(tx: Tx, tenantId: string, formId: string): Promise<void> {
  await tx
    .delete(responseSegments)
    .where(and(ofTenant(responseSegments, tenantId), eq(responseSegments.formId, formId)))
}

/** Most forms have no responses, or are in the trash: all that is asked of them is this. */
const hasResponses = sql`EXISTS (
  SELECT 1 FROM ${responses} WHERE ${responses.tenantId} = ${forms.tenantId} AND ${responses.formId} = ${forms.id}
)`

const someForms = prepared((db) =>
  db
    .select(
      named({
        tenantId: forms.tenantId,
        id: forms.id,
        isAnswered: sql`${and(isNull(forms.trashedAt), hasResponses)}`,
      }),
    )
    .from(forms)
    .where(sql`(${forms.tenantId}, ${forms.id}) > (${sql.placeholder('tenantId')}, ${sql.placeholder('id')})`)
    .orderBy(asc(forms.tenantId), asc(forms.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** Goes over the forms of all tenants, and adds the segments that are due, while others are served in between. For a job. */
export async function addSegments(database: Database, now: number): Promise<void> {
  for (let last = { tenantId: '', id: '' }; ; ) {
    const some = await someForms(database.db).execute({ ...last, limit: 100 })
    for (const { tenantId, id, isAnswered } of some) {
      last = { tenantId, id }
      while (isAnswered && (await addSegment(database, tenantId, id, now))) await new Promise(setImmediate)
    }
    if (some.length < 100) return
    await new Promise(setImmediate)
  }
}
