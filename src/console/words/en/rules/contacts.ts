import type { contacts } from '../../../../errors/rules/contacts.ts'
import type { RuleWords } from '../../rules.ts'

export const contactsRules = {
  rule_contact_taken: 'There is a contact with this email already.',
  rule_contact_unknown: 'There is no such contact any more, or it has no email address.',
  rule_another_contact: 'Must be another contact.',
  rule_custom_field_taken: 'There is a field with this name already.',
  rule_organisation_unknown: 'This organisation does not exist any more.',
  rule_group_unknown: 'There is no such group.',
  rule_group_number: 'There is no such group.',
  rule_group_wording: 'Its members have agreed to this wording, so it stays as it is.',
  rule_group_importing: 'Contacts of the file {file} are joining this group. Wait until all are in, or stop that.',
  rule_import_begun: 'This file is already being imported.',
  rule_email_column: 'One column has to be the email.',
  rule_column_twice: 'Is already chosen for another column.',
  rule_field_unknown: 'There is no such field.',
  rule_quotes: 'A quotation mark is missing or stands in the wrong place.',
  rule_line_too_long: 'The line is too long.',
  rule_too_many_cells: 'There are more cells than columns.',
  rule_encoding: 'It cannot be read in this encoding.',
  rule_yes_no_date: 'Must be yes, no or a date.',
  rule_decimal: 'Must be a number such as 12.5.',
} as const satisfies RuleWords<typeof contacts>
