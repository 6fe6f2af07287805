import type { ConsoleWords } from '../index.ts'
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

export const de: ConsoleWords = {
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
}
