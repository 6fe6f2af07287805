import type { NumberedQuestion, PaymentAnswer, QuestionType } from '../../forms/question-types/index.ts'
import type { ChoiceAnswer, CountedPart } from './counted.ts'

/** Labels of choices that are told apart: what earlier revisions offered adds to those of today. */
const MOST_LABELS = 1000
/** Bars that numbers are shown in, at most. */
const MOST_BARS = 20

export interface Counted {
  label: string
  count: number
}

/** Numbers, and how often each, or each range of them, was given. */
export interface Numbers {
  count: number
  average: number
  min: number
  max: number
  /** `to` is the same as `from` where each number is on its own. */
  bars: { from: number; to: number; count: number }[]
}

/** What the answers to one question come to. `answered` counts the responses that answer it. */
export type Result = { answered: number } & (
  | { kind: 'choices'; counts: Counted[]; other: number; several: boolean }
  | { kind: 'nps'; numbers: Numbers; detractors: number; passives: number; promoters: number; score: number }
  | { kind: 'numbers'; numbers: Numbers }
  | { kind: 'scales'; scales: { low: string; high: string; numbers: Numbers }[] }
  | { kind: 'matrix'; columns: string[]; rows: { label: string; counts: number[] }[] }
  | { kind: 'ranking'; items: { label: string; average: number; count: number }[] }
  | { kind: 'payments'; counts: { status: string; count: number }[]; paid: { currency: string; amount: number }[] }
  | { kind: 'texts' }
)

/** Adds the answers to one question up, as `countedParts` takes them apart, with the question as it was asked then. */
export interface Tally {
  /** `times` is how many responses give the same. */
  add(part: CountedPart, asked: NumberedQuestion, times: number): void
  result(): Result
}

/** A tally for a question as it is asked now: labels that it no longer has come after those of today. */
export function tallyFor(question: NumberedQuestion): Tally {
  return makers[question.type](question)
}

type Maker = (question: NumberedQuestion) => Tally

/** Widens what a question's settings are to what its type has; the table below is by type. */
const settingsOf = <T extends QuestionType>(question: NumberedQuestion, _type: T) =>
  question.settings as Extract<NumberedQuestion, { type: T }>['settings']

const makers: { readonly [T in QuestionType]: Maker } = {
  choose_one: choices,
  dropdown: choices,
  choose_any: choices,
  multi_dropdown: choices,
  binary,
  nps,
  star_rating: stars,
  numeric: numbers,
  likert: scales,
  likert_slider: scales,
  matrix,
  ranking,
  payment: payments,
  textbox: texts,
  contact_details: texts,
  date: texts,
  date_range: texts,
  file_upload: texts,
  signature: texts,
}

/** Counts by label: those of today in their order, then what was offered before. */
class Labels {
  readonly counts: Map<string, number>

  constructor(labels: readonly string[]) {
    this.counts = new Map(labels.map((label) => [label, 0]))
  }

  add(label: string, by = 1): void {
    const before = this.counts.get(label)
    if (before === undefined && this.counts.size >= MOST_LABELS) return
    this.counts.set(label, (before ?? 0) + by)
  }

  list(): Counted[] {
    return [...this.counts].map(([label, count]) => ({ label, count }))
  }
}

function choices(question: NumberedQuestion): Tally {
  const labels = new Labels(settingsOf(question, 'choose_one').options)
  let [answered, other] = [0, 0]
  return {
    add({ value }, _asked, times) {
      const given = value as ChoiceAnswer
      answered += times
      for (const label of [given.selected ?? []].flat()) labels.add(label, times)
      if (given.other !== null) other += times
    },
    result: () => ({
      kind: 'choices',
      answered,
      counts: labels.list(),
      other,
      several: question.type === 'choose_any' || question.type === 'multi_dropdown',
    }),
  }
}

function binary(question: NumberedQuestion): Tally {
  const { trueLabel, falseLabel } = settingsOf(question, 'binary')
  const counts = [0, 0]
  return {
    add({ value }, _asked, times) {
      counts[value ? 0 : 1] = (counts[value ? 0 : 1] as number) + times
    },
    result: () => ({
      kind: 'choices',
      answered: (counts[0] as number) + (counts[1] as number),
      counts: [trueLabel, falseLabel].map((label, index) => ({ label, count: counts[index] as number })),
      other: 0,
      several: false,
    }),
  }
}

/** Numbers as they come in. */
class Sample {
  readonly #counts = new Map<number, number>()
  #count = 0
  #sum = 0

