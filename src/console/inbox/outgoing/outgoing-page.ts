import { html, type Markup } from '../../../lib/html/markup.ts'
import type { PageContent, Visit } from '../../visit.ts'
import { besideList } from '../beside-list.ts'

/** A mail that is being written. */
export function outgoingPage(
  visit: Visit,
  title: string,
  content: Markup,
  back: { path: string; text: string } = { path: '/console/inbox', text: visit.wording.say('inboxTitle') },
): Promise<PageContent> {
  return besideList(
    visit,
    { kind: 'outgoing', title, back },
    html`<section class="composer" id="answer" aria-label="${title}" tabindex="-1">${content}</section>`,
  )
}
