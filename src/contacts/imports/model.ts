/** How the text of a file is written. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

export const importStates = ['draft', 'running', 'done', 'cancelled', 'failed'] as const
export type ImportState = (typeof importStates)[number]

/** What becomes of somebody whose email is known already. */
export const existingRules = ['update', 'skip'] as const
export type ExistingRule = (typeof existingRules)[number]

/** What a column can stand for, besides a custom field, which is `field:` and its id. */
export const columnTargets = ['email', 'name', 'lastName', 'phone', 'organisation', 'groups', 'unsubscribed'] as const
export type ColumnTarget = (typeof columnTargets)[number] | `field:${string}`

/** What is to become of a file. */
export interface ImportPlan {
  readonly hasHeadings: boolean
  /** For each column what it stands for; null for one that is left out. */
  readonly columns: readonly (ColumnTarget | null)[]
  readonly existing: ExistingRule
  /** Groups that everybody in the file joins: they agreed to what these say. */
  readonly groupIds: readonly number[]
}
