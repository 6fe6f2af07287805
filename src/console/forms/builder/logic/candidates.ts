import type { QuestionCondition, Variable } from '../../../../forms/logic/model.ts'
import { kindOf } from '../../../../forms/logic/subjects.ts'
import type { FormQuestion } from '../../../../forms/pages.ts'
import { entryOf } from '../../../../forms/question-types/table.ts'

/* Answers that make a difference to conditions: one of each kind that they tell apart, and none. */

/** No more answers to one question are tried than this; what has more is not judged. */
const MOST = 128
/** Steps of a scale that may each matter to a formula. */
const MOST_STEPS = 21
/** What is typed for a free answer: to conditions it is its label. */
const OTHER = '\u2026'
/** Labels of which any may be chosen together. */
const MOST_LABELS = 6

/**
 * Answers to a question in their stored shape, undefined for none, so that whatever holds for some answer holds for one of
 * these; null where there would be too many. `asked` are the conditions about it; `inFormula` where its number counts.
 */
export function candidatesFor(
  question: FormQuestion,
  asked: readonly QuestionCondition[],
  inFormula: boolean,
): readonly unknown[] | null {
  const answers = answersTo(question, asked, inFormula)
  return answers && answers.length <= MOST ? [...answers, undefined] : null
}

function answersTo(question: FormQuestion, asked: readonly QuestionCondition[], inFormula: boolean): unknown[] | null {
  const named = (of: readonly QuestionCondition[] = asked) =>
    of.flatMap(({ value }) => (value === undefined ? [] : [value].flat()))
  const texts = named().map(String)
  const whole = (least: number, most: number, of: readonly unknown[] = named()): number[] | null => {
    if (!inFormula) return within(around(of.map(Number)), least, most)
    return most - least < MOST_STEPS ? Array.from({ length: most - least + 1 }, (_, step) => least + step) : null
  }
  switch (question.type) {
    case 'choose_one':
    case 'dropdown':
      return [
        ...likely(question, texts).map((selected) => ({ selected, other: null })),
        ...(typeof question.otherText === 'string' ? [{ selected: null, other: OTHER }] : []),
      ]
    case 'choose_any':
    case 'multi_dropdown':
      return chosen(question, texts)
    case 'binary':
      return [true, false]
    case 'nps':
      return whole(0, 10)
    case 'star_rating':
      return whole(1, question.maxStars as number)
    case 'likert':
    case 'likert_slider':
      return scaled(question, (scale) =>
        whole(
          question.scaleStart as number,
          question.scaleEnd as number,
          named(asked.filter((one) => (one.scale ?? 0) === scale)),
        ),
      )
    case 'numeric':
      return inFormula ? null : around(named().map(Number))
    case 'date':
      return days(texts)
    case 'textbox':
      if (kindOf(question) === 'number')
        return inFormula ? null : around(named().map(Number)).map((one) => String(Math.round(one)))
      return written(texts)
    default:
      return [sampleOf(question)]
  }
}

/** Values of a hidden field that conditions tell apart. */
export const hiddenCandidates = (values: readonly unknown[]): string[] => ['', ...written(values.flat().map(String))]

/** The names that a formula uses, and by its variables those that they use. */
export function namesUsed(formula: string, variables: readonly Variable[], seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of formula.matchAll(/\{([A-Z][A-Z0-9_]*)\}/g)) {
    if (seen.has(name)) continue
    seen.add(name)
    const variable = variables.find((one) => one.name === name)
    if (variable) namesUsed(variable.formula, variables, seen)
  }
  return seen
}

/** The labels that are named, and one that is not. */
function likely({ options }: FormQuestion, texts: readonly string[]): string[] {
  const labels = options as readonly string[]
  const isNamed = (label: string) => texts.includes(label)
  const unnamed = labels.find((label) => !isNamed(label))
  return [...labels.filter(isNamed), ...(unnamed === undefined ? [] : [unnamed])]
}

/** Every choice that can be made of the labels that matter. */
function chosen(question: FormQuestion, texts: readonly string[]): unknown[] | null {
  const labels = likely(question, texts)
  if (labels.length > MOST_LABELS) return null
  const most = (question.maxSelections as number | null) ?? Infinity
  const sets = Array.from({ length: 2 ** labels.length - 1 }, (_, set) =>
    labels.filter((_label, at) => ((set + 1) >> at) & 1),
  ).filter(({ length }) => length <= most)
  const free = typeof question.otherText === 'string' ? [[], ...sets].filter(({ length }) => length < most) : []
  return [
    ...sets.map((selected) => ({ selected, other: null })),
    ...free.map((selected) => ({ selected, other: OTHER })),
  ]
}

/** Each scale on its own: what is said of one says nothing of the others. */
function scaled(question: FormQuestion, valuesOf: (scale: number) => number[] | null): unknown[] | null {
  let answers: { scale: number; value: number }[][] = [[]]
  for (const scale of (question.scales as readonly unknown[]).keys()) {
    const values = valuesOf(scale)
    if (values === null || answers.length * values.length > MOST) return null
    answers = answers.flatMap((answer) => values.map((value) => [...answer, { scale, value }]))
  }
  return answers
}

/** Numbers at the edges that conditions draw, beside them and between them. */
function around(values: readonly number[]): number[] {
  const edges = [...new Set(values.filter(Number.isFinite))].sort((one, other) => one - other)
  if (edges.length === 0) return [1]
  const between = edges.slice(1).map((edge, at) => (edge + (edges[at] as number)) / 2)
  return [...edges, ...between, ...edges.flatMap((edge) => [edge - 1, edge + 1])]
}

/** Whole numbers of a range: those of `values` that are in it, and both of its ends. */
function within(values: readonly number[], least: number, most: number): number[] {
  const whole = values.filter((value) => Number.isInteger(value) && value >= least && value <= most)
  return [...new Set([...whole, least, most])]
}

const DAY = 86_400_000

/** The days that are named, and those before and after; with the time where that is named. */
function days(texts: readonly string[]): string[] {
  const named = texts.filter((text) => !Number.isNaN(Date.parse(text)))
  const shifted = (text: string, by: number) =>
    new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + by).toISOString().slice(0, 10) + text.slice(10)
  const all = named.flatMap((text) => [text, shifted(text, -DAY), shifted(text, DAY)])
  return all.length === 0 ? ['2026-01-01'] : [...new Set(all)]
}

/** Texts that are named, all of them together, and another one. */
function written(texts: readonly string[]): string[] {
  const named = [...new Set(texts.filter(Boolean))]
  return [...named, ...(named.length > 1 ? [named.join(' ')] : []), '\u2026']
}

/** Any answer, where conditions ask no more than whether there is one. */
function sampleOf(question: FormQuestion): unknown {
  const entry = entryOf(question)
  const upload = { id: '', fileName: 'a.pdf', contentType: 'application/pdf', size: 1, url: '' }
  const settings = question as never
  return entry.accept(entry.sample(settings, () => 0.5, 'upload') ?? {}, settings, '', {
    upload: () => upload,
    number: () => 1,
  })
}
