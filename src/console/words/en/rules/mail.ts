import type { mail } from '../../../../errors/rules/mail.ts'
import type { RuleWords } from '../../rules.ts'

export const mailRules = {
  rule_reply_not_sent: 'The answer was not sent. {why}',
  rule_mail_sign_in: 'The mail server did not accept our sign-in.',
  rule_mail_no_access: 'There is no access to the mail server: look at the mailbox in the settings.',
  rule_mail_deferred: 'The mail server refused it for now: “{said}”.',
  rule_mail_refused: 'The mail server refused it: “{said}”.',
  rule_mail_impossible: 'The mail server takes no email of this size or to this address.',
  rule_mail_interrupted: 'The mail server gave no answer: it may have arrived all the same.',
  rule_mail_unreachable: 'The mail server could not be reached.',
  rule_mail_unreachable_because: 'The mail server could not be reached.',
  rule_mail_unwritable: 'It could not be stored.',
  rule_no_messenger: 'No messenger is connected to this inbox.',
  rule_customer_no_email: 'The customer has no email address.',
  rule_attachment_missing: 'A file that goes with it is missing.',
  rule_forwarded_missing: 'The message that it forwards was deleted.',
  rule_our_fault: 'Something went wrong on our side.',
} as const satisfies RuleWords<typeof mail>
