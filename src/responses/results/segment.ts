import type { FormPage } from '../../forms/pages.ts'
import type { StoredAnswer } from '../answers.ts'
import type { ResponseRow } from '../operations.ts'
import { type CountedPart, countedParts } from './counted.ts'
import type { Asked } from './scan.ts'

/*
 * Responses in columns: what they come to is read from a few bytes for each answer, instead of from its JSON. Texts,
 * contact details and files are not in it, only that there are some; of unfinished ones, only how far they came.
 */

/** An id is `r_` and 32 hex digits. */
const ID_BYTES = 16

/** What is taken into a segment. */
export type SegmentRow = Pick<
  ResponseRow,
  'id' | 'revision' | 'status' | 'startedAt' | 'submittedAt' | 'updatedAt' | 'answers'
>

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
  /** Places of those that changed after they were begun: an earlier segment may hold them as they were. */
  readonly changed: readonly number[]
  /** When the last of them changed, in milliseconds since 1970. */
  readonly through: number
  /** 1 for each that a later segment holds as it is now. */
  readonly replaced: Uint8Array
}

/** Puts responses into columns. */
export function segmentOf(rows: readonly SegmentRow[], asked: Asked): Segment {
  const sorted = [...rows].sort((one, other) => (one.id < other.id ? -1 : 1))
  const columns = new Map<string, NewColumn>()
  const stoppedAt = new Float64Array(sorted.length)
  sorted.forEach(({ revision, status, answers }, place) => {
    const given = JSON.parse(answers) as StoredAnswer[]
    if (status === 'partial') {
      stoppedAt[place] = pageOf(asked.pagesOf(revision), given)
      return
    }
    const questions = asked.ofRevision(revision)
    for (const { questionId, value } of given) {
      const question = questions.get(questionId)
      if (!question) continue
      for (const { part, value: counted } of countedParts(question, value)) {
        const key = `${questionId} ${part}`
        const column = columns.get(key) ?? new NewColumn(questionId, part, sorted.length)
        columns.set(key, column)
        column.set(place, { revision, value: counted })
      }
    }
  })
  return {
    ...bare(Buffer.concat(sorted.map(({ id }) => idBytes(id)))),
    begun: Float64Array.from(sorted, ({ startedAt }) => Date.parse(startedAt)),
    took: Float64Array.from(sorted, (row) => Date.parse(row.submittedAt ?? row.startedAt) - Date.parse(row.startedAt)),
    stoppedAt,
    columns: [...columns.values()].map((column) => column.finished()),
    changed: sorted.flatMap(({ startedAt, updatedAt }, place) => (startedAt === updatedAt ? [] : place)),
    through: sorted.reduce((latest, { updatedAt }) => Math.max(latest, Date.parse(updatedAt)), 0),
  }
}

/**
 * The id of the page that a response stopped at. Whoever answered all that a page requires came to the next one: pages are
 * saved as they are left.
 */
function pageOf(pages: readonly FormPage[], given: readonly StoredAnswer[]): number {
  const answered = new Set(given.map(({ questionId }) => questionId))
  const last = pages.findLastIndex(({ questions }) => questions.some(({ id }) => answered.has(id)))
  const isDone = pages[last]?.questions.every(({ id, required }) => !required || answered.has(id))
  const place = Math.max(0, isDone ? Math.min(last + 1, pages.length - 1) : last)
  return pages[place]?.id ?? 0
}

class NewColumn {
  readonly #known = new Map<string, number>()
  readonly #values: GivenValue[] = []
  readonly #codes: Uint32Array

  constructor(
    private readonly questionId: number,
    private readonly part: CountedPart['part'],
    length: number,
  ) {
    this.#codes = new Uint32Array(length)
  }

  set(place: number, given: GivenValue): void {
    const key = `${given.revision} ${JSON.stringify(given.value)}`
    const code = this.#known.get(key) ?? this.#values.push(given)
    this.#known.set(key, code)
    this.#codes[place] = code
  }

  finished(): Column {
    const { questionId, part } = this
    return { questionId, part, values: this.#values, codes: narrow(this.#codes, this.#values.length) }
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

/** What an id begins with: when it was made, in milliseconds since 1970 (`lib/ids.ts`). */
export function timeOf(id: Buffer, place = 0): number {
  return id.readUIntBE(place * ID_BYTES, 6)
}

/** The times of the first id and of the last. */
export function timesOfIds({ ids, count }: Segment): [first: number, last: number] {
  return count === 0 ? [0, 0] : [timeOf(ids), timeOf(ids, count - 1)]
}

/** The id of the response at a place. */
export function idAt({ ids }: Segment, place: number): string {
  return `r_${ids.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)}`
}

/** Where a response is in a segment; -1 where it is not. */
export function placeOf(segment: Segment, id: Buffer): number {
  const place = placesBefore(segment, id)
  return place < segment.count && compareAt(segment, place, id) === 0 ? place : -1
}

/** How many responses of a segment have ids that come before this one. */
export function placesBefore(segment: Segment, id: Buffer): number {
  let [low, high] = [0, segment.count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareAt(segment, middle, id) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Negative where the id at a place comes before this one. */
function compareAt({ ids }: Segment, place: number, id: Buffer): number {
  return ids.compare(id, 0, ID_BYTES, place * ID_BYTES, (place + 1) * ID_BYTES)
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
export function sizeOf({ count, columns }: Segment): number {
  let size = count * 41
  for (const { codes, values } of columns) size += codes.byteLength + values.length * 100
  return size
}
