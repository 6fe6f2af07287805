import type { End } from '../../../forms/logic/model.ts'
import type { Paths } from '../columns/segment.ts'
import { countsOf } from '../counting.ts'
import type { Asked } from '../scan.ts'
import type { Path } from './path.ts'

/** How many responses came to an end of the form; null stands for the one of its settings. */
export interface EndCount {
  readonly end: End | null
  readonly count: number
}

/** Counts whom each question was put to, and which ends they came to. */
export class Audience {
  readonly #ofRevision = new Map<number, number>()
  /** By the id of a question, how many it was not shown to of those whose revision has it. */
  readonly #spared = new Map<number, number>()
  readonly #ends = new Map<string, { end: End | null; count: number }>()
  /** Of which nothing is known but that they are complete. */
  #unknown = 0

  constructor(private readonly asked: Asked) {}

  /** Looks at the responses of a segment that are meant. */
  add({ values, codes }: Paths, places: Uint32Array): void {
    const counts = countsOf(codes, values.length, places)
    this.#unknown += counts[0] as number
    values.forEach((path, index) => {
      const count = counts[index + 1] as number
      if (count > 0) this.#take(path, count)
    })
  }

  #take({ revision, skipped, end }: Path, count: number): void {
    addTo(this.#ofRevision, revision, count)
    for (const id of skipped) addTo(this.#spared, id, count)
    const { ends } = this.asked.contentOf(revision)
    if (ends.length === 0) return
    const reached = end === null ? null : (ends[end] ?? null)
    const key = keyOf(reached)
    this.#ends.set(key, { end: reached, count: (this.#ends.get(key)?.count ?? 0) + count })
  }

  /** How many were asked a question. */
  of(questionId: number): number {
    let count = this.#unknown - (this.#spared.get(questionId) ?? 0)
    for (const [revision, some] of this.#ofRevision) {
      if (this.asked.ofRevision(revision).has(questionId)) count += some
    }
    return count
  }

  /** The ends that the form has now, in their order, then that of its settings, then those it no longer has. */
  ends(now: readonly End[]): EndCount[] {
    const first = [...now, null].map((end) => ({ end, count: this.#ends.get(keyOf(end))?.count ?? 0 }))
    const known = new Set(first.map(({ end }) => keyOf(end)))
    const gone = [...this.#ends].flatMap(([key, counted]) => (known.has(key) ? [] : counted))
    return now.length === 0 && gone.length === 0 ? [] : [...first, ...gone]
  }
}

/** An end whose condition has changed is the same to whoever comes there. */
function keyOf(end: End | null): string {
  return end === null ? '' : JSON.stringify([end.thanks, end.redirect])
}

function addTo(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
