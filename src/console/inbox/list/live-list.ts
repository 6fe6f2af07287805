import { html, type Markup } from '../../../lib/html/markup.ts'
import type { Visit } from '../../visit.ts'

/** Where a script hears that the list has changed, and says so to whoever is among its tickets. */
export function liveList(visit: Visit): Markup {
  const { say } = visit.wording
  const path = visit.url.pathname + visit.url.search
  return html`<p class="news" role="status" hidden data-events="${visit.href('/console/inbox/events')}"><span>${say('listHasChanged')}</span> <a class="secondary" href="${visit.href(path)}">${say('showNew')}</a></p>`
}
