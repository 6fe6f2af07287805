import type { people } from '../../../../errors/rules/people.ts'
import type { RuleWords } from '../../rules.ts'

export const peopleRules = {
  rule_user_taken: 'Somebody already signs in with this email.',
  rule_user_elsewhere:
    'You sign in here with this email for somebody else already. Ask for an invitation to another address of yours.',
  rule_user_unknown: 'This person does not work here any more.',
  rule_admin_needed: 'Somebody has to be an admin. Make somebody else one first.',
  rule_oneself: 'You cannot remove yourself. Ask another admin to do it.',
  rule_password_length: 'Must be {least} to {most} characters.',
  rule_guessed: 'Too easy to guess: add a word or two that nobody expects there.',
  rule_guessed_repeat: 'Too easy to guess: it repeats itself. A few words in a row are better.',
  rule_guessed_row:
    'Too easy to guess: its characters follow one another, in the alphabet or on the keyboard. A few words in a row are better.',
  rule_guessed_often: 'Too easy to guess: many people have one like it, so it is tried first.',
  rule_guessed_names: 'Too easy to guess: it is made of names. Add words that have nothing to do with each other.',
  rule_guessed_own:
    'Too easy to guess: it holds your name, your address or the name of the company. Leave them out, or add words that have nothing to do with them.',
  rule_guessed_days: 'Too easy to guess: it is made of dates or years.',
  rule_guessed_word: 'Too easy to guess: it is a single word. Add others that have nothing to do with it.',
  rule_code: 'This is not the code that the app shows at the moment. Is the clock of your phone right?',
  rule_passkey: 'The passkey could not be checked. Try again.',
  rule_passkey_known: 'This passkey is known already.',
  rule_too_many_passkeys: 'There can be {most} passkeys at most. Remove one first.',
  rule_scopes: 'Choose at least one.',
  rule_scopes_not: 'Choose at least one.',
  rule_too_many_keys: 'There are {most} keys that work, which is as many as there can be. Revoke one first.',
  rule_delivery_under_way: 'This delivery is still on its way.',
  rule_delivery_not_waiting: 'This delivery does not wait for an attempt: it is over, paused, or being sent.',
  rule_inbox_taken: 'There is an inbox with this address already.',
  rule_inbox_no_address: 'Only email inboxes have an address.',
  rule_inbox_unknown: 'There is no such inbox.',
  rule_inbox_livechat: 'Must be a live-chat inbox.',
  rule_inbox_email: 'Must be an email inbox.',
  rule_inbox_mailbox: 'Only email inboxes have a mailbox.',
  rule_workspace_unknown: 'This workspace does not exist.',
  rule_hours_like: 'Must be days, times and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_days_and_times: 'Must be days, times and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_days: 'Must be days, times and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_day: 'Must be days, times and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_times: 'Must be days, times and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_time: 'Must be days, times and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_night:
    'Times must end after they begin: for a night, write 22:00-24:00 and, on the next day, 00:00-06:00.',
  rule_time_zone: 'The last word must be a time zone such as Europe/Berlin or UTC.',
} as const satisfies RuleWords<typeof people>
