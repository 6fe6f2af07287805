import type { ConsoleWords } from '../index.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { webhooks } from './webhooks.ts'

export const de: ConsoleWords = { ...shell, ...signIn, ...webhooks }
