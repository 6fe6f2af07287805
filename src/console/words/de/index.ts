import type { ConsoleWords } from '../index.ts'
import { inbox } from './inbox.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'

export const de: ConsoleWords = { ...shell, ...signIn, ...inbox }
