import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import { type Columns, columnsOf } from './columns.ts'
import { isRead } from './counted.ts'
import { type AnswerFilter, askedNow, fits } from './filters.ts'
import { type Chosen, Latest, NewestFirst } from './newest.ts'
import { responseIdsOf, type Whose } from './people.ts'
import { type Column, idBytes, placeOf, type Segment, timeOf, timesOfIds } from './segment.ts'
import type { Result, Tally } from './tally/result.ts'
import { tallyFor } from './tally.ts'

const DAY = 86_400_000

/** Days, from their first to the last; either may be open. */
export interface Period {
  /** `2026-03-01`, in UTC. */
  from: string | null
  to: string | null
}

/** Which complete responses are added up. */
export interface ResultSelection {
  readonly period: Period
  readonly filters?: readonly AnswerFilter[]
  readonly whose?: Whose | null
}

export interface QuestionResult {
  question: NumberedQuestion
  /** Whether the form no longer asks it. */
  isGone: boolean
  result: Result
  /** Of answers that are read and not counted: ids of the newest responses that have one, newest first. */
  latest: string[]
}

/** What the complete responses to a form come to. */
export interface FormResults {
  /** Complete ones that were begun in the period. */
  count: number
  /** By the day they were begun, oldest first; days without any are left out. */
  days: { day: string; count: number }[]
  /** Half of them took no longer, in milliseconds; null without any. */
  medianTime: number | null
  questions: QuestionResult[]
}

/** The responses to a form, of all its revisions, as they are now: ready to be added up. */
export class ResponsesInColumns {
  readonly #theirs = new Map<string, Uint8Array[]>()

  private constructor(
    private readonly db: Reader,
    private readonly tenantId: string,
    private readonly form: FormRecord,
    private readonly columns: Columns,
  ) {}

  /** Reads them, but for what is known already. */
  static async of(db: Reader, tenantId: string, form: FormRecord): Promise<ResponsesInColumns> {
    return new ResponsesInColumns(db, tenantId, form, await columnsOf(db, tenantId, form))
  }

  /** Each question that was ever asked, as it was asked last. */
  get questions(): readonly { question: NumberedQuestion; isGone: boolean }[] {
    return this.columns.asked.questions
  }

  /** A question as it was asked in a revision of the form. */
  questionThen(revision: number, questionId: number): NumberedQuestion | undefined {
    return this.columns.asked.ofRevision(revision).get(questionId)
  }

  /** The pages of a revision of the form. */
  pagesOf = (revision: number) => this.columns.asked.pagesOf(revision)

  /**
   * Of all that were begun from one time until another, in milliseconds since 1970: how many are complete, and how many
   * stopped at which page, by its id.
   */
  stops(since: number, until: number): { complete: number; stopped: Map<number, number> } {
    const stopped = new Map<number, number>()
    for (const segment of this.columns.segments) {
      const { begun, replaced, stoppedAt } = segment
      for (let place = 0; place < segment.count; place++) {
        const at = begun[place] as number
        if (replaced[place] !== 0 || at < since || at >= until) continue
        const page = stoppedAt[place] as number
        stopped.set(page, (stopped.get(page) ?? 0) + 1)
      }
    }
    const complete = stopped.get(0) ?? 0
    stopped.delete(0)
    return { complete, stopped }
  }

  /** Adds up those that fit. Throws `invalid_request` for a filter by a question that was never asked. */
  async addUp(selection: ResultSelection): Promise<FormResults> {
    const { asked, segments } = this.columns
    const chosen = await this.#chosen(selection)
    const tallies = new Map(asked.questions.map(({ question }) => [question.id, tallyFor(question)]))
    const latest = new Latest(asked.questions.flatMap(({ question }) => (isRead(question) ? question.id : [])))
    const days = new Map<number, number>()
    const times: Float64Array[] = []
    let count = 0
    for (const [index, segment] of segments.entries()) {
      const { places, mask } = chosen[index] as Chosen
      if (places.length === 0) continue
      count += places.length
      addDays(days, segment, places)
      times.push(timesOf(segment, places))
      for (const column of segment.columns) {
        addColumn(column, mask, tallies.get(column.questionId), asked.ofRevision)
        latest.look(segment, column, places)
      }
    }
    return {
      count,
      days: [...days]
        .sort(([one], [other]) => one - other)
        .map(([day, count]) => ({ day: new Date(day * DAY).toISOString().slice(0, 10), count })),
      medianTime: medianOf(times, count),
      questions: asked.questions.flatMap(({ question, isGone }) => {
        const result = (tallies.get(question.id) as Tally).result()
        return isGone && result.answered === 0 ? [] : { question, isGone, result, latest: latest.of(question.id) }
      }),
    }
  }

