import { account } from './account.ts'
import { articles } from './articles.ts'
import { auditWords } from './audit.ts'
import { contacts } from './contacts.ts'
import { keys } from './keys.ts'
import { people } from './people.ts'
import { rules } from './rules.ts'
import { security } from './security.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'

/*
 * What the console says in English, a file for each of its parts. The lists of the other languages hold the same
 * sentences, in the same order, with the same places in braces; the comments are here alone.
 */
export const en = {
  ...shell,
  ...signIn,
  ...account,
  ...people,
  ...keys,
  ...auditWords,
  ...security,
  ...rules,
  ...contacts,
  ...articles,
} as const
