import type { Words } from './en.ts'

export const nl: Words = {
  help: 'Helpcentrum',
  howCanWeHelp: 'Hoe kunnen we helpen?',
  searchLabel: 'Zoeken in het helpcentrum',
  searchExample: 'Stel een vraag',
  search: 'Zoeken',
  skip: 'Naar de inhoud',
  articles: 'Artikelen',
  youAreHere: 'U bent hier',
  updated: 'Bijgewerkt op {date}',
  otherArticles: 'Alle artikelen',
  moreArticles: 'Meer artikelen',
  noArticles: 'Hier staat nog niets. Kom gauw terug.',
  found: { one: '{count} artikel over ‘{question}’', other: '{count} artikelen over ‘{question}’' },
  nothingFound: 'Niets gevonden over ‘{question}’',
  nothingFoundWhy: 'Misschien helpen andere woorden. Dit zijn de nieuwste artikelen:',
  language: 'Taal',
  notTranslated: 'Dit artikel is er nog niet in het Nederlands. Dit is het origineel ({language}).',
  notThere: 'Deze pagina bestaat niet',
  notThereWhy: 'Misschien is ze verplaatst of verwijderd. Met zoeken vindt u wellicht wat u nodig hebt.',
  notThereHere: 'Misschien is ze verplaatst of verwijderd, of is het adres niet volledig.',
}
