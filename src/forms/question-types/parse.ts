import { invalid, rule } from '../../errors.ts'
import { simpleHtml } from '../../lib/html/sanitise.ts'
import { ownValue, quote, readBoolean, readObject, readString } from '../../lib/input/read.ts'
import { entryOf, findEntry, type Question, questionTypeNames, questionTypes } from './table.ts'
import type { AnyQuestionType, GivesNumber } from './types.ts'

/** The most questions a form holds (api.md §8). */
export const MAX_QUESTIONS = 200
/** The longest question text, before it is sanitised. */
export const MAX_TEXT_LENGTH = 10_000
export const MAX_FRIENDLY_ID_LENGTH = 64

/** What the lists of a form may become on its page, in bytes: it is made while nothing else is served. */
const MAX_PAGE_SIZE = 4 * 1024 * 1024

export const FRIENDLY_ID = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/
/** `showIf` is read once all questions are known. */
const COMMON_FIELDS = ['type', 'text', 'required', 'friendlyId', 'showIf']

const knownFields: ReadonlySet<string> = new Set([
  ...COMMON_FIELDS,
  ...questionTypes.flatMap((entry) => Object.keys(entry.fields)),
])

/** A question and where in the request it stands: `pages[0].questions[3]`. */
export interface PlacedQuestion {
  readonly place: string
  readonly question: Question
}

/**
 * Reads one question of a form to create (api.md §2, decisions §5). Fields of other question types are ignored whatever
 * their value, null counts as omitted. Throws `invalid`, naming the place and the rule.
 */
export function parseQuestion(input: unknown, place: string): Question {
  const given = readObject(input, place)
  const entry = readType(ownValue(given, 'type'), `${place}.type`)
  refuseUnknownFields(given, place)
  return {
    type: entry.type,
    text: readText(ownValue(given, 'text'), `${place}.text`),
    required: readRequired(ownValue(given, 'required'), `${place}.required`),
    friendlyId: readFriendlyId(ownValue(given, 'friendlyId'), `${place}.friendlyId`),
    settings: readSettings(entry, given, place),
  } as Question
}

/**
 * The rules between the questions of one form: how many there are, how long a page they make, no friendlyId twice, and
 * formulas that name variables or questions which give a number (decisions §5). Throws `invalid`, naming the place and the rule.
 */
export function checkForm(questions: readonly PlacedQuestion[], variables: ReadonlySet<string> = new Set()): void {
  if (questions.length > MAX_QUESTIONS) throw invalid('questions', rule('too_many_questions', { most: MAX_QUESTIONS }))
  limitPage(questions)
  const named = byFriendlyId(questions)
  const nameGivesNumber: GivesNumber = (name) => {
    const found = named.get(name)
    return found ? givesNumber(found.question) : variables.has(name) || null
  }
  for (const { place, question } of questions) {
    entryOf(question).checkInForm?.(question.settings, place, nameGivesNumber)
  }
}

function limitPage(questions: readonly PlacedQuestion[]): void {
  let size = 0
  for (const { place, question } of questions) {
    size += entryOf(question).pageSize?.(question.settings) ?? 0
    if (size > MAX_PAGE_SIZE) {
      throw invalid(place, rule('form_page_size'))
    }
  }
}

function readType(value: unknown, place: string): AnyQuestionType {
  const entry = findEntry(value)
  if (!entry) throw invalid(place, rule('one_of', { choices: questionTypeNames.join(', ') }))
  return entry
}

function refuseUnknownFields(given: Record<string, unknown>, place: string): void {
  for (const key of Object.keys(given)) {
    if (!knownFields.has(key)) throw invalid(place, rule('unknown_field_named', { name: quote(key) }))
  }
}

function readText(value: unknown, place: string): string {
  return value === null ? '' : simpleHtml(readString(value, MAX_TEXT_LENGTH, place), place)
}

function readRequired(value: unknown, place: string): boolean {
  return value === null ? false : readBoolean(value, place)
}

function readFriendlyId(value: unknown, place: string): string | null {
  if (value === null) return null
  const friendlyId = readString(value, MAX_FRIENDLY_ID_LENGTH, place)
  if (!FRIENDLY_ID.test(friendlyId)) throw invalid(place, rule('friendly_id'))
  return friendlyId
}

function readSettings(entry: AnyQuestionType, given: Record<string, unknown>, place: string): object {
  const settings: Record<string, unknown> = {}
  for (const name in entry.fields) {
    settings[name] = entry.fields[name]?.read(ownValue(given, name), `${place}.${name}`)
  }
  entry.checkSettings?.(settings, place)
  return settings
}

/** Whether formulas may name the question. */
export function givesNumber(question: Question): boolean {
  const entry = entryOf(question)
  return entry.number !== undefined && (entry.givesNumber?.(question.settings) ?? true)
}

function byFriendlyId(questions: readonly PlacedQuestion[]): Map<string, PlacedQuestion> {
  const named = new Map<string, PlacedQuestion>()
  for (const placed of questions) {
    const { friendlyId } = placed.question
    if (friendlyId === null) continue
    const first = named.get(friendlyId)
    if (first)
      throw invalid(`${placed.place}.friendlyId`, rule('friendly_id_taken', { name: friendlyId, place: first.place }))
    named.set(friendlyId, placed)
  }
  return named
}
