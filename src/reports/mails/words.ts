/** What stands in the mails that reports are. Values are written already. */
interface ReportWords {
  readonly weekSubject: (opened: number, written: string) => string
  readonly week: (from: string, to: string) => string
  readonly figures: Readonly<
    Record<'opened' | 'closed' | 'open' | 'firstAnswer' | 'close' | 'satisfaction' | 'promises', string>
  >
  readonly before: (value: string) => string
  readonly overdueSubject: (count: number) => string
  readonly overdue: string
  readonly more: (count: number) => string
  readonly since: (time: string) => string
  readonly open: string
  readonly why: string
}

const en: ReportWords = {
  weekSubject: (opened, written) => `Support last week: ${opened === 1 ? 'one ticket' : `${written} tickets`}`,
  week: (from, to) => `How support did from ${from} to ${to}:`,
  figures: {
    opened: 'Opened',
    closed: 'Closed',
    open: 'Open at the end',
    firstAnswer: 'First answer (median)',
    close: 'Time to close (median)',
    satisfaction: 'Satisfaction',
    promises: 'Promises kept',
  },
  before: (value) => `the week before: ${value}`,
  overdueSubject: (count) => (count === 1 ? 'One ticket is overdue' : `${count} tickets are overdue`),
  overdue: 'These tickets wait longer than was promised:',
  more: (count) => `… and ${count} more.`,
  since: (time) => `due ${time}`,
  open: 'Open the report',
  why: 'An admin has this sent to you: Settings, Reports.',
}

const de: ReportWords = {
  weekSubject: (opened, written) => `Support letzte Woche: ${opened === 1 ? 'ein Ticket' : `${written} Tickets`}`,
  week: (from, to) => `So lief der Support vom ${from} bis zum ${to}:`,
  figures: {
    opened: 'Eingegangen',
    closed: 'Geschlossen',
    open: 'Am Ende offen',
    firstAnswer: 'Erste Antwort (Median)',
    close: 'Zeit bis zum Schließen (Median)',
    satisfaction: 'Zufriedenheit',
    promises: 'Gehaltene Zusagen',
  },
  before: (value) => `in der Woche davor: ${value}`,
  overdueSubject: (count) => (count === 1 ? 'Ein Ticket ist überfällig' : `${count} Tickets sind überfällig`),
  overdue: 'Diese Tickets warten länger als zugesagt:',
  more: (count) => `… und ${count} weitere.`,
  since: (time) => `fällig ${time}`,
  open: 'Bericht öffnen',
  why: 'Ein Admin lässt Ihnen das schicken: Einstellungen, Berichte.',
}

/** The words of a language (BCP 47): `de-AT` gets German, one that is not here English. */
export function reportWordsOf(language: string): ReportWords {
  return new Intl.Locale(language).language === 'de' ? de : en
}
