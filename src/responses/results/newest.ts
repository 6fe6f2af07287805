import { type Column, idAt, idBytes, placesBefore, type Segment, timeOf, timesOfIds } from './columns/segment.ts'

/** Answers that are named beside the number of those to be read. */
const FEW = 5

/** Which responses of a segment are meant. */
export interface Chosen {
  readonly mask: Uint8Array
  readonly places: Uint32Array
}

/** Ids of responses, newest first. */
export class NewestFirst {
  /** The segments, those with the newest responses first. */
  readonly #parts: readonly { segment: Segment; places: Uint32Array; newest: number }[]

  constructor(segments: readonly Segment[], chosen: readonly Chosen[]) {
    this.#parts = segments
      .map((segment, index) => ({
        segment,
        places: (chosen[index] as Chosen).places,
        newest: timesOfIds(segment)[1],
      }))
      .sort((one, other) => other.newest - one.newest)
  }

  /** The first of them, or those that come after one; with a question, those that answer it. */
  after(id: string | null, limit: number, questionId?: number): string[] {
    let found: string[] = []
    for (const { segment, places, newest } of this.#parts) {
      const last = found[limit - 1]
      if (last !== undefined && newest < timeOf(idBytes(last))) break
      found = [...found, ...this.#of(segment, places, id, limit, questionId)].sort().reverse().slice(0, limit)
    }
    return found
  }

  #of(segment: Segment, places: Uint32Array, id: string | null, limit: number, questionId?: number): string[] {
    const column = segment.columns.find((one) => one.questionId === questionId && one.part === null)
    if (questionId !== undefined && !column) return []
    const end = id === null ? segment.count : placesBefore(segment, idBytes(id))
    const found: string[] = []
    for (let index = places.length - 1; index >= 0 && found.length < limit; index--) {
      const place = places[index] as number
      if (place < end && column?.codes[place] !== 0) found.push(idAt(segment, place))
    }
    return found
  }
}

/** Finds the newest responses with an answer to each of some questions. */
export class Latest {
  readonly #found: ReadonlyMap<number, string[]>

  constructor(questionIds: readonly number[]) {
    this.#found = new Map(questionIds.map((id) => [id, []]))
  }

  /** Looks at the responses of a segment that are meant. */
  look(segment: Segment, { questionId, part, codes }: Column, places: Uint32Array): void {
    const found = this.#found.get(questionId)
    if (!found || part !== null) return
    let left = FEW
    for (let index = places.length - 1; index >= 0 && left > 0; index--) {
      const place = places[index] as number
      if (codes[place] === 0) continue
      left -= 1
      found.push(idAt(segment, place))
    }
    found.sort().reverse().splice(FEW)
  }

  of(questionId: number): string[] {
    return this.#found.get(questionId) ?? []
  }
}
