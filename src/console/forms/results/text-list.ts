import { html, type Markup } from '../../../lib/html/markup.ts'
import { shortened } from '../../../lib/text/one-line.ts'
import type { LatestText } from '../../../responses/results/latest-texts.ts'
import type { View } from '../../visit.ts'
import { hidden } from './hidden.ts'

/** The page with all answers to a question. */
export interface ListOfAnswers {
  readonly path: string
  /** What narrows them down. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** What the question is called. */
  readonly caption: string
}

/** The newest texts, and a way to find others. */
export function textList(view: View, texts: readonly LatestText[], list: ListOfAnswers): Markup {
  const { say } = view.wording
  const id = `search-${list.path.replace(/.*\//, '')}`
  return html`<ul class="quotes">${texts.map(
    ({ responseId, text }) =>
      html`<li dir="auto"><a href="${view.href(`/console/responses/${responseId}`)}">${shortened(text)}</a></li>`,
  )}</ul><form method="get" role="search" aria-label="${say('answersSearchIn', { question: list.caption })}" action="${view.href(list.path)}" class="range">${list.fields.map(([name, value]) => hidden(name, value))}<div class="field"><label for="${id}">${say('answersSearch')}</label><input class="text" type="search" name="q" id="${id}" maxlength="200"></div><button class="secondary">${say('answersFind')}</button></form>${allAnswers(view, list)}`
}

export function allAnswers(view: View, { path, fields }: ListOfAnswers): Markup {
  const query = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
  return html`<p><a href="${view.href(query === '' ? path : `${path}?${query}`)}">${view.wording.say('resultsAll')}</a></p>`
}
