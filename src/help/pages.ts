import type { Assistant } from '../assistant/assistant.ts'
import type { Deps } from '../deps.ts'
import { file } from '../http/answers/file.ts'
import { passedOn } from '../http/when-asked-for.ts'
import { HelpAnswers } from './answers.ts'
import { styleSheet } from './styles.ts'

/** A source's articles as pages, their pictures, and what search engines are told of them. */
export function helpPages(deps: Deps, assistant: Assistant) {
  const answers = new HelpAnswers(deps, assistant)
  const style = file('text/css; charset=utf-8', async () => styleSheet, {
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const ofPage = () => ({ scope: 'public' }) as const
  return passedOn(deps)
    .get('/help/assets/help.css', ({ request }) => style(request), ofPage())
    .get('/help/:sourceId', ({ request, params }) => answers.list(request, params.sourceId), ofPage())
    .get('/help/:sourceId/sitemap.xml', ({ request, params }) => answers.sitemap(request, params.sourceId), ofPage())
    .get('/help/:sourceId/images/:imageId', ({ params }) => answers.image(params.sourceId, params.imageId), ofPage())
    .get(
      '/help/:sourceId/:slug',
      ({ request, params }) => answers.article(request, params.sourceId, params.slug),
      ofPage(),
    )
    .get(
      '/help/:sourceId/:slug/:translated',
      ({ request, params }) => answers.translation(request, params.sourceId, params.slug, params.translated),
      ofPage(),
    )
}
