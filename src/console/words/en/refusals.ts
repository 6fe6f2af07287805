/* Further refusals of operations: see `further-rules.ts` of the console. */
export const refusals = {
  // Any field
  rule_longest: 'Must be at most {most} characters.',
  rule_shortest: 'Must be at least {least} characters.',
  rule_length: 'Must be 1 to {most} characters, and not blank.',
  rule_between: 'Must be from {least} to {most}.',
  rule_least: 'Must be at least {least}.',
  rule_greatest: 'Must be at most {most}.',
  rule_not_negative: 'Must not be negative.',
  rule_number: 'Must be a number.',
  rule_yes_no: 'Must be yes or no.',
  rule_choice: 'Must be one of those that can be chosen.',
  rule_calendar: 'There is no such day.',
  rule_period: 'The first day must not be after the last.',
  rule_most_items: 'There can be {most} at most.',
  rule_least_items: 'There must be {least} at least.',
  rule_twice: 'Nothing can be there twice.',

  // Passwords
  rule_guessed_repeat: 'Too easy to guess: it repeats itself. A few words in a row are better.',
  rule_guessed_row:
    'Too easy to guess: its characters follow one another, in the alphabet or on the keyboard. A few words in a row are better.',
  rule_guessed_often: 'Too easy to guess: many people have one like it, so it is tried first.',
  rule_guessed_names: 'Too easy to guess: it is made of names. Add words that have nothing to do with each other.',
  rule_guessed_own:
    'Too easy to guess: it holds your name, your address or the name of the company. Leave them out, or add words that have nothing to do with them.',
  rule_guessed_days: 'Too easy to guess: it is made of dates or years.',
  rule_guessed_word: 'Too easy to guess: it is a single word. Add others that have nothing to do with it.',
  rule_guessed: 'Too easy to guess: add a word or two that nobody expects there.',

  // Files and forms as they are sent
  rule_file: 'Choose a file.',
  rule_megapixels: 'Must have at most 16 megapixels.',
  rule_file_size: 'Files must be at most {size}, all together.',
  rule_sent_size: 'What was sent is larger than {size}.',
  rule_sent_late: 'What was sent took too long to arrive. Try again.',
  rule_sent_form: 'The form did not arrive as a whole. Try again.',

  // Contacts and people
  rule_contact_taken: 'There is a contact with this email already.',
  rule_custom_field_taken: 'There is a field with this name already.',
  rule_domain: 'Must be a domain such as acme.test.',
  rule_group: 'There is no such group.',
  rule_group_wording: 'Its members have agreed to this wording, so it stays as it is.',
  rule_organisation: 'This organisation does not exist any more.',
  rule_workspace: 'This workspace does not exist.',
  rule_passkeys: 'There can be {most} passkeys at most. Remove one first.',

  // Inboxes and tickets
  rule_inbox_mailbox: 'Only email inboxes have a mailbox.',
  rule_nothing_to_send: 'There is nothing in it to send.',
  rule_no_recipients: 'Only an email has recipients to choose.',
  rule_nobody: 'Somebody has to get the answer. Leave one address, or add one.',
  rule_no_copies: 'Only an email can have copies.',
  rule_most_addresses: 'Must be at most {most} addresses.',
  rule_most_canned: 'There can be {most} canned replies at most. Delete one first.',
  rule_most_views: 'There can be {most} views at most. Delete one first.',
  rule_not_merged: 'This ticket is not merged.',
  rule_not_customers: 'Only a customer’s email can become a ticket of its own.',
  rule_writer: 'Whoever writes an email needs an address.',
  rule_reply_not_sent: 'The answer was not sent. {why}',
  rule_mail_sign_in: 'The mail server did not accept our sign-in.',
  rule_mail_no_access: 'There is no access to the mail server: look at the mailbox in the settings.',
  rule_mail_deferred: 'The mail server refused it for now: “{said}”.',
  rule_mail_refused: 'The mail server refused it: “{said}”.',
  rule_mail_impossible: 'The mail server takes no email of this size or to this address.',
  rule_mail_interrupted: 'The mail server gave no answer: it may have arrived all the same.',
  rule_mail_unreachable: 'The mail server could not be reached.',
  rule_mail_unwritable: 'It could not be stored.',

  // Forms and their questions
  rule_form_unpublished: 'The form has never been published.',
  rule_answer_filter: 'This filter is not whole.',
  rule_question_type: 'A question keeps its type. Add another question instead.',
  rule_form_order: 'The form was changed meanwhile. Load the page again.',
  rule_form_no_question: 'The form has no such question any more.',
  rule_form_owner: 'Nobody here can own forms. Let somebody own them under Users.',
  rule_hidden_name: 'This cannot be the name of a hidden field.',
  rule_currency: 'Must be a currency such as EUR.',
  rule_formula_amount: 'The formula gives no amount that could be paid.',
} as const
