import type { Words } from './en.ts'

export const pt: Words = {
  help: 'Centro de ajuda',
  howCanWeHelp: 'Como podemos ajudar?',
  searchLabel: 'Pesquisar no centro de ajuda',
  searchExample: 'Faça uma pergunta',
  search: 'Pesquisar',
  skip: 'Ir para o conteúdo',
  articles: 'Artigos',
  youAreHere: 'Está aqui',
  updated: 'Atualizado em {date}',
  otherArticles: 'Todos os artigos',
  moreArticles: 'Mais artigos',
  noArticles: 'Ainda não há nada aqui. Volte em breve.',
  found: {
    one: '{count} artigo sobre “{question}”',
    many: '{count} artigos sobre “{question}”',
    other: '{count} artigos sobre “{question}”',
  },
  nothingFound: 'Nada encontrado sobre “{question}”',
  nothingFoundWhy: 'Talvez outras palavras ajudem. Estes são os artigos mais recentes:',
  language: 'Idioma',
  notTranslated: 'Este artigo ainda não está disponível em português. Este é o original ({language}).',
  notThere: 'Esta página não existe',
  notThereWhy: 'Pode ter sido movida ou retirada. Uma pesquisa talvez encontre o que procura.',
  notThereHere: 'Pode ter sido movida ou retirada, ou o endereço não está completo.',
}
