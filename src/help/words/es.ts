import type { Words } from './en.ts'

export const es: Words = {
  help: 'Centro de ayuda',
  howCanWeHelp: '¿Cómo podemos ayudarle?',
  searchLabel: 'Buscar en el centro de ayuda',
  searchExample: 'Haga una pregunta',
  search: 'Buscar',
  skip: 'Ir al contenido',
  articles: 'Artículos',
  youAreHere: 'Está aquí',
  updated: 'Actualizado el {date}',
  otherArticles: 'Todos los artículos',
  moreArticles: 'Más artículos',
  noArticles: 'Aquí todavía no hay nada. Vuelva pronto.',
  found: {
    one: '{count} artículo sobre «{question}»',
    many: '{count} artículos sobre «{question}»',
    other: '{count} artículos sobre «{question}»',
  },
  nothingFound: 'No se ha encontrado nada sobre «{question}»',
  nothingFoundWhy: 'Quizá sirvan otras palabras. Estos son los artículos más recientes:',
  language: 'Idioma',
  notTranslated: 'Este artículo todavía no está disponible en español. Este es el original ({language}).',
  notThere: 'Esta página no existe',
  notThereWhy: 'Puede que se haya movido o retirado. Una búsqueda quizá encuentre lo que necesita.',
  notThereHere: 'Puede que se haya movido o retirado, o que la dirección no esté completa.',
}
