import { html, type Markup } from '../../lib/html/markup.ts'
import { backLink } from '../components/display.ts'
import type { PageContent, Visit } from '../visit.ts'
import { readViews, viewList } from './list/views.ts'
import { shortcutSheet } from './shortcuts.ts'

/** What stands where else a ticket does: beside the list, where there is room. `kind` is for the style sheet. */
export async function besideList(
  visit: Visit,
  { kind, title, back }: { kind: string; title: string; back: { path: string; text: string } },
  content: Markup,
): Promise<PageContent> {
  const views = await readViews(visit)
  return {
    title,
    body: html`<div class="panes" data-desk="ticket" data-lost="${visit.wording.say('deskLost')}"><div class="ticket-pane ${kind}" data-pane="ticket">
<div class="ticket-head">${backLink(visit, back.path, back.text)}<div class="titles"><h1 tabindex="-1">${title}</h1></div></div>
${content}</div></div>${shortcutSheet(visit)}`,
    isDesk: true,
    within: viewList(visit, views, null),
    scripts: ['desk'],
  }
}
