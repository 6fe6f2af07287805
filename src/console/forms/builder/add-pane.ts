import { html, type Markup } from '../../../lib/html/markup.ts'
import { button, select } from '../../components/forms.ts'
import type { Visit } from '../../visit.ts'
import { typeGroups } from './beginning/starters.ts'
import { type Built, placedQuestions } from './draft.ts'
import { doing, type Pane, pageOption } from './panes.ts'

/** What kinds of questions there are to add: at the end of a page, or behind a question. */
export function addPane(visit: Visit, built: Built, { pageId, after }: { pageId: number; after: number | null }): Pane {
  const { say } = visit.wording
  const { pages } = built.draft
  const behind = placedQuestions(built.draft).find(({ question }) => question.id === after)
  const where = behind
    ? html`<p class="help">${say('builderAddBehind', { number: behind.index + 1 })}</p><input type="hidden" name="after" value="${behind.question.id}">`
    : pages.length > 1 &&
      select(visit, {
        name: 'page',
        label: say('builderAddTo'),
        options: pages.map((page, index) => pageOption(visit, page, index)),
        value: String(pageId),
      })
  const show = behind ? `add-${pageId}-${behind.question.id}` : `add-${pageId}`
  return {
    title: say('builderAdd'),
    body: doing(visit, built, show, [where, ...typeGroups.map((group) => kinds(visit, group))]),
  }
}

function kinds(visit: Visit, { word, types }: (typeof typeGroups)[number]): Markup {
  const { say } = visit.wording
  return html`<div class="kinds" role="group" aria-labelledby="${word}"><h3 id="${word}">${say(word)}</h3><div>${types.map(
    (type) => button(say(`type_${type}`), { kind: 'secondary', name: 'do', value: `add ${type}` }),
  )}</div></div>`
}
