import { and, asc, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../../../db/index.ts'
import { responseSegments } from '../../../db/schema.ts'
import { pausing } from '../../../lib/concurrency/pausing.ts'
import { BEGINNING, changesBetween, type Mark } from './changes.ts'
import { replaceEarlier, type Segment, sizeOf } from './segment.ts'
import { readSegment } from './segment-text.ts'

/** Bytes of segments that are kept at hand, of all forms. */
const CAPACITY = 128 * 1024 * 1024

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

/** A segment that is stored nowhere: what has changed since the last of those, and is sure to be all of it. */
interface Recent {
  readonly segment: Segment
  readonly through: Mark
}

/** Segments of a form that are at hand. */
interface Kept {
  /** Of those that are stored. */
  readonly marks: readonly Mark[]
  readonly stored: readonly Segment[]
  readonly recent: readonly Recent[]
}

interface Known {
  readonly segments: readonly Segment[]
  /** How far they go. */
  readonly mark: Mark
  /** Keeps one more at hand, of the changes that follow. */
  keep(recent: Recent): void
}

const memories = new WeakMap<Reader, Map<string, Kept>>()

/** The segments of a form: those that are stored, and those that were made of later changes. `settled` as `settledBy` has it. */
export async function knownSegments(db: Reader, tenantId: string, formId: string, settled: string): Promise<Known> {
  const marks = await marksOfForm(db).execute({ tenantId, formId })
  const memory = memories.get(db) ?? new Map<string, Kept>()
  memories.set(db, memory)
  const key = `${tenantId} ${formId}`
  const before = memory.get(key)
  // Segments are added at the end, or all made anew.
  const isSame = before?.marks.every(({ at, id }, index) => marks[index]?.at === at && marks[index]?.id === id)
  const stored = before && isSame ? [...before.stored] : []
  const pause = pausing()
  for (const { number } of marks.slice(stored.length)) {
    await pause()
    const [row] = await contentOf(db).execute({ tenantId, formId, number })
    // It was thrown away since the marks were read: then everything is read from the responses.
    if (!row) return { segments: [], mark: BEGINNING, keep: () => {} }
    const segment = readSegment(row.content)
    replaceEarlier(stored, segment)
    stored.push(segment)
  }
  const mark = marks.at(-1) ?? BEGINNING
  const holds = before && isSame && (await stillHold(db, tenantId, formId, mark, before.recent, settled))
  const recent = holds ? before.recent : []
  const kept = { marks, stored, recent }
  put(memory, key, kept)
  return {
    segments: [...stored, ...recent.map(({ segment }) => segment)],
    mark: recent.at(-1)?.through ?? mark,
    keep(added) {
      // Somebody else may have come first.
      if (memory.get(key) === kept) put(memory, key, { ...kept, recent: [...recent, added] })
    },
  }
}

/**
 * Whether these are still all changes after a mark, and until theirs: what has changed once more is no longer among them, nor
 * what was deleted, nor what is stored in columns by now.
 */
async function stillHold(
  db: Reader,
  tenantId: string,
  formId: string,
  mark: Mark,
  recent: readonly Recent[],
  settled: string,
): Promise<boolean> {
  const through = recent.at(-1)?.through
  if (!through) return true
  // The clock was set back.
  if (through.at > settled) return false
  const count = recent.reduce((sum, { segment }) => sum + segment.count, 0)
  return (await changesBetween(db, tenantId, formId, mark, through)) === count
}

function put(memory: Map<string, Kept>, key: string, kept: Kept): void {
  memory.delete(key)
  memory.set(key, kept)
  makeRoom(memory)
}

/** Forgets what was used least recently, but for the last. */
function makeRoom(memory: Map<string, Kept>): void {
  let size = [...memory.values()].reduce((sum, kept) => sum + bytesOf(kept), 0)
  for (const [key, kept] of memory) {
    if (size <= CAPACITY || memory.size === 1) return
    memory.delete(key)
    size -= bytesOf(kept)
  }
}

function bytesOf({ stored, recent }: Kept): number {
  return [...stored, ...recent.map(({ segment }) => segment)].reduce((sum, segment) => sum + sizeOf(segment), 0)
}
