import type { FormCreate } from '../../forms/model.ts'
import type { SettingsChanges } from '../../forms/settings/read.ts'
import type { Answering } from '../answers.ts'

/** A question of a form, and what people answer. */
interface Asked {
  readonly ask: { readonly type: string; readonly text: string; readonly [field: string]: unknown }
  readonly answer: Answering
}

/** A form of the demo. Days count back from today. */
export interface DemoForm {
  readonly form: Omit<FormCreate, 'workspaceId' | 'pages' | 'questions'>
  /** Chosen by its owners; `logo` is the path of a file. Mails about responses begin in the last hour. */
  readonly settings?: Omit<SettingsChanges, 'logo' | 'notify'> & { readonly logo?: string; readonly notify?: string[] }
  /** What the hidden field `campaign` says, of those who come by an invitation. */
  readonly campaigns?: readonly string[]
  /** Other languages of the form: how many answer in each, from 0 to 1, and what its texts are there, all of them. */
  readonly translations?: Readonly<
    Record<string, { readonly share: number; readonly texts: Readonly<Record<string, string>> }>
  >
  readonly workspace: 'main' | 'research'
  readonly createdDaysAgo: number
  /** Published half a day later, unless `published` is false. */
  readonly published?: false
  readonly closedDaysAgo?: number
  readonly trashedDaysAgo?: number
  readonly pages: readonly { readonly title?: string; readonly questions: readonly Asked[] }[]
  readonly responses: number
  /** Share of people who do not finish. */
  readonly abandoned: number
  /** Share of people who say who they are, where they are asked. */
  readonly named: number
}

/** Contact fields that are asked for. */
export const visible = (...fields: string[]) => fields.map((field) => ({ field, visible: true }))
