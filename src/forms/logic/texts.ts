import { writeMoney } from '../../lib/language/amounts.ts'
import type { QuestionType } from '../question-types/index.ts'

/*
 * Answers, hidden values and variables in texts (decisions §21), as the server and the script of a form's page put them
 * there.
 */

/**
 * What a name stands for: '' without an answer, null for one that the form does not have. A number that `isMoney` is
 * written as sums are.
 */
export type ValueFor = (name: string, isMoney?: boolean) => string | null

/** The most that is put into one text, in characters: twice the longest answer. */
const MOST = 20_000

/** Of a question or variable, or `hidden.` and what a hidden field is called. */
const NAME = /\{([A-Z][A-Z0-9_]*|hidden\.[a-z0-9_]+)\}/g

/** What makes money of a number that stands beside it. */
const CURRENCY = String.raw`(?:\p{Sc}|\b(?:AUD|CAD|CHF|CZK|DKK|EUR|GBP|HUF|NOK|NZD|PLN|SEK|USD|kr|zł)(?![\p{L}\d]))`
const AFTER_CURRENCY = new RegExp(`${CURRENCY}(?:\\s|&nbsp;)?$`, 'u')
const BEFORE_CURRENCY = new RegExp(`^(?:\\s|&nbsp;)?${CURRENCY}`, 'u')
/** More than a currency and the space between takes. */
const BESIDE = 10

/** Whether anything is to be put into a text. */
export function hasNames(text: string): boolean {
  return text.search(NAME) >= 0
}

/**
 * A text with what its names in braces stand for; names that the form does not have stay as they were typed. `write` says
 * how a value stands in such a text. Names in values are values.
 * Numbers beside a currency are written as sums are.
 */
export function fill(text: string, valueFor: ValueFor, write: (value: string) => string = (value) => value): string {
  let room = MOST
  return text.replace(NAME, (typed: string, name: string, at: number) => {
    const end = at + typed.length
    const isMoney =
      AFTER_CURRENCY.test(text.slice(Math.max(0, at - BESIDE), at)) ||
      BEFORE_CURRENCY.test(text.slice(end, end + BESIDE))
    const value = valueFor(name, isMoney)
    if (value === null) return typed
    const cut = value.length <= room ? value : `${value.slice(0, room)}…`
    room = Math.max(0, room - value.length)
    return value === '' || cut === '…' ? '' : write(cut)
  })
}

/** The same for sanitised HTML: a value is text there, and a part of an address within a link's. */
export function fillHtml(html: string, valueFor: ValueFor): string {
  if (!hasNames(html)) return html
  return html
    .split(/(<[^>]*>)/)
    .map((part) => fill(part, valueFor, part.startsWith('<') ? inAddress : escaped))
    .join('')
}

