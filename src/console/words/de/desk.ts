import type { Translation } from '../../../words/sentences.ts'
import type { desk as english } from '../en/desk.ts'

export const desk: Translation<typeof english> = {
  more: 'Mehr',
  youWrote: 'Sie:',
  anyTeam: 'Alle Teams',
  ticketTag: 'Schlagwort',
  anyTag: 'Alle Schlagwörter',
  details: 'Einzelheiten',
  answerOrNote: 'Antwort oder Notiz',
  addressesOfMail: 'Adressen',
  mailCc: 'Cc',
  mailBcc: 'Bcc',
  snoozeLater: 'In 3 Stunden',
  snoozeTime: 'Zu einer Zeit',
  snoozeUntilThen: 'Bis dahin zurückstellen',
  visitorTypes: 'Der Besucher schreibt …',
  undone: 'Rückgängig gemacht.',
  deskLost: 'Die Verbindung ist abgebrochen, nichts wurde gesendet. Versuchen Sie es noch einmal.',
  chooseTicket: 'Wählen Sie ein Ticket, um es hier zu lesen.',
  findPerson: 'Person oder Team suchen',
  addThem: 'Hinzufügen',
  removeTag: 'Schlagwort {name} entfernen',
  mergeTwo: 'Zwei Tickets zusammenführen',
  mergeTwoOnly: 'Markieren Sie die zwei Tickets, aus denen eines werden soll.',
  addTags: 'Schlagwörter hinzufügen',
}
