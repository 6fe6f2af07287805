import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Database, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { forms, responseSegments, responses } from '../../db/schema.ts'
import { type FormRecord, formRecordOf } from '../../forms/operations.ts'
import { pausing } from '../../lib/concurrency/pausing.ts'
import { formatTime } from '../../lib/time.ts'
import { type Mark, markAfter, scanChanges } from './changes.ts'
import { type Asked, askedOf } from './scan.ts'
import { replaceEarlier, type Segment, type SegmentRow, segmentOf, sizeOf } from './segment.ts'
import { readSegment, writeSegment } from './segment-text.ts'

/** Changes that a segment is made of: fewer are read from the responses themselves, in some 20 ms. */
const CHANGES = 2000
/** A change may be stored some time after its timestamp: all changes older than this are there. In milliseconds. */
const SETTLED = 2 * 60_000
/** Bytes of segments that are kept at hand, of all forms. */
const CAPACITY = 128 * 1024 * 1024
/** How often segments are added, in milliseconds. */
export const ADD_SEGMENTS_EVERY = 20_000
const BEGINNING: Mark = { at: '', id: '' }

/** All responses to a form in columns, as they are now. */
export interface Columns {
  readonly asked: Asked
  readonly segments: readonly Segment[]
}

const marksOfForm = prepared((db) =>
  db
    .select(
      named({
        number: responseSegments.number,
        at: responseSegments.throughAt,
        id: responseSegments.throughId,
      }),
    )
    .from(responseSegments)
    .where(and(ofTenant(responseSegments), eq(responseSegments.formId, sql.placeholder('formId'))))
    .orderBy(asc(responseSegments.number))
    .prepare(),
)

const contentOf = prepared((db) =>
  db
    .select(named({ content: responseSegments.content }))
    .from(responseSegments)
    .where(
      and(
        ofTenant(responseSegments),
        eq(responseSegments.formId, sql.placeholder('formId')),
        eq(responseSegments.number, sql.placeholder('number')),
      ),
    )
    .prepare(),
)

/** Reads the columns of a form: its segments, and what has changed since the last of them. */
export async function columnsOf(db: Reader, tenantId: string, form: FormRecord): Promise<Columns> {
  const asked = await askedOf(db, tenantId, form)
  const { segments, mark } = await storedSegments(db, tenantId, form.id)
  const rows: SegmentRow[] = []
  for await (const row of scanChanges(db, tenantId, form.id, mark)) rows.push(row)
  if (rows.length === 0) return { asked, segments }
  const latest = await segmentOf(rows, asked)
  replaceEarlier(segments, latest)
  return { asked, segments: [...segments, latest] }
}

interface Stored {
  readonly segments: readonly Segment[]
  readonly mark: Mark
}

/** Segments of a form that have been read, each beside its mark. */
interface Kept {
  readonly marks: readonly Mark[]
  readonly segments: readonly Segment[]
  /** In bytes. */
  readonly size: number
}

const memories = new WeakMap<Reader, Map<string, Kept>>()

async function storedSegments(db: Reader, tenantId: string, formId: string): Promise<Stored> {
  const marks = await marksOfForm(db).execute({ tenantId, formId })
  const mark = marks.at(-1) ?? BEGINNING
  const memory = memories.get(db) ?? new Map<string, Kept>()
  memories.set(db, memory)
  const key = `${tenantId} ${formId}`
  const kept = memory.get(key)
  // Segments are added at the end, or all made anew.
  const isSame = kept?.marks.every(({ at, id }, index) => marks[index]?.at === at && marks[index]?.id === id)
  const segments = kept && isSame ? [...kept.segments] : []
  const pause = pausing()
  for (const { number } of marks.slice(segments.length)) {
    await pause()
    const [row] = await contentOf(db).execute({ tenantId, formId, number })
    // It was thrown away since the marks were read: then everything is read from the responses.
    if (!row) return { segments: [], mark: BEGINNING }
    const segment = readSegment(row.content)
    replaceEarlier(segments, segment)
    segments.push(segment)
  }
  memory.delete(key)
  memory.set(key, { marks, segments, size: segments.reduce((sum, segment) => sum + sizeOf(segment), 0) })
  makeRoom(memory)
  return { segments, mark }
}

/** Forgets what was used least recently, but for the last. */
function makeRoom(memory: Map<string, Kept>): void {
  let size = [...memory.values()].reduce((sum, kept) => sum + kept.size, 0)
  for (const [key, kept] of memory) {
    if (size <= CAPACITY || memory.size === 1) return
    memory.delete(key)
    size -= kept.size
  }
}

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
  const settled = formatTime(now - SETTLED)
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