/** Lone surrogates have no percent-encoding. */
function inAddress(value: string): string {
  return escaped(encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd')))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
}

/**
 * A question as a definition has it, with the fields of its type. In another language than the form's own, labels have
 * their twins there beside them, in the same order (`labels` of `options`).
 */
export interface SpokenQuestion {
  readonly id: number
  readonly friendlyId: string | null
  readonly type: QuestionType
  readonly [setting: string]: unknown
}

/** What texts of one response may name. */
export interface Said {
  /** The answer to a question by its id; null for none, and for a question that is not shown. */
  answerOf(questionId: number): unknown
  /** Of all variables, by name. */
  readonly variables: Readonly<Record<string, number>>
  /** Names of all hidden fields of the form, and the values that came. */
  readonly hiddenNames: readonly string[]
  readonly hidden: Readonly<Record<string, string>>
}

/** What the names of a form stand for in one response; `locale` (BCP 47) is that of the text's reader. */
export function valuesIn(questions: readonly SpokenQuestion[], said: Said, locale: string): ValueFor {
  const named = new Map(questions.map((question) => [question.friendlyId, question]))
  return (name, isMoney = false) => {
    const [, hidden] = name.split('hidden.')
    if (hidden !== undefined) return said.hiddenNames.includes(hidden) ? (said.hidden[hidden] ?? '') : null
    const question = named.get(name)
    const answer = question && said.answerOf(question.id)
    if (question && !(isMoney && typeof answer === 'number')) return spoken(question, answer, locale)
    const number = question ? answer : Object.hasOwn(said.variables, name) ? said.variables[name] : null
    return typeof number === 'number' ? spokenNumber(number, locale, isMoney) : null
  }
}

/**
 * A stored answer as it stands in a sentence, in one line; '' for none. A payment says what is to be paid, contact details
 * whose they are, and what was drawn nothing. `locale` (BCP 47) is how numbers and dates are written.
 */
export function spoken(question: SpokenQuestion, answer: unknown, locale: string): string {
  if (answer === null || answer === undefined) return ''
  return speakers[question.type](answer as never, question, locale)
}

const PRECISE = { maximumFractionDigits: 10 }

/** Whether nothing is left of the decimals of a sum once it is rounded. */
const isWholeSum = (value: number) => Number.isInteger(Number(value.toFixed(2)))

/**
 * A number as it stands in a text; of four digits it may be a year, and is not grouped. A sum of money is whole or has
 * two decimals.
 */
export function spokenNumber(value: number, locale: string, isMoney = false): string {
  const decimals = isMoney ? { maximumFractionDigits: 2, minimumFractionDigits: isWholeSum(value) ? 0 : 2 } : PRECISE
  return new Intl.NumberFormat(locale, { useGrouping: 'min2', ...decimals }).format(value)
}

/** How the answers of a type are said; a type without an entry does not compile. */
const speakers: {
  readonly [T in QuestionType]: (answer: never, question: SpokenQuestion, locale: string) => string
} = {
  choose_one: choice,
  dropdown: choice,
  choose_any: choice,
  multi_dropdown: choice,
  likert: scales,
  likert_slider: scales,
  nps: number,
  star_rating: number,
  numeric: number,
  binary: (answer: boolean, { trueLabel, falseLabel }) => String(answer ? trueLabel : falseLabel),
  textbox: (answer: string) => answer,
  matrix: (answer: { row: number; column: number }[], question) => {
    const [rows, columns] = [
      labels(question, 'rowLabels', 'rowHeadings'),
      labels(question, 'columnLabels', 'columnHeadings'),
    ]
    return list(answer.map(({ row, column }) => `${rows[row] ?? row}: ${columns[column] ?? column}`))
  },
  ranking: (answer: string[], question) =>
    list(answer.map((label) => twin(question, 'rankLabels', 'rankOptions', label))),
  contact_details: (answer: Record<string, string | null>) => {
    const { first_name: first, last_name: last, email, ...others } = answer
    const name = [first, last].filter(Boolean).join(' ')
    return name || email || list(Object.values(others).filter((value) => value !== null))
  },
  date: (answer: string, _question, locale) => date(answer, locale),
  date_range: ({ from, to }: { from: string | null; to: string | null }, _question, locale) =>
    [from, to].flatMap((end) => (end ? date(end, locale) : [])).join(' – '),
  file_upload: (answer: { fileName?: string }[]) => list(answer.flatMap(({ fileName }) => fileName ?? [])),
  signature: () => '',
  payment: ({ amount, currency }: { amount?: number | null; currency?: string | null }, _question, locale) =>
    amount && currency ? writeMoney(amount, currency, locale) : '',
}

const list = (parts: readonly string[]) => parts.join(', ')

function number(answer: number, _question: SpokenQuestion, locale: string): string {
  return spokenNumber(answer, locale)
}

function choice({ selected, other }: Choice, question: SpokenQuestion): string {
  const chosen = [selected ?? []].flat().map((label) => twin(question, 'labels', 'options', label))
  return list([...chosen, ...(other === null || other === undefined ? [] : [other])])
}

interface Choice {
  selected: string | string[] | null
  other?: string | null
}

function scales(answer: { scale: number; value: number }[], question: SpokenQuestion, locale: string): string {
  const ends = (question.scaleLabels ?? question.scales) as { text: string; opposingText: string }[]
  return list(
    answer.map(({ scale, value }) => {
      const said = spokenNumber(value, locale)
      const { text, opposingText } = ends[scale] ?? { text: '', opposingText: '' }
      return ends.length === 1 ? said : `${text} – ${opposingText}: ${said}`
    }),
  )
}

function labels(question: SpokenQuestion, there: string, here: string): readonly string[] {
  return (question[there] ?? question[here] ?? []) as readonly string[]
}

/** A label of the form's own language in that of whoever reads it. */
function twin(question: SpokenQuestion, there: string, here: string, label: string): string {
  const place = ((question[here] ?? []) as readonly string[]).indexOf(label)
  return labels(question, there, here)[place] ?? label
}

/** `2026-03-01` or `2026-03-01T09:00`, as people write it; whatever else was typed stays. */
function date(text: string, locale: string): string {
  const [, day, time] = /^(\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(text) ?? []
  const ms = Date.parse(`${day}T${time ?? '00:00'}:00Z`)
  if (Number.isNaN(ms)) return text
  const style: Intl.DateTimeFormatOptions = { dateStyle: 'long', timeZone: 'UTC' }
  if (time) style.timeStyle = 'short'
  return new Intl.DateTimeFormat(locale, style).format(ms)
}
