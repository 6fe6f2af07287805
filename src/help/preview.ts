import type { Article } from '../articles/model.ts'
import type { PublicSource } from '../articles/sources.ts'
import type { Deps } from '../deps.ts'
import type { ArticleLanguage } from '../kinds/articles.ts'
import type { Tongue } from './frame.ts'
import { articlePage } from './page.ts'
import { ArticleRenderer } from './rendering.ts'
import { styleVersion } from './styles.ts'
import { helpWordsOf } from './words/index.ts'

/**
 * Writes the page that an article has, or would have once it is saved, as a whole document. For its tenant
 * alone. `language` is that of a translation, '' the source's own.
 */
export function articlePreviews({ config }: Pick<Deps, 'config'>) {
  const { baseUrl } = config
  const { origin, pathname } = new URL(baseUrl)
  const base = pathname.replace(/\/$/, '')
  const renderer = new ArticleRenderer()
  return async (
    source: PublicSource,
    language: ArticleLanguage | '',
    article: Pick<Article, 'slug' | 'title' | 'format' | 'canonicalUrl' | 'updatedAt'> & { content: string },
  ): Promise<string> => {
    const { slug, title, format, content, canonicalUrl, updatedAt } = article
    const tag = language || source.language
    const tongue: Tongue = { language, tag, home: `${base}/help/${source.id}` }
    const frame = { base, origin, version: styleVersion, source, wording: helpWordsOf(tag), tongue, tongues: [tongue] }
    return articlePage(frame, {
      ...{ slug, title, canonicalUrl, updatedAt, description: '', language },
      isIn: () => true,
      content: await renderer.render({ title, format, content, base }),
    })
  }
}
