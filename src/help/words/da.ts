import type { Words } from './en.ts'

export const da: Words = {
  help: 'Hjælpecenter',
  howCanWeHelp: 'Hvordan kan vi hjælpe?',
  searchLabel: 'Søg i hjælpecenteret',
  searchExample: 'Stil et spørgsmål',
  search: 'Søg',
  skip: 'Gå til indholdet',
  articles: 'Artikler',
  youAreHere: 'Du er her',
  updated: 'Opdateret {date}',
  otherArticles: 'Alle artikler',
  moreArticles: 'Flere artikler',
  noArticles: 'Her er ikke noget endnu. Kig gerne forbi igen snart.',
  found: { one: '{count} artikel om „{question}“', other: '{count} artikler om „{question}“' },
  nothingFound: 'Intet fundet om „{question}“',
  nothingFoundWhy: 'Andre ord hjælper måske. Her er de nyeste artikler:',
  language: 'Sprog',
  notTranslated: 'Denne artikel findes endnu ikke på dansk. Dette er originalen ({language}).',
  notThere: 'Siden findes ikke',
  notThereWhy: 'Den kan være flyttet eller fjernet. En søgning finder måske det, du har brug for.',
  notThereHere: 'Den kan være flyttet eller fjernet, eller adressen er ikke fuldstændig.',
}
