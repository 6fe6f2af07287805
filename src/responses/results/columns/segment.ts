import { pausing } from '../../../lib/concurrency/pausing.ts'
import type { StoredAnswer } from '../../answers.ts'
import type { ResponseRow } from '../../operations.ts'
import { type CountedPart, countedParts } from '../counted.ts'
import { type Path, type PathRow, pathOf, stopOf } from '../paths/path.ts'
import type { Asked } from '../scan.ts'

/*
 * Responses in columns: what they come to is read from a few bytes for each answer, instead of from its JSON. Texts,
 * contact details and files are not in it, only that there are some; of unfinished ones, only how far they came.
 */

/** An id is `r_` and 32 hex digits. */
export const ID_BYTES = 16

/** What is taken into a segment. */
export type SegmentRow = PathRow &
  Pick<ResponseRow, 'id' | 'startedAt' | 'submittedAt' | 'updatedAt' | 'answers' | 'variables'>

/** An answer that was given, or a part of one, as responses to a revision of the form gave it. */
export interface GivenValue {
  readonly revision: number
  readonly value: unknown
}

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** The answers to one question, or one part of them: for each response 0, or one more than the place of its value. */
export interface Column {
  readonly questionId: number
  readonly part: CountedPart['part']
  readonly values: readonly GivenValue[]
  readonly codes: Codes
}

/** What a variable came to in each response: 0 for nothing, or one more than the place of its value. */
export interface VariableColumn {
  readonly name: string
  readonly values: readonly number[]
  readonly codes: Codes
}

/** The ways that responses went, and for each response which one. */
export interface Paths {
  readonly values: readonly Path[]
  readonly codes: Codes
}

/** Some responses to one form, in the order of their ids. */
export interface Segment {
  readonly count: number
  readonly ids: Buffer
  /** When each was begun, in milliseconds since 1970. */
  readonly begun: Float64Array
  /** How long each took, in milliseconds; 0 for unfinished ones. */
  readonly took: Float64Array
  /** The id of the page that an unfinished one stopped at; 0 for complete ones. */
  readonly stoppedAt: Float64Array
  readonly columns: readonly Column[]
  readonly variables: readonly VariableColumn[]
  readonly paths: Paths
  /** Places of those that changed after they were begun: an earlier segment may hold them as they were. */
  readonly changed: readonly number[]
  /** When the last of them changed, in milliseconds since 1970. */
  readonly through: number
  /** 1 for each that a later segment holds as it is now. */
  readonly replaced: Uint8Array
}

/** Puts responses into columns, while others are served in between. */
export async function segmentOf(rows: readonly SegmentRow[], asked: Asked): Promise<Segment> {
  const sorted = [...rows].sort((one, other) => (one.id < other.id ? -1 : 1))
  const columns = new Map<string, { questionId: number; part: number | null; given: NewColumn<GivenValue> }>()
  const variables = new Map<string, NewColumn<number>>()
  const paths = new NewColumn<Path>(sorted.length)
  const stoppedAt = new Float64Array(sorted.length)
  const pause = pausing()
  for (const [place, row] of sorted.entries()) {
    await pause()
    const { revision, status, answers } = row
    const given = JSON.parse(answers) as StoredAnswer[]
    const path = pathOf(row, given, asked)
    paths.set(place, path)
    if (status === 'partial') {
      stoppedAt[place] = stopOf(asked.contentOf(revision).pages, given, path)
      continue
    }
    const questions = asked.ofRevision(revision)
    for (const { questionId, value } of given) {
      const question = questions.get(questionId)
      if (!question) continue
      for (const { part, value: counted } of countedParts(question, value)) {
        const key = `${questionId} ${part}`
        const column = columns.get(key) ?? { questionId, part, given: new NewColumn(sorted.length) }
        columns.set(key, column)
        column.given.set(place, { revision, value: counted })
      }
    }
    for (const [name, value] of Object.entries(JSON.parse(row.variables) as Record<string, number>)) {
      const column = variables.get(name) ?? new NewColumn(sorted.length)
      variables.set(name, column)
      column.set(place, value)
    }
  }
  return {
    ...bare(Buffer.concat(sorted.map(({ id }) => idBytes(id)))),
    begun: Float64Array.from(sorted, ({ startedAt }) => Date.parse(startedAt)),
    took: Float64Array.from(sorted, (row) => Date.parse(row.submittedAt ?? row.startedAt) - Date.parse(row.startedAt)),
    stoppedAt,
    columns: [...columns.values()].map(({ given, ...of }) => ({ ...of, ...given.finished() })),
    variables: [...variables].map(([name, column]) => ({ name, ...column.finished() })),
    paths: paths.finished(),
    changed: sorted.flatMap(({ startedAt, updatedAt }, place) => (startedAt === updatedAt ? [] : place)),
    through: sorted.reduce((latest, { updatedAt }) => Math.max(latest, Date.parse(updatedAt)), 0),
  }
}

