import { type ArticleLanguage, articleLanguages } from '../kinds/articles.ts'
import { baseOf } from '../lib/language/languages.ts'

/** Whether articles can be translated into that language. */
export function isArticleLanguage(text: string): text is ArticleLanguage {
  return articleLanguages.some((one) => one === text)
}

/** The languages of `wanted` besides the source's own, in the order in which they are offered everywhere. */
export function translatedInto(language: string, wanted: Iterable<string>): ArticleLanguage[] {
  const own = baseOf(language)
  const set = new Set(wanted)
  return articleLanguages.filter((one) => one !== own && set.has(one))
}

/** Where the help centre shows an article: as it is written, where `language` is '', or in another language. */
export function articlePath(sourceId: string, slug: string, language = ''): string {
  return language === '' ? `/help/${sourceId}/${slug}` : `/help/${sourceId}/${language}/${slug}`
}

/** Of the languages that somebody reads, most wanted first, the first that the articles of a source are in; '' is their own. */
export function readerLanguage(
  source: { readonly language: string; readonly languages: readonly ArticleLanguage[] },
  wanted: readonly string[],
): ArticleLanguage | '' {
  const own = baseOf(source.language)
  for (const language of wanted.map(baseOf)) {
    if (language === own) return ''
    const found = source.languages.find((one) => one === language)
    if (found) return found
  }
  return ''
}
