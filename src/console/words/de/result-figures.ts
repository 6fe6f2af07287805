import type { Translation } from '../../../words/sentences.ts'
import type { resultFigures as english } from '../en/result-figures.ts'

export const resultFigures: Translation<typeof english> = {
  chosenAnswer: 'Mit der Angabe',
  chosenAnswers: 'Nur Antworten mit diesen Angaben',
  chosenDrop: 'Filter entfernen: {filter}',
  chosenEmail: 'Vom Kontakt (E-Mail)',
  chosenGroup: 'Aus der Gruppe',
  chosenAtLeast: 'mindestens {value}',
  chosenFirst: '{answer} zuerst',
  chosenRange: 'Nur Zahlen in einem Bereich',
  chosenLeast: 'Mindestens',
  chosenMost: 'Höchstens',
  chosenCompleteOnly:
    'Nur vollständige Antworten lassen sich nach Tag, Angabe oder Kontakt eingrenzen. Dies sind alle.',

  compareWith: 'Vergleichen mit',
  compareNothing: 'nichts',
  compareBefore: 'den Tagen davor',
  compareYear: 'dem Vorjahr',
  compareDates: 'anderen Tagen',
  compareFrom: 'Vergleich ab',
  compareTo: 'bis',
  compareNeedsPeriod:
    'Zum Vergleichen bitte angeben, ab welchem Tag die Antworten zählen sollen oder mit welchen anderen Tagen verglichen wird.',
  compareDays: 'Verglichen mit',
  compareFigures: 'Vergleich: {name}',
  compareFigure: 'Kennzahl',
  compareNow: 'Zeitraum',
  compareThen: 'Vergleich',
  compareDifference: 'Unterschied',
  comparePoints: '{points} Punkte',
  compareAnswered: 'Beantwortet',
  compareLeast: 'Kleinste Angabe',
  compareMost: 'Größte Angabe',

  dropOff: 'Wie weit die Leute kamen',
  dropOffBegun: 'Begonnen',
  dropOffRate: 'Abgeschlossen',
  dropOffPage: 'Seite',
  dropOffShare: 'Von allen, die begannen',
  dropOffReached: 'Kamen dorthin',
  dropOffLeft: 'Hörten dort auf',
  dropOffEnd: 'Abgeschlossen',
  dropOffNote:
    'Eine Antwort wird gespeichert, sobald ihre erste Seite abgeschickt ist. Nicht abgeschlossene werden nach 90 Tagen gelöscht.',
  dropOffSince: 'Gezählt sind die, die begonnen wurden seit dem',

  answersSearch: 'In den Angaben suchen',
  answersSearchIn: 'In den Angaben zu {question} suchen',
  answersFind: 'Suchen',
  answersOn: 'In älteren weitersuchen',
  answersNotYet: 'In den neuesten Antworten wurde nichts gefunden. Ältere sind noch nicht durchsucht.',
}
