import { RuleError } from '../../../errors.ts'
import type { FormContent } from '../../../forms/pages.ts'
import { statusOf } from '../../../http/answers/errors.ts'
import type { FormFields } from '../../form-fields.ts'
import { placeOf, Refusal } from '../../refusal.ts'
import { sayRule } from '../../rules.ts'
import type { Visit } from '../../visit.ts'
import type { SayConsole } from '../../words/index.ts'
import type { Settings } from './control.ts'
import { controls, type SettingName } from './controls.ts'
import { type Placed, placedQuestions } from './draft.ts'
import { nameOf } from './publish-pane.ts'

const QUESTION = /^pages\[(\d+)\]\.questions\[(\d+)\](?:\.(\w+)(.*))?$/s
const PAGE = /^pages\[\d+\]\.(\w+)$/

/** What a form was sent about, as far as a refusal has to know. */
export interface Sent {
  readonly fields: FormFields
  /** The draft before the change. */
  readonly draft: FormContent
  /** The question that its fields are of; none for what is done to the whole. */
  readonly own?: Placed | undefined
}

/**
 * What an operation on drafts refused, as the page of the builder shows it: operations name a place in the draft, the page
 * has a field for it where it is a place in what was sent, and else says which question is in the way. What is no refusal
 * of theirs comes back as it is.
 */
export function refusalFor({ wording }: Visit, error: unknown, sent: Sent): unknown {
  if (!(error instanceof RuleError)) return error
  const { say } = wording
  const text = sayRule(wording, error.rule)
  if (error.code === 'conflict') return new Refusal({ field: null, text }, 409)
  if (error.code !== 'invalid_request') return error
  const place = placeOf(error)
  const status = statusOf(error)
  const [, page, at, name = '', part = ''] = QUESTION.exec(place ?? '') ?? []
  if (page === undefined) return new Refusal({ field: fieldOf(place), text }, status)
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
function elsewhere(say: SayConsole, { draft, own }: Sent, page: number, at: number): string {
  const question = own && draft.pages[page]?.questions[at]
  if (!question) return say('refusedElsewhere')
  const index = placedQuestions(draft).findIndex((placed) => placed.question.id === question.id)
  return say('refusedAt', { question: nameOf(say, question, index) })
}

function fieldOf(place: string | null): string | null {
  const own = PAGE.exec(place ?? '')?.[1] ?? place
  return own === 'pages' || own === 'questions' ? null : own
}

function fieldWith(name: string, part: string, sent: FormFields, question: Settings) {
  const control = Object.hasOwn(controls, name) ? controls[name as SettingName] : undefined
  return control?.fieldAt?.(part, sent, question) ?? { field: name, line: undefined }
}
