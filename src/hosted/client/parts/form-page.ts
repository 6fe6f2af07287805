import type { tools } from '../tools/index.ts'
import type { Parts } from './parts.ts'

/** What the page's own script lends to its parts. */
export type Tools = Omit<typeof tools, 'say'>

/** Where the scripts of a form's page find each other: `window.formPage`. */
export interface FormPage {
  tools: typeof tools
  /** Those that have come. */
  parts: Partial<Parts>
}