  add(value: number, times: number): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + times)
    this.#count += times
    this.#sum += value * times
  }

  /** Each whole number from `first` to `last` has a bar, where they are few; without them, whatever was given. */
  numbers(first?: number, last?: number): Numbers {
    const given = [...this.#counts.keys()]
    const min = given.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
    const max = given.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
    const bounds = { min: this.#count === 0 ? 0 : min, max: this.#count === 0 ? 0 : max }
    const average = this.#count === 0 ? 0 : this.#sum / this.#count
    const [low, high] = [Math.min(first ?? bounds.min, bounds.min), Math.max(last ?? bounds.max, bounds.max)]
    const from = first !== undefined && this.#count === 0 ? first : low
    const to = last !== undefined && this.#count === 0 ? last : high
    return {
      count: this.#count,
      average,
      ...bounds,
      bars: this.#count === 0 && first === undefined ? [] : this.#bars(from, to),
    }
  }

  /** Whole numbers that are few have a bar each, others about ten ranges of which the last takes in its end. */
  #bars(low: number, high: number): Numbers['bars'] {
    const isWhole = [...this.#counts.keys()].every(Number.isInteger)
    const each = isWhole && high - low < MOST_BARS
    const width = each ? 1 : isWhole ? Math.ceil((high - low) / 10) : (high - low) / 10 || 1
    const amount = each ? high - low + 1 : Math.max(1, Math.ceil((high - low) / width))
    const bars = Array.from({ length: Math.min(amount, MOST_BARS) }, (_, index) => {
      const from = low + index * width
      const to = each ? from : index === amount - 1 ? high : from + width - (isWhole ? 1 : 0)
      return { from, to, count: 0 }
    })
    for (const [value, count] of this.#counts) {
      const bar = bars[Math.min(amount - 1, Math.floor((value - low) / width))]
      if (bar) bar.count += count
    }
    return bars
  }
}

function nps(): Tally {
  const sample = new Sample()
  const groups = { detractors: 0, passives: 0, promoters: 0 }
  return {
    add({ value }, _asked, times) {
      const points = value as number
      sample.add(points, times)
      groups[points >= 9 ? 'promoters' : points >= 7 ? 'passives' : 'detractors'] += times
    },
    result() {
      const numbers = sample.numbers(0, 10)
      const { count } = numbers
      const score = count === 0 ? 0 : Math.round(((groups.promoters - groups.detractors) / count) * 100)
      return { kind: 'nps', answered: count, numbers, ...groups, score }
    },
  }
}

function stars(question: NumberedQuestion): Tally {
  return sampled(question, 1, settingsOf(question, 'star_rating').maxStars)
}

function numbers(question: NumberedQuestion): Tally {
  return sampled(question)
}

function sampled(_question: NumberedQuestion, first?: number, last?: number): Tally {
  const sample = new Sample()
  return {
    add: ({ value }, _asked, times) => sample.add(value as number, times),
    result() {
      const numbers = sample.numbers(first, last)
      return { kind: 'numbers', answered: numbers.count, numbers }
    },
  }
}

function scales(question: NumberedQuestion): Tally {
  const { scales, scaleStart, scaleEnd } = settingsOf(question, 'likert')
  const key = (low: string, high: string) => JSON.stringify([low, high])
  const samples = new Map(
    scales.map(({ text: low, opposingText: high }) => [key(low, high), { low, high, sample: new Sample() }]),
  )
  let answered = 0
  return {
    add({ part, value }, asked, times) {
      if (part === null) {
        answered += times
        return
      }
      const ends = settingsOf(asked, 'likert').scales[part]
      if (!ends) return
      const { text: low, opposingText: high } = ends
      const known = samples.get(key(low, high)) ?? { low, high, sample: new Sample() }
      samples.set(key(low, high), known)
      known.sample.add(value as number, times)
    },
    result: () => ({
      kind: 'scales',
      answered,
      scales: [...samples.values()].map(({ low, high, sample }) => ({
        low,
        high,
        numbers: sample.numbers(scaleStart, scaleEnd),
      })),
    }),
  }
}

function matrix(question: NumberedQuestion): Tally {
  const { rowHeadings, columnHeadings } = settingsOf(question, 'matrix')
  const rows = new Map(rowHeadings.map((label) => [label, new Labels(columnHeadings)]))
  let answered = 0
  return {
    add({ part, value }, asked, times) {
      if (part === null) {
        answered += times
        return
      }
      const then = settingsOf(asked, 'matrix')
      const [rowLabel, columnLabel] = [then.rowHeadings[part], then.columnHeadings[value as number]]
      if (rowLabel === undefined || columnLabel === undefined) return
      const labels = rows.get(rowLabel) ?? new Labels(columnHeadings)
      rows.set(rowLabel, labels)
      labels.add(columnLabel, times)
    },
    result() {
      const columns = [...new Set([...rows.values()].flatMap(({ counts }) => [...counts.keys()]))]
      return {
        kind: 'matrix',
        answered,
        columns,
        rows: [...rows].map(([label, { counts }]) => ({
          label,
          counts: columns.map((column) => counts.get(column) ?? 0),
        })),
      }
    },
  }
}

function ranking(question: NumberedQuestion): Tally {
  const { rankOptions } = settingsOf(question, 'ranking')
  const places = new Map(rankOptions.map((label) => [label, { sum: 0, count: 0 }]))
  let answered = 0
  return {
    add({ part, value }, _asked, times) {
      if (part === null) {
        answered += times
        return
      }
      const label = value as string
      const known = places.get(label) ?? { sum: 0, count: 0 }
      if (!places.has(label) && places.size >= MOST_LABELS) return
      places.set(label, { sum: known.sum + (part + 1) * times, count: known.count + times })
    },
    result: () => ({
      kind: 'ranking',
      answered,
      items: [...places]
        .map(([label, { sum, count }]) => ({ label, count, average: count === 0 ? 0 : sum / count }))
        .sort((one, other) => (one.average || Number.MAX_VALUE) - (other.average || Number.MAX_VALUE)),
    }),
  }
}

function payments(): Tally {
  const counts = new Map([
    ['paid', 0],
    ['pending', 0],
    ['not_due', 0],
  ])
  const paid = new Labels([])
  let answered = 0
  return {
    add({ value }, _asked, times) {
      const { status, amount, currency } = value as PaymentAnswer
      answered += times
      counts.set(status, (counts.get(status) ?? 0) + times)
      if (status === 'paid' && amount !== null && currency !== null) paid.add(currency, amount * times)
    },
    result: () => ({
      kind: 'payments',
      answered,
      counts: [...counts].map(([status, count]) => ({ status, count })),
      paid: paid.list().map(({ label, count }) => ({ currency: label, amount: count })),
    }),
  }
}

/** How many there are; which ones the latest are, is for `latest-texts.ts`. */
function texts(): Tally {
  let answered = 0
  return {
    add(_part, _asked, times) {
      answered += times
    },
    result: () => ({ kind: 'texts', answered }),
  }
}
