import type { Translation } from '../../../words/sentences.ts'
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: Translation<typeof english> = {
  signInTitle: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  signIn: 'Anmelden',
  signInRefused: 'E-Mail oder Passwort stimmt nicht.',
  signedOut: 'Sie sind abgemeldet.',
}
