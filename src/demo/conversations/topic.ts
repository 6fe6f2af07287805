import type { Attachable } from '../tickets/attachments.ts'

/** What a customer and an agent write to each other about one thing. `{name}` is the customer's first name. */
export interface Topic {
  readonly inbox: 'help' | 'billing' | 'chat'
  /** What the agents file it under. */
  readonly tags: readonly string[]
  /** Subject and first message, of one customer each, and the files that came with it. */
  readonly openings: readonly (readonly [subject: string, text: string, ...attached: Attachable[]])[]
  readonly reply: string
  readonly followUp: string
  readonly closing: string
  /** What agents tell each other. */
  readonly note?: string
}
