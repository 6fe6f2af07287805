import type { ConsoleWords } from '../index.ts'
import { contacts } from './contacts.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'

export const de: ConsoleWords = { ...shell, ...signIn, ...contacts }
