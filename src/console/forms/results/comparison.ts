import { html, type Markup } from '../../../lib/html/markup.ts'
import { table } from '../../components/lists.ts'
import type { View } from '../../visit.ts'
import { differenceText, type Figure, figureText } from './figures.ts'

/**
 * Figures of two periods side by side, and how they differ. What one of them alone has is there too, in the order of the
 * first. `caption` is what they are about.
 */
export function comparison(view: View, caption: string, now: readonly Figure[], before: readonly Figure[]): Markup {
  const { say } = view.wording
  const earlier = new Map(before.map((figure) => [figure.key, figure]))
  const known = new Set(now.map(({ key }) => key))
  const all: Figure[] = [
    ...now,
    ...before.filter(({ key }) => !known.has(key)).map((figure) => ({ ...figure, value: null })),
  ]
  return html`<div class="comparison">${table({
    caption: say('compareFigures', { name: caption }),
    hidesCaption: true,
    columns: [
      { label: say('compareFigure') },
      { label: say('compareNow'), kind: 'number' },
      { label: say('compareThen'), kind: 'number' },
      { label: say('compareDifference'), kind: 'number' },
    ],
    rows: all.map((figure) => {
      const { key, label, value, unit } = figure
      const then = earlier.get(key)?.value ?? null
      const difference = value === null || then === null ? '–' : differenceText(view, unit, value - then)
      return [label, figureText(view, figure), figureText(view, { value: then, unit }), difference]
    }),
    empty: say('resultsNone'),
  })}</div>`
}
