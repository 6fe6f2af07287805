import type { Translation } from '../../../words/sentences.ts'
import type { persons as english } from '../en/persons.ts'

export const persons: Translation<typeof english> = {
  mergeLink: 'Mit einem anderen Kontakt zusammenführen',
  mergeTitle: 'Kontakte zusammenführen',
  mergeFindIntro: 'Finden Sie den Kontakt, der dieselbe Person ist wie {name}.',
  mergeIntro: 'Wählen Sie, was stimmt. {name} bleibt, den anderen Kontakt gibt es danach nicht mehr.',
  mergeFind: 'Anderen Kontakt finden',
  mergeChoose: 'Wählen',
  mergeAnother: 'Anderen wählen',
  mergeStays: 'Was außerdem bleibt',
  mergeGoesAlong:
    'Tickets, Antworten, Chats und Einwilligungen von {name} kommen mit. Wer abgemeldet war, bleibt abgemeldet.',
  mergeEmailHelp: 'Aus E-Mails von der Adresse, die Sie nicht wählen, entsteht ein neuer Kontakt.',
  mergeDo: 'Kontakte zusammenführen',
  mergeDone: '{name} wurde in diesen Kontakt übernommen.',
  mergeChanged:
    'Einer der Kontakte wurde geändert, seit Sie die Seite geöffnet haben. Sehen Sie die Werte noch einmal an.',
  contactMergedAway: 'Dieser Kontakt wurde mit einem anderen zusammengeführt.',
  contactMergedInto: '{name} öffnen',

  eraseLink: 'Mit allem löschen',
  eraseTitle: 'Eine Person mit allem löschen',
  eraseIntro:
    'Wenn jemand vergessen werden möchte. Was {name} je geschickt hat, wird endgültig gelöscht; niemand kann es zurückholen.',
  eraseGoes: 'Was verschwindet',
  eraseContact: 'Kontakt',
  eraseTickets: 'Tickets',
  eraseMessages: 'Nachrichten und Notizen darin',
  eraseMails: 'E-Mails, wie sie kamen',
  eraseResponses: 'Antworten auf Formulare',
  eraseUnfinished: 'Nicht abgeschlossene Antworten mit dieser Adresse',
  eraseAllUnfinished: 'alle, mit ihren Dateien',
  eraseFiles: 'Dateien',
  eraseVisitors: 'Anmeldungen im Chat',
  eraseStays: 'Was bleibt',
  eraseStaysAudit: 'Das Protokoll, in dem keine Namen und Adressen von Kontakten stehen, nur ihre IDs.',
  eraseStaysOthers: 'Was die Person in Tickets anderer geschrieben hat.',
  eraseStaysDeliveries:
    'Was an Ihre Webhooks gesendet wurde, solange Zustellungen aufbewahrt werden, abgelehnte Zeilen eingelesener Dateien, 30 Tage lang, und Antworten der API, die wiederholt abgerufen werden können, einen Tag lang.',
  eraseStaysBackups: 'Sicherungen und Dateien, die Sie heruntergeladen haben.',
  eraseSure: 'Sind Sie sicher?',
  eraseSureLabel: 'Alles von {name} endgültig löschen.',
  eraseNotSure: 'Setzen Sie den Haken, wenn Sie das möchten.',
  eraseDo: 'Mit allem löschen',
  eraseDone: 'Die Person wurde mit allem gelöscht.',
}
