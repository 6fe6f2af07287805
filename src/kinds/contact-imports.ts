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

/** The kinds that values of a custom field are read as. */
export const valueKinds = ['text', 'number', 'date'] as const
export type ValueKind = (typeof valueKinds)[number]

/** What a column can stand for, besides a custom field. */
export const contactColumns = ['email', 'name', 'lastName', 'phone', 'organisation', 'groups', 'unsubscribed'] as const
export type ContactColumn = (typeof contactColumns)[number]

/** What a column stands for: a part of a contact, or a custom field, by its id and how its values are read. */
export type ColumnTarget = ContactColumn | `${ValueKind}:${string}`

/** What is to become of a file. */
export interface ImportPlan {
  readonly hasHeadings: boolean
  /** For each column what it stands for; null for one that is left out. */
  readonly columns: readonly (ColumnTarget | null)[]
  readonly existing: ExistingRule
  /** Groups that everybody in the file joins: they agreed to what these say. */
  readonly groupIds: readonly number[]
}

/** The largest file, in bytes. */
export const MAX_FILE_SIZE = 32 * 1024 * 1024
/** Columns that a file may have. */
export const MAX_COLUMNS = 200
