import type { StoredAnswer } from '../answers.ts'
import type { ResponseRow } from '../operations.ts'
import type { Asked } from './scan.ts'
import { type CountedPart, countedParts } from './tally.ts'

/*
 * Complete responses in columns: what they come to is read from a few bytes for each answer, instead of from its JSON.
 * Texts, contact details and files are not in it, only that there are some.
 */

/** An id is `r_` and 32 hex digits. */
const ID_BYTES = 16

/** What is taken into a segment. */
export type SegmentRow = Pick<ResponseRow, 'id' | 'revision' | 'startedAt' | 'submittedAt' | 'updatedAt' | 'answers'>

/** An answer that was given, or a part of one, as responses to a revision of the form gave it. */
export interface GivenValue {
  readonly revision: number
  readonly value: unknown
}

type Codes = Uint8Array | Uint16Array | Uint32Array

/** The answers to one question, or one part of them: for each response 0, or one more than the place of its value. */
export interface Column {
  readonly questionId: number
  readonly part: CountedPart['part']
  readonly values: readonly GivenValue[]
  readonly codes: Codes
}

/** Some complete responses to one form, in the order of their ids. */
export interface Segment {
  readonly count: number
  readonly ids: Buffer
  /** When each was begun, in milliseconds since 1970. */
  readonly begun: Float64Array
  /** How long each took, in milliseconds. */
  readonly took: Float64Array
  readonly columns: readonly Column[]
  /** Places of those that changed after they were complete: an earlier segment may hold them as they were. */
  readonly changed: readonly number[]
  /** 1 for each that a later segment holds as it is now. */
  readonly replaced: Uint8Array
}

/** Puts responses into columns. */
export function segmentOf(rows: readonly SegmentRow[], asked: Asked): Segment {
  const sorted = [...rows].sort((one, other) => (one.id < other.id ? -1 : 1))
  const columns = new Map<string, NewColumn>()
  sorted.forEach(({ revision, answers }, place) => {
    const questions = asked.ofRevision(revision)
    for (const { questionId, value } of JSON.parse(answers) as StoredAnswer[]) {
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
    columns: [...columns.values()].map((column) => column.finished()),
    changed: sorted.flatMap(({ submittedAt, updatedAt }, place) => (submittedAt === updatedAt ? [] : place)),
  }
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

function bare(ids: Buffer): Pick<Segment, 'count' | 'ids' | 'replaced'> {
  const count = ids.length / ID_BYTES
  return { count, ids, replaced: new Uint8Array(count) }
}

function narrow(codes: Uint32Array, most: number): Codes {
  return most < 256 ? Uint8Array.from(codes) : most < 65_536 ? Uint16Array.from(codes) : codes
}

export function idBytes(id: string): Buffer {
  return Buffer.from(id.slice(2), 'hex')
}

/** The id of the response at a place. */
export function idAt({ ids }: Segment, place: number): string {
  return `r_${ids.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)}`
}

/** Where a response is in a segment; -1 where it is not. */
export function placeOf({ ids, count }: Segment, id: Buffer): number {
  let [low, high] = [0, count - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = ids.compare(id, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES)
    if (order === 0) return middle
    // Of what `compare` is called on against what it is given.
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Has those of the earlier segments pass for replaced that `later` holds as they are now. */
export function replaceEarlier(earlier: readonly Segment[], later: Segment): void {
  for (const place of later.changed) {
    const id = later.ids.subarray(place * ID_BYTES, (place + 1) * ID_BYTES)
    for (const segment of earlier) {
      const found = placeOf(segment, id)
      if (found >= 0) segment.replaced[found] = 1
    }
  }
}

/** About how many bytes it takes in memory. */
export function sizeOf({ count, columns }: Segment): number {
  let size = count * 33
  for (const { codes, values } of columns) size += codes.byteLength + values.length * 100
  return size
}

/** As the database keeps it. */
export function writeSegment({ ids, begun, took, columns, changed }: Segment): string {
  return JSON.stringify({
    ids: ids.toString('base64'),
    begun: base64Of(begun),
    took: base64Of(took),
    changed,
    columns: columns.map(({ questionId, part, values, codes }) => [
      questionId,
      part,
      values.map(({ revision, value }) => [revision, value]),
      base64Of(codes),
    ]),
  })
}

interface Written {
  ids: string
  begun: string
  took: string
  changed: number[]
  columns: [questionId: number, part: number | null, values: [revision: number, value: unknown][], codes: string][]
}

export function readSegment(text: string): Segment {
  const { ids, begun, took, changed, columns } = JSON.parse(text) as Written
  return {
    ...bare(Buffer.from(ids, 'base64')),
    begun: new Float64Array(bytesOf(begun)),
    took: new Float64Array(bytesOf(took)),
    changed,
    columns: columns.map(([questionId, part, given, codes]) => ({
      questionId,
      part,
      values: given.map(([revision, value]) => ({ revision, value })),
      codes: codesOf(bytesOf(codes), given.length),
    })),
  }
}

function codesOf(bytes: ArrayBuffer, most: number): Codes {
  return most < 256 ? new Uint8Array(bytes) : most < 65_536 ? new Uint16Array(bytes) : new Uint32Array(bytes)
}

function base64Of({ buffer, byteOffset, byteLength }: Codes | Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** In a buffer of their own, where numbers of any width can be read. */
function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(text, 'base64')).buffer
}
