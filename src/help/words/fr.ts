import type { Words } from './en.ts'

export const fr: Words = {
  help: 'Centre d’aide',
  howCanWeHelp: 'Comment pouvons-nous vous aider ?',
  searchLabel: 'Rechercher dans le centre d’aide',
  searchExample: 'Posez une question',
  search: 'Rechercher',
  skip: 'Aller au contenu',
  articles: 'Tous les sujets',
  youAreHere: 'Vous êtes ici',
  updated: 'Mis à jour le {date}',
  otherArticles: 'Tous les articles',
  moreArticles: 'Plus d’articles',
  noArticles: 'Il n’y a encore rien ici. Revenez bientôt.',
  found: {
    one: '{count} article sur « {question} »',
    many: '{count} articles sur « {question} »',
    other: '{count} articles sur « {question} »',
  },
  nothingFound: 'Rien trouvé sur « {question} »',
  nothingFoundWhy: 'D’autres mots aideront peut-être. Voici les articles les plus récents :',
  language: 'Langue',
  notTranslated: 'Cet article n’est pas encore disponible en français. Voici l’original ({language}).',
  notThere: 'Cette page n’existe pas',
  notThereWhy: 'Elle a peut-être été déplacée ou retirée. Une recherche trouvera peut-être ce qu’il vous faut.',
  notThereHere: 'Elle a peut-être été déplacée ou retirée, ou l’adresse est incomplète.',
}
