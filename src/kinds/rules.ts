import type { Subject } from './subjects.ts'

/** What sets off rules, and what each is about (decisions §17). */
export const triggers = {
  'ticket.created': 'ticket',
  'message.received': 'ticket',
  'message.sent': 'ticket',
  'ticket.status_changed': 'ticket',
  'ticket.assigned': 'ticket',
  'ticket.tagged': 'ticket',
  'ticket.waiting': 'ticket',
  'ticket.due_soon': 'ticket',
  'ticket.overdue': 'ticket',
  'response.completed': 'response',
  'contact.created': 'contact',
} as const satisfies Record<string, Subject>
export type Trigger = keyof typeof triggers
export const triggerNames = Object.keys(triggers) as readonly Trigger[]

/** What happened: something that sets off rules, or that a ticket's customer begins to wait, from which one follows later. */
export type Happening = Trigger | 'ticket.waits'

/** What rules do. */
export const actionNames = [
  'assign',
  'set_priority',
  'set_status',
  'snooze',
  'add_tags',
  'remove_tags',
  'note',
  'reply',
  'mail',
  'send_form',
  'open_ticket',
  'add_to_group',
  'remove_from_group',
  'stop',
] as const
export type ActionName = (typeof actionNames)[number]

/** The rule that a person or a customer set off is the first; what the last one changes sets off no more. */
export const MAX_DEPTH = 3
