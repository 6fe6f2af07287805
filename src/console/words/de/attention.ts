import type { Translation } from '../../../words/sentences.ts'
import type { attention as english } from '../en/attention.ts'

export const attention: Translation<typeof english> = {
  attentionTitle: 'Zu klären',
  attentionUnsent: 'Nicht gesendet',
  attentionQuarantine: 'E-Mails in Quarantäne',
  attentionMailboxes: 'Postfächer nicht erreichbar',
  answersFilter: 'Antworten',
  anyAnswers: 'Alle Antworten',
  noTicketsUnsent: 'Jede Antwort ist angekommen.',
  unsentWhy: 'Eine Antwort in diesem Ticket ist nicht angekommen.',
  dismissUnsent: 'Abhaken',
  unsentDismissed: 'Abgehakt: Das Ticket zählt nicht mehr zu den nicht gesendeten.',
  noteSays: 'Notiz:',
  earlierResponses: 'Formularantworten',
  ratingNps: 'NPS {points}',
  ratingStars: '{points} von {most} Sternen',
  ratingScore: '{percentage} % der Punkte',
  pictureViewer: 'Bild',
  previousPicture: 'Voriges Bild',
  nextPicture: 'Nächstes Bild',
  closePicture: 'Schließen',
  backToTicket: 'Zurück zum Ticket',
}
