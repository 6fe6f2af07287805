import type { Article } from '../articles/model.ts'
import type { PublicSource } from '../articles/sources.ts'
import type { Deps } from '../deps.ts'
import { articlePage } from './page.ts'
import { ArticleRenderer } from './rendering.ts'
import { styleVersion } from './styles.ts'
import { helpWordsOf } from './words/index.ts'

/** Writes the page that an article has, or would have once it is saved, as a whole document. For its tenant alone. */
export function articlePreviews({ config }: Pick<Deps, 'config'>) {
  const { baseUrl } = config
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  const renderer = new ArticleRenderer()
  return async (
    source: PublicSource,
    article: Pick<Article, 'slug' | 'title' | 'format' | 'canonicalUrl' | 'updatedAt'> & { content: string },
  ): Promise<string> => {
    const { slug, title, format, content, canonicalUrl, updatedAt } = article
    const frame = { base, version: styleVersion, source, wording: helpWordsOf(source.language) }
    return articlePage(frame, {
      ...{ slug, title, canonicalUrl, updatedAt, description: '' },
      content: await renderer.render({ title, format, content, base }),
      url: `${baseUrl}/help/${source.id}/${slug}`,
    })
  }
}
