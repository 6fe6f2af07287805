import type { End, ShowIf } from '../../../../forms/logic/model.ts'
import type { FormPage } from '../../../../forms/pages.ts'
import type { Markup } from '../../../../lib/html/markup.ts'
import type { FormFields } from '../../../form-fields.ts'
import type { Again, Visit } from '../../../visit.ts'
import type { Built, Placed } from '../draft.ts'
import { logicControls } from './controls.ts'
import { hasRows, rowsOf, sentRows, showIfOf } from './draft.ts'
import { sourcesOf } from './sources.ts'

/* When something is shown, in the form of what it is. */

interface Words {
  readonly legend: 'logicQuestion' | 'logicPage' | 'logicEnd'
  readonly lead: 'logicMatchQuestion' | 'logicMatchEnd'
  readonly none: 'logicAlways' | 'logicAlwaysEnd'
}

/** When a question is shown: what is asked before it decides. */
export function questionLogic(visit: Visit, built: Built, { question, index }: Placed, again?: Again): Markup {
  return section(visit, built, question.showIf, index, again, {
    legend: 'logicQuestion',
    lead: 'logicMatchQuestion',
    none: 'logicAlways',
  })
}

/** When a page is shown: what is asked on those before it decides. */
export function pageLogic(visit: Visit, built: Built, page: FormPage, again?: Again): Markup {
  return section(visit, built, page.showIf, askedBefore(built, page), again, {
    legend: 'logicPage',
    lead: 'logicMatchQuestion',
    none: 'logicAlways',
  })
}

/** When a form ends in a way: everything that was asked decides. */
export function endLogic(visit: Visit, built: Built, end: End, again?: Again): Markup {
  return section(visit, built, end.showIf, Infinity, again, {
    legend: 'logicEnd',
    lead: 'logicMatchEnd',
    none: 'logicAlwaysEnd',
  })
}

/** How many questions are asked before a page. */
export function askedBefore({ draft }: Pick<Built, 'draft'>, page: FormPage): number {
  const first = draft.pages.indexOf(page)
  return draft.pages.slice(0, first).reduce((sum, { questions }) => sum + questions.length, 0)
}

function section(
  visit: Visit,
  built: Built,
  showIf: ShowIf | null,
  before: number,
  again: Again | undefined,
  words: Words,
): Markup {
  const { say } = visit.wording
  const sources = sourcesOf(visit, built, before)
  const draft = again && hasRows(again.form) ? sentRows(again.form, sources) : rowsOf(showIf)
  const none = sources.length === 0 ? 'logicFirst' : words.none
  return logicControls(visit, {
    legend: say(words.legend),
    lead: say(words.lead),
    none: say(none),
    draft,
    sources,
    again,
  })
}

/** What a form says of when something is shown; as it is stored where it says nothing new. */
export function showIfIn(
  visit: Visit,
  built: Pick<Built, 'form' | 'draft'>,
  sent: FormFields,
  stored: ShowIf | null,
  before: number,
): ShowIf | null {
  if (!hasRows(sent)) return stored
  const sources = sourcesOf(visit, built, before)
  const draft = sentRows(sent, sources)
  return JSON.stringify(draft) === JSON.stringify(rowsOf(stored)) ? stored : showIfOf(draft, sources)
}
