/** Why a mail did not go out, and what stops the rest. */
export const mail = {
  reply_not_sent: 'the reply was not sent: {why}',
  mail_sign_in: 'the mail server did not accept our sign-in',
  mail_no_access: 'no access to the mail server: {problem}',
  mail_deferred: 'the mail server refused it for now: {said}',
  mail_refused: 'the mail server refused it: {said}',
  mail_impossible: 'the mail server does not take a mail of this size or to this address',
  mail_interrupted: 'the mail server gave no answer: it may have arrived all the same',
  mail_unreachable: 'the mail server could not be reached',
  mail_unreachable_because: 'the mail server could not be reached: {problem}',
  mail_unwritable: 'the outbox folder could not be written to',
  no_messenger: 'no messenger is connected to this inbox',
  customer_no_email: 'the customer has no email address',
  attachment_missing: 'a file that goes with it is missing',
  forwarded_missing: 'the message that it forwards was deleted',
  our_fault: 'something went wrong on our side',
} as const
