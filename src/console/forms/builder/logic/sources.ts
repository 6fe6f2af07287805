import type { Operator } from '../../../../forms/logic/model.ts'
import { kindOf, operatorsFor } from '../../../../forms/logic/subjects.ts'
import type { FormQuestion } from '../../../../forms/pages.ts'
import { cut } from '../../../../lib/text/one-line.ts'
import type { View } from '../../../visit.ts'
import { type Built, lineOf, placedQuestions } from '../draft.ts'
import { namesUsed } from './candidates.ts'

/* What a condition can be about, and how it can compare. */

/** What a condition compares with: what is chosen of a list, or typed. */
export type Kind = 'label' | 'truth' | 'number' | 'date' | 'moment' | 'text' | 'nothing'

export type Option = readonly [value: string, text: string]

export interface Source {
  /** `q12`, `q12:0` for a scale of a question, `hidden:campaign`, `variable:TOTAL`. */
  readonly key: string
  /** As pickers name it, and as sentences do. */
  readonly text: string
  readonly spoken: string
  readonly kind: Kind
  readonly operators: readonly Operator[]
  /** What there is to choose of; none where a value is typed. */
  readonly choices: readonly Option[]
  /** Whether several can be chosen: it includes one then, and is none of them. */
  readonly isMany: boolean
}

/** Of a range of numbers, so many are offered to choose of. */
const MOST_NUMBERS = 21
/** Of a question, so many characters name it. */
const MOST_TEXT = 60

/** What conditions can be about where `before` questions have been asked, in the order of the form. */
export function sourcesOf(view: View, { form, draft }: Pick<Built, 'form' | 'draft'>, before = Infinity): Source[] {
  const { say } = view.wording
  const asked = placedQuestions(draft).filter(({ index }) => index < before)
  const later = placedQuestions(draft).filter(({ index }) => index >= before)
  const notYet = new Set(later.map(({ question }) => question.friendlyId))
  return [
    ...asked.flatMap(({ question, index }) => questionSources(view, question, index)),
    ...form.settings.hidden.map((name): Source => {
      const text = say('logicHidden', { name })
      const spoken = say('logicHiddenSpoken', { name })
      return { key: `hidden:${name}`, text, spoken, kind: 'text', operators: operatorsFor.text, ...typed }
    }),
    ...draft.variables
      .filter(({ formula }) => ![...namesUsed(formula, draft.variables)].some((name) => notYet.has(name)))
      .map(({ name }): Source => {
        const text = say('logicVariable', { name })
        return {
          key: `variable:${name}`,
          text,
          spoken: name,
          kind: 'number',
          operators: operatorsFor.variable,
          ...typed,
        }
      }),
  ]
}

const typed = { choices: [], isMany: false } as const

/** The source with a key; of a question with scales that names none, its first. */
export function sourceAt(sources: readonly Source[], about: string): Source | undefined {
  return sources.find(({ key }) => key === about) ?? sources.find(({ key }) => key === `${about}:0`)
}

function questionSources(view: View, question: FormQuestion, index: number): Source[] {
  const { say } = view.wording
  const line = cut(lineOf(question.text), MOST_TEXT) || say('formQuestion', { number: index + 1 })
  const own = { spoken: say('quoted', { text: line }), operators: operatorsFor[kindOf(question)] }
  const text = `${index + 1}. ${line}`
  const { kind, choices, isMany } = comparedIn(view, question)
  const key = `q${question.id}`
  if (question.type !== 'likert' && question.type !== 'likert_slider')
    return [{ key, text, kind, choices, isMany, ...own }]
  const scales = question.scales as readonly { text: string; opposingText: string }[]
  return scales.map(({ text: low, opposingText: high }, scale) => {
    const ends = `${low} – ${high}`
    const isOnly = scales.length === 1
    return {
      ...own,
      key: `${key}:${scale}`,
      text: isOnly ? text : `${text} (${ends})`,
      spoken: isOnly ? own.spoken : `${own.spoken} (${ends})`,
      kind,
      choices,
      isMany,
    }
  })
}

function comparedIn(view: View, question: FormQuestion): Pick<Source, 'kind' | 'choices' | 'isMany'> {
  const labels = (list: unknown, isMany: boolean) => {
    const other = typeof question.otherText === 'string' ? [question.otherText] : []
    return {
      kind: 'label' as const,
      choices: [...(list as string[]), ...other].map((label): Option => [label, label]),
      isMany,
    }
  }
  switch (question.type) {
    case 'choose_one':
    case 'dropdown':
      return labels(question.options, false)
    case 'choose_any':
    case 'multi_dropdown':
      return labels(question.options, true)
    case 'binary':
      return {
        kind: 'truth',
        choices: [
          ['true', String(question.trueLabel)],
          ['false', String(question.falseLabel)],
        ],
        isMany: false,
      }
    case 'nps':
      return numbers(view, 0, 10)
    case 'star_rating':
      return numbers(view, 1, question.maxStars as number)
    case 'likert':
    case 'likert_slider':
      return numbers(view, question.scaleStart as number, question.scaleEnd as number)
    case 'numeric':
      return { kind: 'number', ...typed }
    case 'date':
      return { kind: question.collectTime === true ? 'moment' : 'date', ...typed }
    case 'textbox':
      return { kind: kindOf(question) === 'number' ? 'number' : 'text', ...typed }
    default:
      return { kind: 'nothing', ...typed }
  }
}

function numbers({ wording }: View, least: number, most: number): Pick<Source, 'kind' | 'choices' | 'isMany'> {
  const count = most - least + 1
  if (count > MOST_NUMBERS) return { kind: 'number', ...typed }
  const choices = Array.from(
    { length: count },
    (_, index): Option => [String(least + index), wording.write(least + index)],
  )
  return { kind: 'number', choices, isMany: false }
}
