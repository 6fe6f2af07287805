/* What operations refuse, which they say in English: see `rules.ts` of the console. */
export const rules = {
  rule_name: 'Must be 1 to 255 characters.',
  rule_email: 'Must be an email address of at most 320 characters.',
  rule_taken: 'Somebody already signs in with this email.',
  rule_password: 'Must be of 12 to 1000 characters.',
  rule_one_line: 'Must be one line.',
  rule_future: 'Must lie in the future.',
  rule_scopes: 'Choose at least one.',
  rule_keys: 'There are 20 keys that work, which is as many as there can be. Revoke one first.',
  rule_admin: 'Somebody has to be an admin. Make somebody else one first.',
  rule_oneself: 'You cannot remove yourself. Ask another admin to do it.',
  rule_code: 'This is not the code that the app shows at the moment. Is the clock of your phone right?',
  rule_passkey: 'The passkey could not be checked. Try again.',
  rule_passkey_known: 'This passkey is known already.',
  rule_cursor: 'The address of this page is not whole.',
} as const
