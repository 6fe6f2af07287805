import { keepArticle } from './articles/draft.ts'
import { startPreview } from './articles/preview.ts'

/*
 * The page of an article where scripts run: what is typed is kept as a draft, and the page that it would make stands beside
 * it. Without it, buttons do both.
 */

const place = document.querySelector<HTMLElement>('[data-article-editor]')
const form = place?.querySelector('form')
if (place && form) {
  startPreview(place, form)
  keepArticle(place, form)
}
