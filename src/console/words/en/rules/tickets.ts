import type { tickets } from '../../../../errors/rules/tickets.ts'
import type { RuleWords } from '../../rules.ts'

export const ticketsRules = {
  rule_nothing_to_send: 'There is nothing in it to send.',
  rule_only_mail_has_copies: 'Only an email can have copies.',
  rule_only_mail_has_recipients: 'Only an email has recipients to choose.',
  rule_no_recipient: 'Somebody has to get the answer. Leave one address, or add one.',
  rule_too_many_addresses: 'Must be at most {most} addresses.',
  rule_only_mail_is_answered: 'This ticket cannot be answered: there is no address of the customer.',
  rule_only_mail_merges: 'Only emails can be merged, not chats.',
  rule_another_ticket: 'Name another ticket.',
  rule_merged_already: 'The two tickets are one already.',
  rule_was_merged: 'This ticket was merged into another one. Work on that one.',
  rule_not_merged: 'This ticket is not merged.',
  rule_merge_too_old: 'A merge can be undone for a day. Make single messages tickets of their own instead.',
  rule_only_mail_splits: 'Only a customer’s email can become a ticket of its own.',
  rule_only_message: 'It is the only message of its ticket.',
  rule_not_failed: 'This answer has been sent, or is being sent.',
  rule_on_its_way: 'This answer is on its way already.',
  rule_not_the_writer: 'Only who wrote an answer can take it back.',
  rule_writer_address: 'Whoever writes an email needs an address.',
  rule_placeholder: '{name} is not a placeholder. Use {placeholders}.',
  rule_too_many_canned_replies: 'There are {most} already: delete one first.',
  rule_too_many_views: 'There are {most} views already: delete one first.',
  rule_attachments_too_large: 'Files must be at most {size}, all together.',
} as const satisfies RuleWords<typeof tickets>
