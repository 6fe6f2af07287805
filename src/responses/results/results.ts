import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import { pausing } from '../../lib/concurrency/pausing.ts'
import { type Columns, columnsOf } from './columns/columns.ts'
import { ID_BYTES, placeOf, type Segment, timeOf, timesOfIds } from './columns/segment.ts'
import { isRead } from './counted.ts'
import { addColumn, addDays, addVariable, medianOf, placesOf, timesOf } from './counting.ts'
import { type AnswerFilter, askedNow, fits } from './filters.ts'
import { type Chosen, Latest, NewestFirst } from './newest.ts'
import { Audience, type EndCount } from './paths/audience.ts'
import type { Path } from './paths/path.ts'
import { type Way, waysOf } from './paths/ways.ts'
import { responseIdsOf, type Whose } from './people.ts'
import type { Numbers, Result, Tally } from './tally/result.ts'
import { Sample } from './tally/sample.ts'
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
  /** What they were answered in (BCP 47). */
  readonly language?: string | null
}

export interface QuestionResult {
  question: NumberedQuestion
  /** Whether the form no longer asks it. */
  isGone: boolean
  /** How many responses were asked it: who was not shown it, or was asked something else then, was not. */
  asked: number
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
  /** What each variable came to, those that the form has now first. */
  variables: { name: string; isGone: boolean; numbers: Numbers }[]
  /** Empty where the form never had any but that of its settings. */
  ends: EndCount[]
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

  /** Reads them, but for what is known already. `now` is in milliseconds since 1970. */
  static async of(db: Reader, tenantId: string, form: FormRecord, now: number): Promise<ResponsesInColumns> {
    return new ResponsesInColumns(db, tenantId, form, await columnsOf(db, tenantId, form, now))
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

  /** What is not known was the form's own language. */
  #languageOf({ language }: Pick<Path, 'language'>): string {
    return language ?? this.form.language
  }

  /** The ways of all that were begun from one time until another, in milliseconds since 1970; of one language, or all. */
  ways(since: number, until: number, language: string | null): Promise<Way[]> {
    return waysOf(this.columns.segments, { since, until }, (segment) => this.#inLanguage(segment, language))
  }

  /** Adds up those that fit. Throws `invalid_request` for a filter by a question that was never asked. */
  async addUp(selection: ResultSelection): Promise<FormResults> {
    const { asked, segments } = this.columns
    const chosen = await this.#chosen(selection)
    const audience = new Audience(asked)
    const variables = new Map(this.form.variables.map(({ name }) => [name, new Sample()]))
    const tallies = new Map(asked.questions.map(({ question }) => [question.id, tallyFor(question)]))
    const latest = new Latest(asked.questions.flatMap(({ question }) => (isRead(question) ? question.id : [])))
    const days = new Map<number, number>()
    const times: Float64Array[] = []
    let count = 0
    const pause = pausing()
    for (const [index, segment] of segments.entries()) {
      await pause()
      const { places, mask } = chosen[index] as Chosen
      if (places.length === 0) continue
      count += places.length
      addDays(days, segment, places)
      times.push(timesOf(segment, places))
      audience.add(segment.paths, places)
      for (const column of segment.variables) addVariable(variables, column, places)
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
        const { id } = question
        return isGone && result.answered === 0
          ? []
          : { question, isGone, asked: audience.of(id), result, latest: latest.of(id) }
      }),
      variables: [...variables].map(([name, sample]) => ({
        name,
        isGone: !this.form.variables.some((one) => one.name === name),
        numbers: sample.numbers(),
      })),
      ends: audience.ends(this.form.ends),
    }
  }

  /** Those that fit, to be gone through one by one. Throws as `addUp`. */
  async newestFirst(selection: ResultSelection): Promise<NewestFirst> {
    return new NewestFirst(this.columns.segments, await this.#chosen(selection))
  }

  /** Those of each segment that fit. */
  async #chosen({ period, filters = [], whose = null, language = null }: ResultSelection): Promise<Chosen[]> {
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
      if (language !== null) others.push(this.#maskOf(segment, language))
      for (const other of others) {
        for (let place = 0; place < count; place++) if (other[place] === 0) mask[place] = 0
      }
      return { mask, places: placesOf(mask) }
    })
  }

  /** Which codes of paths are in a language; of which none is known, the form's own. */
  #inLanguage({ paths }: Segment, language: string | null): boolean[] {
    const unknown = { language: null }
    return [unknown, ...paths.values].map((path) => language === null || this.#languageOf(path) === language)
  }

  #maskOf(segment: Segment, language: string): Uint8Array {
    const meant = this.#inLanguage(segment, language)
    return Uint8Array.from(segment.paths.codes, (code) => (meant[code] ? 1 : 0))
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
    const firsts = Float64Array.from(spans, ([first]) => first)
    const lasts = Float64Array.from(spans, ([, last]) => last)
    for await (const ids of responseIdsOf(this.db, this.tenantId, this.form.id, whose)) {
      for (let at = 0; at < ids.length; at += ID_BYTES) {
        const time = timeOf(ids, at)
        for (let index = 0; index < masks.length; index++) {
          if (time < (firsts[index] as number) || time > (lasts[index] as number)) continue
          const place = placeOf(segments[index] as Segment, ids, at)
          if (place >= 0) (masks[index] as Uint8Array)[place] = 1
        }
      }
    }
    this.#theirs.set(key, masks)
    return masks
  }
}
