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
  forwardMessage: 'Weiterleiten',
  answerOutside: 'Beantworten oder weiterleiten',
  sendForward: 'Weiterleiten',
  yourWords: 'Ihre Worte dazu',
  filesOfForwarded: 'Dateien der Nachricht, die mitgehen',
  forwardedMessage: 'Weitergeleitete Nachricht',
  backToTicket: 'Zurück zum Ticket',
  forwardWaits: 'Die Nachricht wird gleich weitergeleitet. Bis dahin können Sie das rückgängig machen.',
  messageForwarded: 'Weitergeleitet',
  forwardedTo: 'Weitergeleitet an',
  forwardsTo: 'Weiterleitung an',
  forwardedMessageOf: 'Nachricht von {name}',
  forwardedIsGone: 'Nachricht inzwischen gelöscht',
  fromOutside: 'Von außerhalb der Unterhaltung',
  keyForward: 'Eine Nachricht weiterleiten',
  outsideWroteSince:
    '{name} hat {when} von außerhalb der Unterhaltung geschrieben. Es wurde nichts gesendet: Lesen Sie oben nach und senden Sie Ihre Antwort trotzdem, oder ändern Sie sie.',
  colleagueForwardedSince:
    '{name} hat {when} eine Nachricht weitergeleitet. Es wurde nichts gesendet: Sehen Sie oben nach und senden Sie Ihre Antwort trotzdem, oder ändern Sie sie.',
}
