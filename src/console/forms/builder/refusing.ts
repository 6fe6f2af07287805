import { RuleError } from '../../../errors.ts'
import type { FormContent } from '../../../forms/pages.ts'
import { statusOf } from '../../../http/answers/errors.ts'
import type { FormFields } from '../../form-fields.ts'
import { placeOf, Refusal } from '../../refusal.ts'
import { sayRule } from '../../rules.ts'
import type { Problem, Visit } from '../../visit.ts'
import type { SayConsole } from '../../words/index.ts'
import type { Settings } from './controls/control.ts'
import { controls, type SettingName } from './controls/controls.ts'
import { type Placed, placedQuestions } from './draft.ts'
import { controlAt } from './logic/draft.ts'
import { variableFieldAt } from './logic/variables.ts'
import { nameOf } from './publish-pane.ts'

const QUESTION = /^pages\[(\d+)\]\.questions\[(\d+)\](?:\.(\w+)(.*))?$/s
const PART = /^(?:(pages|ends)\[(\d+)\]|variables)(?:\.(\w+))?(.*)$/s

/** What a form was sent about, as far as a refusal has to know. */
export interface Sent {
  readonly fields: FormFields
  /** The draft before the change. */
  readonly draft: FormContent
  /** The question that its fields are of; none for what is done to the whole. */
  readonly own?: Placed | undefined
  /** The place of the page or end that its fields are of, or `variables`. */
  readonly ownPlace?: string | undefined
}

/**
 * What an operation on drafts refused, as the page of the builder shows it: operations name a place in the draft, the page
 * has a field for it where it is a place in what was sent, and else says which question is in the way. What is no refusal
 * of theirs comes back as it is.
 */
export function refusalFor({ wording }: Visit, error: unknown, sent: Sent): unknown {
  if (!(error instanceof RuleError)) return error
  const { say } = wording
  if (error.rule.key === 'form_part_needed') return neededProblem(wording, error, sent)
  const text = sayRule(wording, error.rule)
  if (error.code === 'conflict') return new Refusal({ field: null, text }, 409)
  if (error.code !== 'invalid_request') return error
  const place = placeOf(error)
  const status = statusOf(error)
  const [, page, at, name = '', part = ''] = QUESTION.exec(place ?? '') ?? []
  if (page === undefined) return new Refusal(partProblem(say, place, text, sent), status)
  const { own } = sent
  const isOwn = own !== undefined && own.at === Number(at) && sent.draft.pages.indexOf(own.page) === Number(page)
  // Of two questions with one name it is the later that operations refuse, whichever was changed.
  if (own && name === 'friendlyId') return new Refusal({ field: name, text }, status)
  if (!isOwn)
    return new Refusal({ field: null, text: `${elsewhere(say, sent, Number(page), Number(at))} ${text}` }, status)
  const shown = fieldWith(name, part, sent.fields, own.question)
  const spoken = name === 'amount' ? say('ruleAmount') : text
  const line = shown.line === undefined ? spoken : say('ruleLine', { line: shown.line, rule: spoken })
  return new Refusal({ field: shown.field, text: line }, status)
}

/** Which question is in the way. What was taken out or moved has changed the places of others: then it is just another. */
function elsewhere(say: SayConsole, { draft, own, ownPlace }: Sent, page: number, at: number): string {
  const question = own || ownPlace ? draft.pages[page]?.questions[at] : undefined
  if (!question) return say('refusedElsewhere')
  const index = placedQuestions(draft).findIndex((placed) => placed.question.id === question.id)
  return say('refusedAt', { question: nameOf(say, question, index) })
}

/** What is taken away, or put behind what asks about it: which others those are. */
function neededProblem({ say, locale }: Visit['wording'], error: RuleError, { draft }: Sent): Refusal {
  const names = String(error.rule.values.names)
    .split(', ')
    .map((place) => nameAt(say, place, draft))
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
  return new Refusal({ field: null, text: say('rule_form_part_needed', { names: list }) }, statusOf(error))
}

/** What stands at a place of a draft, as people speak of it. */
function nameAt(say: SayConsole, place: string, draft: FormContent): string {
  const [, list, index, at] = /^(pages|ends)\[(\d+)\](?:\.questions\[(\d+)\])?$/.exec(place) ?? []
  if (list === undefined) return say('logicVariableOne')
  const number = Number(index) + 1
  const question = draft.pages[Number(index)]?.questions[Number(at ?? -1)]
  if (!question) return list === 'ends' ? say('logicEndNumber', { number }) : say('formPage', { number })
  const before = placedQuestions(draft).findIndex((placed) => placed.question.id === question.id)
  return nameOf(say, question, before)
}

/** What is wrong with a page, an end or the variables: at its field, or which of them is in the way. */
function partProblem(say: SayConsole, place: string | null, text: string, { fields, ownPlace }: Sent): Problem {
  const [, list, index, name, part = ''] = PART.exec(place ?? '') ?? []
  if (place === null || (list === undefined && !place.startsWith('variables'))) {
    return { field: place === 'pages' || place === 'questions' ? null : place, text }
  }
  const own = list === undefined ? 'variables' : `${list}[${index}]`
  if (own !== ownPlace) {
    const number = Number(index) + 1
    const question =
      list === 'pages'
        ? say('formPage', { number })
        : list === 'ends'
          ? say('logicEndNumber', { number })
          : say('logicVariableOne')
    return { field: null, text: `${say('refusedAt', { question })} ${text}` }
  }
  if (list === undefined) return { field: variableFieldAt(place.slice('variables'.length), fields), text }
  if (name === 'showIf') return { field: controlAt(part), text }
  // Of an end as a whole: it lacks what it shows.
  return { field: name ?? (list === 'ends' ? fields.text('kind') : null), text }
}

function fieldWith(name: string, part: string, sent: FormFields, question: Settings) {
  if (name === 'showIf') return { field: controlAt(part), line: undefined }
  const control = Object.hasOwn(controls, name) ? controls[name as SettingName] : undefined
  return control?.fieldAt?.(part, sent, question) ?? { field: name, line: undefined }
}
