import type { Translation } from '../../../words/sentences.ts'
import type { outgoing as english } from '../en/outgoing.ts'

export const outgoing: Translation<typeof english> = {
  newConversation: 'Neue Nachricht',
  mailFrom: 'Von',
  mailSubject: 'Betreff',
  yourMessage: 'Ihre Nachricht',
  messageWaits: 'Ihre Nachricht wird gleich gesendet. Bis dahin können Sie das rückgängig machen.',
  messageTakenBack: 'Es wurde nichts gesendet. Ihre Nachricht steht wieder hier.',
  keyNew: 'Neue Nachricht',
}
