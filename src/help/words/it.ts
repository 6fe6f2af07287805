import type { Words } from './en.ts'

export const it: Words = {
  help: 'Centro assistenza',
  howCanWeHelp: 'Come possiamo aiutarla?',
  searchLabel: 'Cerca nel centro assistenza',
  searchExample: 'Faccia una domanda',
  search: 'Cerca',
  skip: 'Vai al contenuto',
  articles: 'Articoli',
  youAreHere: 'Lei è qui',
  updated: 'Aggiornato il {date}',
  otherArticles: 'Tutti gli articoli',
  moreArticles: 'Altri articoli',
  noArticles: 'Qui non c’è ancora nulla. Torni a trovarci presto.',
  found: {
    one: '{count} articolo su «{question}»',
    many: '{count} articoli su «{question}»',
    other: '{count} articoli su «{question}»',
  },
  nothingFound: 'Nessun risultato per «{question}»',
  nothingFoundWhy: 'Forse altre parole possono aiutare. Questi sono gli articoli più recenti:',
  language: 'Lingua',
  notTranslated: 'Questo articolo non è ancora disponibile in italiano. Questo è l’originale ({language}).',
  notThere: 'Questa pagina non esiste',
  notThereWhy: 'Potrebbe essere stata spostata o rimossa. Una ricerca potrebbe trovare ciò che le serve.',
  notThereHere: 'Potrebbe essere stata spostata o rimossa, oppure l’indirizzo non è completo.',
}
