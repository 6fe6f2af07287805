import type { Translation } from '../../../words/sentences.ts'
import type { signature as english } from '../en/signature.ts'

export const signature: Translation<typeof english> = {
  signatureTitle: 'Signatur',
  signatureHelp: 'Steht unter Ihren Antworten per E-Mail. Einfacher Text, oder HTML für Links und fette Buchstaben.',
  signatureShown: 'Kunden sehen',
  signatureIsSaved: 'Ihre Signatur ist gespeichert.',
}
