import { html, type Markup } from '../../../lib/html/markup.ts'
import { backLink } from '../../components/display.ts'
import type { PageContent, Visit } from '../../visit.ts'
import { readViews, viewList } from '../list/views.ts'
import { shortcutSheet } from '../shortcuts.ts'

/** A mail that is being written, where else a ticket stands: beside the list, where there is room. */
export async function outgoingPage(
  visit: Visit,
  title: string,
  content: Markup,
  back: { path: string; text: string } = { path: '/console/inbox', text: visit.wording.say('inboxTitle') },
): Promise<PageContent> {
  const views = await readViews(visit)
  return {
    title,
    body: html`<div class="panes" data-desk="ticket" data-lost="${visit.wording.say('deskLost')}"><div class="ticket-pane outgoing" data-pane="ticket">
<div class="ticket-head">${backLink(visit, back.path, back.text)}<div class="titles"><h1 tabindex="-1">${title}</h1></div></div>
<section class="composer" id="answer" aria-label="${title}" tabindex="-1">${content}</section></div></div>${shortcutSheet(visit)}`,
    isDesk: true,
    within: viewList(visit, views, null),
    scripts: ['desk'],
  }
}
