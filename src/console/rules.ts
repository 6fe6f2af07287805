import type { ConsoleWords, SayConsole } from './words/index.ts'

type RuleWord = Extract<keyof ConsoleWords, `rule_${string}`>

/** What operations say of what they refuse, and the sentence that the console says for it. */
const sentences: readonly (readonly [said: RegExp, word: RuleWord])[] = [
  [/^must be 1 to 255 characters$/, 'rule_name'],
  [/^must be an email address\b/, 'rule_email'],
  [/^a user with this email already exists$/, 'rule_taken'],
  [/^must be of 12 to 1000 characters$/, 'rule_password'],
  [/^must be one line$/, 'rule_one_line'],
  [/^must lie in the future$/, 'rule_future'],
  [/^must be one or more of forms:read,/, 'rule_scopes'],
  [/^a tenant has at most 20 active keys/, 'rule_keys'],
  [/^a tenant needs an admin/, 'rule_admin'],
  [/^you cannot remove yourself/, 'rule_oneself'],
  [/^is not the code of this moment$/, 'rule_code'],
  [/^the passkey could not be checked/, 'rule_passkey'],
  [/^this passkey is known already$/, 'rule_passkey_known'],
  [/^is not a cursor of this list$/, 'rule_cursor'],
]

/** What an operation refused, in the reader's language; in English where there are no words for it yet. */
export function sayRule(say: SayConsole, rule: string): string {
  const known = sentences.find(([said]) => said.test(rule))
  if (known) return say(known[1])
  // Operations write what goes into the middle of a sentence.
  const text = rule.charAt(0).toUpperCase() + rule.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
