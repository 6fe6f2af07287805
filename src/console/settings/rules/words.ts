import type { FieldFamily, FieldName } from '../../../conditions/fields.ts'
import type { Operator } from '../../../conditions/model.ts'
import type { ActionName, Trigger } from '../../../kinds/rules.ts'
import type { ConsoleWords } from '../../words/index.ts'

/* Which words stand for what rules are made of. */

type Word = keyof ConsoleWords & string

export const triggerWords = {
  'ticket.created': 'trigger_ticket_created',
  'message.received': 'trigger_message_received',
  'message.sent': 'trigger_message_sent',
  'ticket.status_changed': 'trigger_ticket_status_changed',
  'ticket.assigned': 'trigger_ticket_assigned',
  'ticket.tagged': 'trigger_ticket_tagged',
  'ticket.waiting': 'trigger_ticket_waiting',
  'ticket.due_soon': 'trigger_ticket_due_soon',
  'ticket.overdue': 'trigger_ticket_overdue',
  'response.completed': 'trigger_response_completed',
  'contact.created': 'trigger_contact_created',
} as const satisfies Record<Trigger, Word>

export const fieldWords = {
  inbox: 'ruleField_inbox',
  channel: 'ruleField_channel',
  status: 'ruleField_status',
  priority: 'ruleField_priority',
  tag: 'ruleField_tag',
  assignee: 'ruleField_assignee',
  team: 'ruleField_team',
  subject: 'ruleField_subject',
  text: 'ruleField_text',
  from: 'ruleField_from',
  from_domain: 'ruleField_from_domain',
  to: 'ruleField_to',
  automatic: 'ruleField_automatic',
  working_hours: 'ruleField_working_hours',
  form: 'ruleField_form',
  score: 'ruleField_score',
  'contact.email': 'ruleField_contact_email',
  'contact.group': 'ruleField_contact_group',
  'contact.organisation': 'ruleField_contact_organisation',
  'answer:': 'ruleField_answer',
  'hidden:': 'ruleField_hidden',
  'contact.custom:': 'ruleField_contact_custom',
} as const satisfies Record<FieldName | FieldFamily, Word>

export const operatorWords = {
  is: 'operator_is',
  is_not: 'operator_is_not',
  one_of: 'operator_one_of',
  contains: 'operator_contains',
  contains_not: 'operator_contains_not',
  starts_with: 'operator_starts_with',
  at_least: 'operator_at_least',
  at_most: 'operator_at_most',
  empty: 'operator_empty',
} as const satisfies Record<Operator, Word>

export const actionWords = {
  assign: 'action_assign',
  set_priority: 'action_set_priority',
  set_status: 'action_set_status',
  snooze: 'action_snooze',
  add_tags: 'action_add_tags',
  remove_tags: 'action_remove_tags',
  note: 'action_note',
  reply: 'action_reply',
  mail: 'action_mail',
  send_form: 'action_send_form',
  open_ticket: 'action_open_ticket',
  add_to_group: 'action_add_to_group',
  remove_from_group: 'action_remove_from_group',
  stop: 'action_stop',
} as const satisfies Record<ActionName, Word>
