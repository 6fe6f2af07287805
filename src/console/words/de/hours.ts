import type { Translation } from '../../../words/sentences.ts'
import type { hours as english } from '../en/hours.ts'

export const hours: Translation<typeof english> = {
  settingsHours: 'Arbeitszeiten',
  hoursIntro: 'Wann jemand da ist, um zu antworten: für Live-Chats, automatische Antworten, Regeln und Fristen.',
  hoursCompany: 'Zeiten der Firma',
  hoursInboxes: 'Posteingänge',
  hoursNoInboxes: 'Es gibt noch keine Posteingänge.',
  hoursFollow: 'Wie die Firma',
  hoursNever: 'Nie',
  hoursOf: 'Arbeitszeiten von {inbox}',
  hoursFollowing: 'Für diesen Posteingang gelten die Zeiten der Firma. Was Sie hier speichern, gilt für ihn allein.',
  hoursZone: 'Zeitzone',
  hoursZoneHelp: 'Zum Beispiel Europe/Berlin. Die Sommerzeit wird berücksichtigt.',
  hoursWeek: 'Woche',
  hoursWeekHelp:
    'Zeiten wie 09:00-12:00, 12:30-17:00. Eine Nacht darf über Mitternacht gehen, 22:00-06:00; ein ganzer Tag ist 00:00-24:00. Leer: niemand ist da.',
  hoursClosed: 'Niemand ist da',
  daysOff: 'Freie Tage',
  daysOffHelp: 'Eine Zeile für jeden: 2026-12-25 Weihnachten.',
  daysOffFile: 'Freie Tage aus einer Datei',
  daysOffFileHelp:
    'Kalender mit Feiertagen gibt es als ICS-Dateien. Ganze Tage der nächsten fünf Jahre kommen zu denen oben hinzu.',
  daysOffFileLabel: 'ICS-Datei',
  daysOffTake: 'Freie Tage hinzufügen',
  daysOffTaken: {
    one: '{count} freier Tag wurde hinzugefügt.',
    other: '{count} freie Tage wurden hinzugefügt.',
  },
  hoursClear: 'Immer da sein',
  hoursClearAsk:
    'Die Zeiten und freien Tage oben gibt es dann nicht mehr. Posteingänge mit eigenen Zeiten behalten sie.',
  hoursFollowAgain: 'Den Zeiten der Firma folgen',
  hoursFollowAsk: 'Die Zeiten und freien Tage dieses Posteingangs gibt es dann nicht mehr.',
  // What is due of tickets.
  viewDueToday: 'Heute fällig',
  viewOverdue: 'Überfällig',
  dueFilter: 'Fällig',
  dueAnyTime: 'Jede Frist',
  dueSoonestFirst: 'Mit Frist, die nächste zuerst',
  noTicketsOverdue: 'Nichts ist überfällig.',
  noTicketsDue: 'Nichts ist fällig.',
  dueIn: 'fällig in {time}',
  overdueFor: 'seit {time} überfällig',
  ticketDue: 'Fällig',
  dueStandsStill: 'Steht still, solange das Ticket wartet',
  promiseNamed: 'Zugesagt durch „{name}“.',
  promise_firstAnswer: 'Erste Antwort',
  promise_nextAnswer: 'Nächste Antwort',
  promise_close: 'Schließen',
  // Promises.
  settingsPromises: 'Zusagen',
  promisesIntro:
    'Bis wann Kunden eine Antwort haben, in Arbeitszeit. Von denen, die auf ein Ticket passen, gilt die erste.',
  promisesNone: 'Noch ist nichts zugesagt. Eine Zusage gibt jedem Ticket eine Frist.',
  promiseNew: 'Neue Zusage',
  promiseCreate: 'Zusage anlegen',
  promiseCreated: 'Die Zusage {name} wurde angelegt. Offene Tickets bekommen gleich ihre Fristen.',
  promiseName: 'Name',
  promiseFor: 'Für',
  promiseAll: 'Jedes Ticket',
  promiseIfAll: 'Für Tickets, auf die all das zutrifft',
  promiseIfNothing: 'Ohne Bedingungen gilt sie für jedes Ticket.',
  promiseTargets: 'Innerhalb von',
  promiseTargetsHelp:
    'Arbeitszeit wie 30m, 4h oder 2d, wobei ein Tag 24 Arbeitsstunden sind. Was leer bleibt, ist nicht zugesagt.',
  promiseUp: '{name} früher prüfen',
  promiseByCommand:
    'Die Bedingungen sind mehr, als dieses Formular zeigen kann. Ändern Sie sie mit frontdesk promise update.',
  promiseDelete: 'Zusage löschen',
  promiseDeleteAsk:
    'Offene Tickets bekommen die nächste passende Zusage oder keine. Was eingehalten wurde und was nicht, bleibt in den Berichten.',
  promiseDeleted: 'Die Zusage {name} wurde gelöscht.',
}
