import type { Conditions } from '../conditions/model.ts'
import type { ActionName, Trigger } from '../kinds/rules.ts'
import type { Ticket } from '../tickets/model.ts'

/** What a rule does, as it was given and checked (decisions §17). Records are named by their ids. */
export type Action =
  | { readonly do: 'assign'; readonly user?: string | null; readonly team?: string | null }
  | { readonly do: 'set_priority'; readonly priority: Ticket['priority'] }
  | { readonly do: 'set_status'; readonly status: Ticket['status'] }
  | { readonly do: 'snooze'; readonly for: string }
  | { readonly do: 'add_tags' | 'remove_tags'; readonly tags: readonly string[] }
  | { readonly do: 'note'; readonly text: string }
  | { readonly do: 'reply'; readonly html?: string; readonly canned?: string }
  | { readonly do: 'mail'; readonly to: readonly string[]; readonly subject: string; readonly text: string }
  | { readonly do: 'send_form'; readonly form: string }
  | OpenTicket
  | { readonly do: 'add_to_group' | 'remove_from_group'; readonly group: number }
  | { readonly do: 'stop' }

export interface OpenTicket {
  readonly do: 'open_ticket'
  readonly inbox: string
  readonly subject: string
  readonly text?: string
  readonly tags?: readonly string[]
  readonly priority?: Ticket['priority']
  readonly team?: string
}

/** One action by its name. */
export type ActionOf<N extends ActionName> = Action extends infer A
  ? A extends { do: infer D }
    ? N extends D
      ? A
      : never
    : never
  : never

/** What makes a rule: read from JSON by `readRule`. */
export interface RuleDefinition {
  readonly name: string
  readonly on: Trigger
  /** In milliseconds, of what goes by the clock: after how long, or how long before. */
  readonly span: number | null
  readonly conditions: Conditions | null
  readonly actions: readonly Action[]
  readonly enabled: boolean
}

/** A rule as it is kept. */
export interface Rule extends RuleDefinition {
  readonly id: string
  readonly number: number
  readonly position: number
  readonly makerId: string | null
}

/** A rule as people are shown it (decisions §24). */
export interface ShownRule {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  /** Whether it could not do all of it the last time, or could not now. */
  readonly failing: boolean
  readonly error: string | null
  readonly on: Trigger
  readonly after?: string
  readonly before?: string
  readonly when: object | null
  readonly then: readonly Action[]
  readonly createdAt: string
  readonly updatedAt: string
}
