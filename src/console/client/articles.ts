import { keepArticle } from './articles/draft.ts'
import { startImages } from './articles/images.ts'
import { startPreview } from './articles/preview.ts'
import { startRich } from './articles/rich.ts'

/*
 * The page of an article where scripts run: what is typed is kept as a draft, and the page that it would make stands beside
 * it. Without it, buttons do both.
 */

const place = document.querySelector<HTMLElement>('[data-article-editor]')
const form = place?.querySelector('form')
if (place && form) {
  // A copy on this computer comes back before the editor shows what there is.
  startPreview(place, form)
  const insert = startRich(place, form)
  if (insert) startImages(place, insert)
  keepArticle(place, form)
}
