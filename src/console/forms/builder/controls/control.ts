import type { Markup } from '../../../../lib/html/markup.ts'
import type { FormFields } from '../../../form-fields.ts'
import type { Again, Visit } from '../../../visit.ts'

/** What a question was, as its form shows it and as what is sent is compared with. */
export type Settings = Readonly<Record<string, unknown>>

/** How one setting is shown in the form of a question, and read from it. */
export interface Control {
  show(visit: Visit, question: Settings, again: Again | undefined): Markup
  /** As operations take it; they say what is wrong with it. */
  read(sent: FormFields, question: Settings): unknown
  /**
   * The field that shows what is wrong with a part of the setting, such as `[2]`, and the line of it where fields have
   * several. Without it, the one field there is.
   */
  fieldAt?(part: string, sent: FormFields, question: Settings): { readonly field: string; readonly line?: number }
}
