import type { Reader } from '../../../db/index.ts'
import type { FormRecord } from '../../../forms/operations.ts'
import { type Asked, askedOf } from '../scan.ts'
import { scanChanges, settledBy } from './changes.ts'
import { knownSegments } from './known.ts'
import { replaceEarlier, type Segment, type SegmentRow, segmentOf } from './segment.ts'

/** All responses to a form in columns, as they are now. */
export interface Columns {
  readonly asked: Asked
  readonly segments: readonly Segment[]
}

/** Changes that are worth a segment that is kept at hand: fewer are read anew. */
const WORTH_KEEPING = 100

/** Reads the columns of a form: its segments, and what has changed since the last of them. `now` is in milliseconds since 1970. */
export async function columnsOf(db: Reader, tenantId: string, form: FormRecord, now: number): Promise<Columns> {
  const asked = await askedOf(db, tenantId, form)
  const settled = settledBy(now)
  const known = await knownSegments(db, tenantId, form.id, settled)
  const rows: SegmentRow[] = []
  for await (const row of scanChanges(db, tenantId, form.id, known.mark)) rows.push(row)
  const segments = [...known.segments]
  const add = async (some: readonly SegmentRow[]) => {
    const segment = await segmentOf(some, asked)
    replaceEarlier(segments, segment)
    segments.push(segment)
    return segment
  }
  const old = rows.filter(({ updatedAt }) => updatedAt <= settled)
  const last = old.at(-1)
  if (last && old.length >= WORTH_KEEPING) {
    known.keep({ segment: await add(old), through: { at: last.updatedAt, id: last.id } })
    rows.splice(0, old.length)
  }
  if (rows.length > 0) await add(rows)
  return { asked, segments }
}
