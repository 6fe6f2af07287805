import type { Words } from './en.ts'

export const pl: Words = {
  help: 'Centrum pomocy',
  howCanWeHelp: 'Jak możemy pomóc?',
  searchLabel: 'Szukaj w centrum pomocy',
  searchExample: 'Proszę zadać pytanie',
  search: 'Szukaj',
  skip: 'Przejdź do treści',
  articles: 'Artykuły',
  youAreHere: 'Jesteś tutaj',
  updated: 'Zaktualizowano: {date}',
  otherArticles: 'Wszystkie artykuły',
  moreArticles: 'Więcej artykułów',
  noArticles: 'Jeszcze nic tu nie ma. Zapraszamy wkrótce.',
  found: {
    one: '{count} artykuł na temat „{question}”',
    few: '{count} artykuły na temat „{question}”',
    many: '{count} artykułów na temat „{question}”',
    other: '{count} artykułu na temat „{question}”',
  },
  nothingFound: 'Nic nie znaleziono na temat „{question}”',
  nothingFoundWhy: 'Być może pomogą inne słowa. Oto najnowsze artykuły:',
  language: 'Język',
  notTranslated: 'Ten artykuł nie jest jeszcze dostępny po polsku. To jest oryginał ({language}).',
  notThere: 'Nie ma takiej strony',
  notThereWhy: 'Mogła zostać przeniesiona lub usunięta. Być może pomoże wyszukiwarka.',
  notThereHere: 'Mogła zostać przeniesiona lub usunięta albo adres jest niepełny.',
}