  /** Those that fit, to be gone through one by one. Throws as `addUp`. */
  async newestFirst(selection: ResultSelection): Promise<NewestFirst> {
    return new NewestFirst(this.columns.segments, await this.#chosen(selection))
  }

  /** Those of each segment that fit. */
  async #chosen({ period, filters = [], whose = null }: ResultSelection): Promise<Chosen[]> {
    const since = period.from === null ? Number.NEGATIVE_INFINITY : Date.parse(period.from)
    const until = period.to === null ? Number.POSITIVE_INFINITY : Date.parse(period.to) + DAY
    const { asked, segments } = this.columns
    const wanted = filters.map((filter) => ({ filter, now: askedNow(filter, asked) }))
    const theirs = whose === null ? null : await this.#masksOf(whose)
    return segments.map((segment, index) => {
      const { count, begun, replaced, stoppedAt } = segment
      const mask = new Uint8Array(count)
      for (let place = 0; place < count; place++) {
        const at = begun[place] as number
        if (replaced[place] === 0 && stoppedAt[place] === 0 && at >= since && at < until) mask[place] = 1
      }
      const others = theirs === null ? [] : [theirs[index] as Uint8Array]
      others.push(...wanted.map(({ filter, now }) => this.#fitting(segment, filter, now)))
      for (const other of others) {
        for (let place = 0; place < count; place++) if (other[place] === 0) mask[place] = 0
      }
      return { mask, places: placesOf(mask) }
    })
  }

  #fitting(segment: Segment, filter: AnswerFilter, now: NumberedQuestion): Uint8Array {
    const mask = new Uint8Array(segment.count)
    for (const { questionId, part, values, codes } of segment.columns) {
      if (questionId !== filter.questionId) continue
      const fit = values.map(({ revision, value }) => {
        const then = this.columns.asked.ofRevision(revision).get(questionId)
        return then !== undefined && fits(filter, { part, value }, then, now)
      })
      if (!fit.includes(true)) continue
      for (let place = 0; place < segment.count; place++) {
        const code = codes[place] as number
        if (code > 0 && fit[code - 1]) mask[place] = 1
      }
    }
    return mask
  }

  /** By segment, which responses are theirs; the same again for another period. */
  async #masksOf(whose: Whose): Promise<Uint8Array[]> {
    const key = JSON.stringify(whose)
    const known = this.#theirs.get(key)
    if (known) return known
    const { segments } = this.columns
    const masks = segments.map(({ count }) => new Uint8Array(count))
    const spans = segments.map(timesOfIds)
    for (const id of await responseIdsOf(this.db, this.tenantId, this.form.id, whose)) {
      const bytes = idBytes(id)
      const time = timeOf(bytes)
      for (let index = 0; index < segments.length; index++) {
        const span = spans[index] as [number, number]
        if (time < span[0] || time > span[1]) continue
        const place = placeOf(segments[index] as Segment, bytes)
        if (place >= 0) (masks[index] as Uint8Array)[place] = 1
      }
    }
    this.#theirs.set(key, masks)
    return masks
  }
}

/** Counts days of those that are meant. Most were begun on the same day as the one before. */
function addDays(days: Map<number, number>, { begun }: Segment, places: Uint32Array): void {
  let [today, count] = [Number.NaN, 0]
  const finish = () => count > 0 && days.set(today, (days.get(today) ?? 0) + count)
  for (let index = 0; index < places.length; index++) {
    const day = Math.floor((begun[places[index] as number] as number) / DAY)
    if (day !== today) {
      finish()
      today = day
      count = 0
    }
    count += 1
  }
  finish()
}

function timesOf({ took }: Segment, places: Uint32Array): Float64Array {
  const times = new Float64Array(places.length)
  for (let index = 0; index < places.length; index++) times[index] = took[places[index] as number] as number
  return times
}

function placesOf(mask: Uint8Array): Uint32Array {
  const places = new Uint32Array(mask.length)
  let count = 0
  for (let place = 0; place < mask.length; place++) if (mask[place] === 1) places[count++] = place
  return places.subarray(0, count)
}

function addColumn(
  { questionId, part, values, codes }: Column,
  mask: Uint8Array,
  tally: Tally | undefined,
  questionsOf: (revision: number) => ReadonlyMap<number, NumberedQuestion>,
): void {
  const counts = new Uint32Array(values.length + 1)
  for (let place = 0; place < mask.length; place++) {
    // Multiplying by the mask avoids a branch: responses that are not meant count as unanswered.
    const code = (codes[place] as number) * (mask[place] as number)
    counts[code] = (counts[code] as number) + 1
  }
  values.forEach(({ revision, value }, index) => {
    const times = counts[index + 1] as number
    const then = questionsOf(revision).get(questionId)
    if (times > 0 && then) tally?.add({ part, value }, then, times)
  })
}

/** The upper median of all of them. */
function medianOf(parts: readonly Float64Array[], count: number): number | null {
  if (count === 0) return null
  const all = new Float64Array(count)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all.sort()[count >> 1] as number
}
