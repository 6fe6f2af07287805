import type { Operator } from '../logic/model.ts'
import type { QuestionType } from '../question-types/index.ts'
import type { FormSettings } from '../settings/model.ts'

/** One text in the language that the form is begun in. */
export type Say = (english: string, german: string) => string

interface TemplateCondition {
  readonly question?: string
  readonly variable?: string
  readonly op: Operator
  readonly value?: string | number | boolean | readonly string[]
}

interface TemplateShowIf {
  readonly match: 'all' | 'any'
  readonly conditions: readonly TemplateCondition[]
}

interface TemplateQuestion {
  readonly type: QuestionType
  readonly text: string
  readonly friendlyId?: string
  readonly required?: true
  readonly showIf?: TemplateShowIf
  readonly [field: string]: unknown
}

/** What a form is made of that is begun with a template: what `POST /v1/forms` takes. */
export interface TemplateForm {
  readonly title: string
  readonly description?: string
  readonly pages: readonly {
    readonly title?: string
    readonly showIf?: TemplateShowIf
    readonly questions: readonly TemplateQuestion[]
  }[]
  readonly variables?: readonly { readonly name: string; readonly formula: string }[]
  readonly ends?: readonly { readonly showIf: TemplateShowIf | null; readonly thanks: string }[]
}

/** What is drawn of a form in the choice of templates. */
export type Motif =
  | 'scale'
  | 'stars'
  | 'choices'
  | 'ticks'
  | 'text'
  | 'fields'
  | 'date'
  | 'file'
  | 'sum'
  | 'thumbs'
  | 'signature'
  | 'matrix'

export interface FormTemplate {
  readonly motifs: readonly Motif[]
  readonly mode?: FormSettings['mode']
  readonly make: (say: Say) => TemplateForm
}

/** Shown when that holds of the answer to a question of the form. */
export function when(question: string, op: Operator, value?: TemplateCondition['value']): TemplateShowIf {
  return { match: 'all', conditions: [value === undefined ? { question, op } : { question, op, value }] }
}

/** Shown when a variable is at least so much. */
export function from(variable: string, value: number): TemplateShowIf {
  return { match: 'all', conditions: [{ variable, op: 'at_least', value }] }
}

/** Fields of contact details that are asked for. */
export function fields(...names: string[]) {
  return names.map((field) => ({ field, visible: true }))
}
