import { forms } from './forms.ts'
import { results } from './results.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'

/*
 * What the console says in English, a file for each of its parts. The lists of the other languages hold the same
 * sentences, in the same order, with the same places in braces; the comments are here alone.
 */
export const en = { ...shell, ...signIn, ...forms, ...results } as const
