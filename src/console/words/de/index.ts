import type { ConsoleWords } from '../index.ts'
import { forms } from './forms.ts'
import { results } from './results.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'

export const de: ConsoleWords = { ...shell, ...signIn, ...forms, ...results }
