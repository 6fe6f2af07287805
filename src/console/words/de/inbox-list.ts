import type { Translation } from '../../../words/sentences.ts'
import type { inboxList as english } from '../en/inbox-list.ts'

export const inboxList: Translation<typeof english> = {
  searchInbox: 'Tickets durchsuchen',
  ticketsNotFound: 'Für „{text}“ wurde nichts gefunden.',
  searchHelp:
    'Jedes Wort muss im Betreff, in einer Nachricht oder Notiz, in einem Namen oder einer Adresse stehen; vom letzten genügt der Anfang. Eine Nummer wie T-1042 führt zu ihrem Ticket.',
  ticketsNotFoundYet:
    'Noch nichts. Sehr viele Nachrichten enthalten diese Wörter: Suchen Sie in älteren weiter, oder geben Sie noch ein Wort ein.',
  newer: 'Neuere',
  unread: 'Ungelesen',
  unanswered: 'unbeantwortet {time}',
  noInboxes: 'Es gibt noch keinen Posteingang, in dem E-Mails und Chats ankommen könnten.',
  adminsAddInboxes: 'Admins legen Posteingänge in den Einstellungen an.',
  noTicketsOpen: 'Nichts wartet: Kein Ticket ist offen.',
  closedOfLate: {
    one: '{count} Ticket wurde in den letzten 24 Stunden geschlossen.',
    other: '{count} Tickets wurden in den letzten 24 Stunden geschlossen.',
  },
  closedOfLateMany: 'Mehr als {count} Tickets wurden in den letzten 24 Stunden geschlossen.',
  noTicketsPending: 'Kein Ticket wartet auf seinen Kunden.',
  noTicketsClosed: 'Noch ist kein Ticket geschlossen.',
  noTicketsSpam: 'Es gibt keinen Spam. Tickets, die Sie als Spam markieren, stehen hier.',
  noTicketsMine: 'Auf Sie wartet nichts.',
  noTicketsUnassigned: 'Um jedes offene Ticket kümmert sich jemand.',
  noTicketsSnoozed:
    'Nichts ist zurückgestellt. Ein zurückgestelltes Ticket öffnet sich an dem Tag von selbst, den Sie wählen.',
  noTicketsFit: 'Auf diese Filter passt kein Ticket.',

  sharedViews: 'Ansichten für alle',
  ownViews: 'Ihre Ansichten',
  keepView: 'Diese Ansicht speichern',
  viewName: 'Name der Ansicht',
  keepForMe: 'Für mich speichern',
  keepForAll: 'Für alle speichern',
  viewSaved: 'Die Ansicht ist gespeichert.',
  viewDeleted: 'Die Ansicht wurde gelöscht.',
  deleteView: '„{name}“ löschen',
  deleteViewQuestion: 'Nur die Ansicht wird gelöscht, kein Ticket.',

  bulkTitle: 'Mit den markierten Tickets',
  tick: '{reference} markieren',
  tickAll: 'Alle markieren',
  ticked: '% markiert',
  closeTickets: 'Schließen',
  nothingTicked: 'Markieren Sie die Tickets, die Sie meinen.',
  ticketsChanged: { one: '{count} Ticket wurde geändert.', other: '{count} Tickets wurden geändert.' },
  ticketsLeft: {
    one: '{count} nicht: Es wurde zusammengeführt oder gelöscht.',
    other: '{count} nicht: Sie wurden zusammengeführt oder gelöscht.',
  },
}
