import type { Words } from './en.ts'

export const sv: Words = {
  help: 'Hjälpcenter',
  howCanWeHelp: 'Hur kan vi hjälpa dig?',
  searchLabel: 'Sök i hjälpcentret',
  searchExample: 'Ställ en fråga',
  search: 'Sök',
  skip: 'Hoppa till innehållet',
  articles: 'Artiklar',
  youAreHere: 'Du är här',
  updated: 'Uppdaterad {date}',
  otherArticles: 'Alla artiklar',
  moreArticles: 'Fler artiklar',
  noArticles: 'Här finns inget än. Titta gärna in snart igen.',
  found: { one: '{count} artikel om ”{question}”', other: '{count} artiklar om ”{question}”' },
  nothingFound: 'Inget hittades om ”{question}”',
  nothingFoundWhy: 'Andra ord kanske hjälper. Det här är de nyaste artiklarna:',
  language: 'Språk',
  notTranslated: 'Den här artikeln finns ännu inte på svenska. Det här är originalet ({language}).',
  notThere: 'Sidan finns inte',
  notThereWhy: 'Den kan ha flyttats eller tagits bort. En sökning hittar kanske det du behöver.',
  notThereHere: 'Den kan ha flyttats eller tagits bort, eller så är adressen inte fullständig.',
}
