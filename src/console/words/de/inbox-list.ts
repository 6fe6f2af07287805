import type { Translation } from '../../../lib/sentences.ts'
import type { inboxList as english } from '../en/inbox-list.ts'

export const inboxList: Translation<typeof english> = {
  searchInbox: 'Tickets durchsuchen',
  ticketsNotFound: 'Für „{text}“ wurde nichts gefunden.',
  searchHelp:
    'Jedes Wort muss im Betreff, in einer Nachricht oder Notiz, in einem Namen oder einer Adresse stehen; vom letzten genügt der Anfang. Eine Nummer wie T-1042 führt zu ihrem Ticket.',
  ticketsNotFoundYet:
    'Noch nichts. Sehr viele Nachrichten enthalten diese Wörter: Suchen Sie in älteren weiter, oder geben Sie noch ein Wort ein.',
}
