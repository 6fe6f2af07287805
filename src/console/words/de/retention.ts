import type { Translation } from '../../../words/sentences.ts'
import type { retention as english } from '../en/retention.ts'

export const retention: Translation<typeof english> = {
  settingsRetention: 'Aufbewahrung',
  retentionIntro:
    'Wie lange Daten aufbewahrt werden. Was älter ist, wird stündlich endgültig gelöscht, mit seinen Dateien. In Sicherungen bleibt es, solange es die Sicherung gibt.',
  retentionWhat: 'Was',
  retentionCounted: 'Gezählt',
  retentionHowLong: 'Aufbewahrt',
  retentionChange: 'Ändern',
  retentionCaption: 'Wie lange was aufbewahrt wird',
  keptForGood: 'Unbegrenzt',
  keptDays: { one: '{count} Tag', other: '{count} Tage' },
  kept_partial_responses: 'Nicht abgeschlossene Antworten',
  kept_partial_responses_help: 'Ab der letzten Änderung durch den Befragten.',
  kept_responses: 'Abgeschlossene Antworten',
  kept_responses_help:
    'Ab dem Absenden. In Auswertungen zählen sie nicht mehr, und Tickets verlieren die Bewertung, die sie gaben.',
  kept_closed_tickets: 'Geschlossene Tickets',
  kept_closed_tickets_help:
    'Ab dem Schließen, mit Nachrichten, Notizen und den Tickets, die darin zusammengeführt sind. In Berichten zählen sie nicht mehr. Steht noch eine Antwort zum Senden an, bleibt das Ticket.',
  kept_contacts: 'Kontakte ohne Vorgänge',
  kept_contacts_help:
    'Ab der letzten Änderung, bei Kontakten, die kein Ticket, keine abgeschlossene Antwort und keinen Chat (mehr) haben. Nicht abgeschlossene Antworten zählen nicht: Die Adresse kann jeder eingegeben haben, und sie haben eine eigene Frist. Auch, dass jemand abgemeldet war, ist dann vergessen.',
  kept_audit: 'Protokoll',
  kept_audit_help: 'Ab dem Eintrag. Worin Kontakte eingewilligt haben, bleibt, solange es den Kontakt gibt.',
  kept_deliveries: 'Zustellungen an Webhooks',
  kept_deliveries_help: 'Ab der Zustellung oder dem letzten Versuch. Was noch zuzustellen ist, bleibt.',
  kept_raw_mails: 'Originale von E-Mails',
  kept_raw_mails_help: 'Ab dem Eingang, auch in der Quarantäne. Was darin stand, bleibt im Ticket.',
  retentionDays: 'Tage',
  retentionDaysHelp: 'Leer: unbegrenzt.',
  retentionLook: 'Zeigen, was gelöscht würde',
  retentionNow: 'Was gelöscht wird',
  retentionNothing: 'Heute ist nichts so alt. Von jetzt an wird gelöscht, was älter wird.',
  retentionGoes: {
    one: '{count} davon ist älter und würde jetzt gelöscht. Niemand kann das rückgängig machen.',
    other: '{count} davon sind älter und würden jetzt gelöscht. Niemand kann das rückgängig machen.',
  },
  retentionForGood: 'Davon wird nichts mehr gelöscht, nur weil es alt ist.',
  retentionKeep: 'So lange aufbewahren',
  retentionDelete: 'Löschen, was älter ist, und zwar endgültig',
  retentionNotSure: 'Setzen Sie den Haken, wenn Sie das möchten.',
  retentionSure: 'Sind Sie sicher?',
  retentionSaved: '{what}: gespeichert. Was älter ist, wird jetzt gelöscht.',
  retentionGone: '{number} gelöscht',

  personKept: 'Was aufbewahrt wird',
  personKeptTickets: 'Tickets',
  personKeptMails: 'Originale von E-Mails',
  personKeptResponses: 'Antworten',
  personKeptContact: 'Kontakt',
  personForGood: '{number}, unbegrenzt',
  personAfterClosing: {
    one: '{tickets}, bis {count} Tag nach dem Schließen',
    other: '{tickets}, bis {count} Tage nach dem Schließen',
  },
  personAfterArrival: { one: '{mails}, {count} Tag lang', other: '{mails}, {count} Tage lang' },
  personAfterSending: {
    one: '{responses}, bis {count} Tag nach dem Absenden',
    other: '{responses}, bis {count} Tage nach dem Absenden',
  },
  personContactForGood: 'Unbegrenzt',
  personContactDays: {
    one: 'Bis {count} Tag nach der letzten Änderung, wenn sonst nichts mehr da ist',
    other: 'Bis {count} Tage nach der letzten Änderung, wenn sonst nichts mehr da ist',
  },
}
