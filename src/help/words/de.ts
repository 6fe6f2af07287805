import type { Words } from './en.ts'

export const de: Words = {
  help: 'Hilfe',
  howCanWeHelp: 'Wie können wir helfen?',
  searchLabel: 'Hilfe durchsuchen',
  searchExample: 'Stellen Sie eine Frage',
  search: 'Suchen',
  skip: 'Zum Inhalt springen',
  articles: 'Artikel',
  youAreHere: 'Sie sind hier',
  updated: 'Aktualisiert am {date}',
  otherArticles: 'Alle Artikel',
  moreArticles: 'Weitere Artikel',
  noArticles: 'Hier steht noch nichts. Bitte schauen Sie bald wieder vorbei.',
  found: { one: '{count} Artikel zu „{question}“', other: '{count} Artikel zu „{question}“' },
  nothingFound: 'Nichts gefunden zu „{question}“',
  nothingFoundWhy: 'Vielleicht helfen andere Wörter. Das sind die neuesten Artikel:',
  language: 'Sprache',
  notTranslated: 'Diesen Artikel gibt es noch nicht auf Deutsch. Sie lesen das Original ({language}).',
  notThere: 'Diese Seite gibt es nicht',
  notThereWhy: 'Vielleicht wurde sie verschoben oder entfernt. Die Suche findet möglicherweise, was Sie brauchen.',
  notThereHere: 'Vielleicht wurde sie verschoben oder entfernt, oder die Adresse ist nicht vollständig.',
}
