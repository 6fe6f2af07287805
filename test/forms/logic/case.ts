export interface CaseQuestion {
  readonly type: string
  readonly friendlyId: string
  readonly [field: string]: unknown
}

export interface CaseForm {
  readonly pages: readonly {
    readonly title?: string
    readonly showIf?: unknown
    readonly questions: readonly CaseQuestion[]
  }[]
  readonly variables?: readonly { readonly name: string; readonly formula: string }[]
  readonly ends?: readonly { readonly showIf: unknown; readonly thanks?: string; readonly redirect?: string }[]
}

export interface Case {
  readonly name: string
  readonly form: CaseForm
  /** Names of the hidden fields that the settings declare. */
  readonly hiddenFields?: readonly string[]
  /** By friendlyId, as they are sent; `UPLOAD` stands for the id of an image that was uploaded. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly hidden?: Readonly<Record<string, string>>
  /** The questions that are shown. */
  readonly shown: readonly string[]
  /** Which pages are shown, from 0; left out: all. */
  readonly shownPages?: readonly number[]
  readonly variables?: Readonly<Record<string, number>>
  /** Which of the ends, from 0; left out: the one of the settings. */
  readonly end?: number
}

/** What stands for the id of an upload in the answers of cases. */
export const UPLOAD = '(upload)'
