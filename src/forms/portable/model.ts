import type { FormFileKind } from '../../kinds/form-files.ts'
import type { End, Variable } from '../logic/model.ts'
import type { FormPage } from '../pages.ts'
import type { FormSettings } from '../settings/model.ts'

/** What a form's file begins with: that it is one, and how to read it. */
export const FORMAT = 'form/1'

/**
 * Everything that belongs to a form but its responses, as one JSON (decisions §21). Ids tie the parts of the file together
 * and mean nothing elsewhere.
 */
export interface FormFile {
  readonly frontdesk: typeof FORMAT
  readonly title: string
  /** Simple HTML. */
  readonly description: string | null
  /** BCP 47: what the form is written in. */
  readonly language: string
  /** As the API shows them. Conditions name questions by friendlyId, or by id where they have none. */
  readonly pages: readonly FormPage[]
  readonly variables: readonly Variable[]
  readonly ends: readonly End[]
  readonly settings: Omit<FormSettings, FormFileKind> & {
    /** Base64. */
    readonly [K in FormFileKind]: string | null
  }
  /** By languages, then by keys: `q11.options[0]`. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, FileText>>>>
}

/** A text in another language; one that translates what the form no longer says goes with the mark of that. */
export type FileText = string | { readonly text: string; readonly of: string }
