import type { Translation } from '../../../words/sentences.ts'
import type { cannedReplies as english } from '../en/canned-replies.ts'

export const cannedReplies: Translation<typeof english> = {
  cannedTitle: 'Textbausteine',
  cannedIntro:
    'Texte für das, was immer wieder gefragt wird. Neben einer Antwort wählen Sie sie aus und fügen sie ein.',
  cannedOwn: 'Ihre eigenen',
  cannedShared: 'Für alle',
  cannedNoOwn: 'Sie haben noch keine. Was Sie schreiben, können nur Sie verwenden.',
  cannedNoShared: 'Es gibt noch keine. Alle, die Tickets beantworten, können sie verwenden.',
  cannedNoSharedYet: 'Es gibt noch keine. Admins schreiben sie.',
  cannedNew: 'Neuer Textbaustein',
  cannedNewShared: 'Neuer für alle',
  cannedName: 'Bezeichnung',
  cannedNameHelp: 'Daran erkennen Sie ihn bei der Auswahl.',
  cannedText: 'Wortlaut',
  cannedWritten: 'Geschrieben',
  cannedAdd: 'Hinzufügen',
  cannedAdded: 'Der Textbaustein wurde hinzugefügt.',
  cannedSaved: 'Der Textbaustein ist gespeichert.',
  cannedDelete: 'Löschen',
  cannedDeleteQuestion: 'Niemand kann ihn mehr verwenden. Antworten, in denen er steht, bleiben, wie sie sind.',
  cannedDeleted: 'Der Textbaustein wurde gelöscht.',
  cannedChanged:
    'Jemand anderes hat ihn geändert, seit Sie diese Seite geöffnet haben. Was Sie geschrieben haben, steht noch hier: Vergleichen Sie es in einem anderen Fenster, und speichern Sie noch einmal, um es zu behalten.',
  cannedUnknown: 'Einen Platzhalter {unknown} gibt es nicht. Es gibt {known}.',

  placeholders: 'Platzhalter',
  placeholderContactName: 'Der Name des Kunden, sonst seine Adresse',
  placeholderContactFirstName: 'Der Vorname des Kunden',
  placeholderContactEmail: 'Die E-Mail-Adresse des Kunden',
  placeholderAgentName: 'Ihr Name',
  placeholderTicketNumber: 'Die Nummer des Tickets, etwa T-1042',
  placeholderTicketSubject: 'Worum es im Ticket geht',
  placeholderInboxName: 'Der Name des Posteingangs',

  chooseCanned: 'Textbaustein',
  noCannedChosen: 'Textbaustein …',
  insertCanned: 'Einfügen',
  manageCanned: 'Verwalten',
  cannedChooseFirst: 'Wählen Sie zuerst einen Textbaustein.',
}
