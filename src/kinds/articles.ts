/** How the content of an article is written. */
export const articleFormats = ['markdown', 'html', 'text'] as const

/** What articles can be translated into: the languages that the pages around them are written in, as those of forms. */
export const articleLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'ja', 'ar', 'he'] as const
export type ArticleLanguage = (typeof articleLanguages)[number]
