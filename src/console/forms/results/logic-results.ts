import { html, type Markup } from '../../../lib/html/markup.ts'
import { plainText } from '../../../lib/html/sanitise.ts'
import { shortened } from '../../../lib/text/one-line.ts'
import type { EndCount } from '../../../responses/results/paths/audience.ts'
import type { FormResults } from '../../../responses/results/results.ts'
import { badge, card } from '../../components/display.ts'
import type { View } from '../../visit.ts'
import { barTable } from './charts.ts'
import { comparison } from './comparison.ts'
import { type Figure, figuresOf } from './figures.ts'
import { averages, distribution, range } from './question-results.ts'

const MAX_LABEL = 120

type VariableResult = FormResults['variables'][number]

/** What a variable came to, beside the same in the period that it is compared with. */
export function variableCard(view: View, variable: VariableResult, compared: VariableResult | null): Markup {
  const { name, isGone, numbers } = variable
  const { say } = view.wording
  const facts = html`<p class="facts">${badge(say('resultsVariable'))}${isGone && badge(say('resultsVariableGone'), 'warn')}<span>${say('resultsVariableCount', { count: numbers.count })}</span></p>`
  const content =
    numbers.count === 0
      ? html`<p class="help">${say('resultsNone')}</p>`
      : html`${averages(view, numbers, 'resultsVariableRange')}${distribution(view, name, numbers, (from, to) => range(view, from, to))}`
  const before = compared && comparison(view, name, variableFigures(view, variable), variableFigures(view, compared))
  return card(name, [facts, content, before], { id: `variable-${name}` })
}

function variableFigures(view: View, { numbers }: VariableResult): Figure[] {
  return figuresOf(view, { kind: 'numbers', answered: numbers.count, numbers })
}

/** Which ends people came to. */
export function endsCard(view: View, ends: readonly EndCount[], whole: number): Markup {
  const { say } = view.wording
  return card(
    say('resultsEnds'),
    barTable(view, {
      caption: say('resultsEnds'),
      heading: say('resultsEnd'),
      bars: ends.map(({ end, count }) => ({ label: endName(view, end), count })),
      whole,
    }),
  )
}

function endName({ wording: { say } }: View, end: EndCount['end']): string | Markup {
  if (end === null) return html`<em>${say('resultsEndUsual')}</em>`
  const text = end.thanks === null ? '' : plainText(end.thanks).trim().replace(/\s+/g, ' ')
  return shortened(text || (end.redirect ?? ''), MAX_LABEL)
}