/** Values that many responses share: each is there once. */
class NewColumn<T> {
  readonly #known = new Map<string, number>()
  readonly #values: T[] = []
  readonly #codes: Uint32Array

  constructor(length: number) {
    this.#codes = new Uint32Array(length)
  }

  set(place: number, value: T): void {
    const key = JSON.stringify(value)
    const code = this.#known.get(key) ?? this.#values.push(value)
    this.#known.set(key, code)
    this.#codes[place] = code
  }

  finished(): { values: readonly T[]; codes: Codes } {
    return { values: this.#values, codes: narrow(this.#codes, this.#values.length) }
  }
}

/** What a segment has by its ids alone. */
export function bare(ids: Buffer): Pick<Segment, 'count' | 'ids' | 'replaced'> {
  const count = ids.length / ID_BYTES
  return { count, ids, replaced: new Uint8Array(count) }
}

function narrow(codes: Uint32Array, most: number): Codes {
  return most < 256 ? Uint8Array.from(codes) : most < 65_536 ? Uint16Array.from(codes) : codes
}

export function idBytes(id: string): Buffer {
  return Buffer.from(id.slice(2), 'hex')
}

/** What the id at that byte begins with: when it was made, in milliseconds since 1970 (`lib/ids.ts`). */
export function timeOf(ids: Buffer, at = 0): number {
  return ids.readUInt32BE(at) * 0x1_00_00 + ids.readUInt16BE(at + 4)
}

/** The times of the first id and of the last. */
export function timesOfIds({ ids, count }: Segment): [first: number, last: number] {
  return count === 0 ? [0, 0] : [timeOf(ids), timeOf(ids, (count - 1) * ID_BYTES)]
}

/** The id of the response at a place. */
export function idAt({ ids }: Segment, place: number): string {
  return `r_${ids.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)}`
}

/** Where the response is in a segment whose id stands at that byte of `ids`; -1 where it is not. */
export function placeOf(segment: Segment, ids: Buffer, at = 0): number {
  const place = placesBefore(segment, ids, at)
  return place < segment.count && compareAt(segment, place, ids, at) === 0 ? place : -1
}

/** How many responses of a segment have ids that come before the one at that byte of `ids`. */
export function placesBefore(segment: Segment, ids: Buffer, at = 0): number {
  const time = timeOf(ids, at)
  let [low, high] = [0, segment.count]
  while (low < high) {
    const middle = (low + high) >> 1
    // Mostly their times tell them apart, at a tenth of the cost.
    const later = timeOf(segment.ids, middle * ID_BYTES) - time || compareAt(segment, middle, ids, at)
    if (later < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Negative where the id at a place comes before the one at that byte of `ids`. */
function compareAt(segment: Segment, place: number, ids: Buffer, at: number): number {
  return segment.ids.compare(ids, at, at + ID_BYTES, place * ID_BYTES, (place + 1) * ID_BYTES)
}

/** Has those of the earlier segments pass for replaced that `later` holds as they are now. */
export function replaceEarlier(earlier: readonly Segment[], later: Segment): void {
  for (const place of later.changed) {
    const id = later.ids.subarray(place * ID_BYTES, (place + 1) * ID_BYTES)
    const begun = later.begun[place] as number
    for (let index = earlier.length - 1; index >= 0; index--) {
      const segment = earlier[index] as Segment
      // Nothing of it had changed before it was begun.
      if (segment.through < begun) break
      const found = placeOf(segment, id)
      if (found >= 0) segment.replaced[found] = 1
    }
  }
}

/** About how many bytes it takes in memory. */
export function sizeOf({ count, columns, variables, paths }: Segment): number {
  let size = count * 41
  for (const { codes, values } of [...columns, ...variables, paths]) size += codes.byteLength + values.length * 100
  for (const { skipped, skippedPages } of paths.values) size += (skipped.length + skippedPages.length) * 8
  return size
}
