import { invalid, rule } from '../../errors.ts'
import { quote, readBoolean, readList, readNumber, readString } from '../../lib/input/read.ts'
import type { Condition, ConditionValue, ShowIf } from '../logic/model.ts'
import { kindOf, operatorsFor, type SubjectKind, takesValue } from '../logic/subjects.ts'
import { MAX_ANSWER_LENGTH } from '../question-types/answers.ts'
import { requireDate } from '../question-types/dates.ts'
import type { Question } from '../question-types/index.ts'
import { MAX_VALUES } from './limits.ts'
import type { GivenCondition, GivenShowIf } from './read.ts'

/** A question as conditions may name it. */
export interface Subject {
  readonly question: Question
  /** The one it has already; null while it has none. */
  readonly id: number | null
}

/** By the name of each variable, the places of the questions in its formula. */
export type VariableSubjects = ReadonlyMap<string, ReadonlySet<number>>

/** Finds what the conditions of one form name, and looks whether they can be asked of it. */
export class Subjects {
  private readonly places = new Map<string | number, number>()

  constructor(
    private readonly subjects: readonly Subject[],
    private readonly variables: VariableSubjects,
  ) {
    for (const [place, { question, id }] of subjects.entries()) {
      if (id !== null) this.places.set(id, place)
      if (question.friendlyId !== null) this.places.set(question.friendlyId, place)
    }
  }

  /**
   * Conditions that name their questions by their place among all of the form, from 0. `before` is the place of the first
   * question that they may not be about. Throws `invalid`, naming the place and the rule.
   */
  find(given: GivenShowIf | null, before: number): ShowIf | null {
    if (given === null) return null
    const { match, conditions, place } = given
    return {
      match,
      conditions: conditions.map((condition, index) =>
        this.condition(condition, before, `${place}.conditions[${index}]`),
      ),
    }
  }

  private condition(given: GivenCondition, before: number, place: string): Condition {
    if ('hidden' in given) return { hidden: given.hidden, ...comparison(given, 'text', null, place) }
    if ('variable' in given) {
      this.requireVariable(given.variable, before, `${place}.variable`)
      return { variable: given.variable, ...comparison(given, 'variable', null, place) }
    }
    const at = this.places.get(given.question)
    const { question } = this.subjects[at ?? -1] ?? {}
    const name = typeof given.question === 'number' ? given.question : quote(given.question)
    if (at === undefined || !question)
      throw invalid(`${place}.question`, rule('form_question_unknown', { question: name }))
    if (at >= before) throw invalid(`${place}.question`, rule('condition_later', { question: name }))
    const { type, settings } = question
    const kind = kindOf({ ...settings, type })
    checkScale(kind, question, given.scale, `${place}.scale`)
    const scale = given.scale === null ? {} : { scale: given.scale }
    return { question: at, ...comparison(given, kind, question, place), ...scale }
  }

  private requireVariable(name: string, before: number, place: string): void {
    const needed = this.variables.get(name)
    if (!needed) throw invalid(place, rule('variable_unknown', { name: quote(name) }))
    const later = [...needed].find((at) => at >= before)
    if (later === undefined) return
    throw invalid(place, rule('condition_later', { question: this.subjects[later]?.question.friendlyId ?? later }))
  }
}

function checkScale(kind: SubjectKind, { settings }: Question, scale: number | null, place: string): void {
  if (scale === null) return
  if (kind !== 'scale') throw invalid(place, rule('condition_no_scales'))
  const most = 'scales' in settings ? settings.scales.length - 1 : 0
  if (scale < 0 || scale > most) throw invalid(place, rule('between', { least: 0, most }))
}

function comparison(
  { op, value }: GivenCondition,
  kind: SubjectKind,
  question: Question | null,
  place: string,
): Pick<Condition, 'op' | 'value'> {
  const choices = operatorsFor[kind]
  if (!choices.includes(op)) throw invalid(`${place}.op`, rule('one_of', { choices: choices.join(', ') }))
  if (!takesValue(op)) return { op }
  const at = `${place}.value`
  const read = (one: unknown, where: string) => readValue(one, kind, question, where)
  if (op !== 'one_of') return { op, value: read(value, at) }
  const values = readList(value, MAX_VALUES, at)
  if (values.length === 0) throw invalid(at, rule('too_few_items', { count: 1 }))
  return { op, value: values.map((one, index) => read(one, `${at}[${index}]`) as string | number) }
}

type OneValue = Exclude<ConditionValue, readonly unknown[]>

function readValue(value: unknown, kind: SubjectKind, question: Question | null, place: string): OneValue {
  switch (kind) {
    case 'yes_no':
      return readBoolean(value, place)
    case 'number':
    case 'scale':
    case 'variable':
      return readNumber(value, place)
    case 'choice':
    case 'choices':
      return requireLabel(readString(value, MAX_ANSWER_LENGTH, place), question, place)
    case 'date': {
      const text = readString(value, MAX_ANSWER_LENGTH, place)
      const { settings } = question as Question
      // A day is enough for a question that asks for a time, too.
      const hasTime = 'collectTime' in settings && settings.collectTime && text.includes('T')
      requireDate(text, hasTime, place)
      return text
    }
    default: {
      const text = readString(value, MAX_ANSWER_LENGTH, place)
      if (text.trim() === '') throw invalid(place, rule('not_blank'))
      return text
    }
  }
}

function requireLabel(label: string, question: Question | null, place: string): string {
  const { settings } = question as Question
  const labels = 'options' in settings ? [...settings.options, settings.otherText] : []
  if (!labels.includes(label)) throw invalid(place, rule('condition_label', { text: quote(label) }))
  return label
}
