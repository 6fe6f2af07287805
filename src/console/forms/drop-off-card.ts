import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import type { DropOff } from '../../responses/results/drop-off.ts'
import { card, definitions, time } from '../components/display.ts'
import { table } from '../components/lists.ts'
import type { View } from '../visit.ts'
import { bar, figures, percent } from './charts.ts'

/** How many came to each page and how many stopped there. `compared` stands below. */
export function dropOffCard(view: View, { begun, complete, pages, since }: DropOff, compared: Insert): Markup {
  const { say, write } = view.wording
  const caption = say('dropOff')
  return card(caption, [
    definitions([[say('dropOffBegun'), write(begun)]]),
    table({
      caption: figures(view, caption),
      hidesCaption: true,
      columns: [
        { label: say('dropOffPage') },
        { label: say('dropOffShare') },
        { label: say('dropOffReached'), kind: 'number' },
        { label: say('dropOffLeft'), kind: 'number' },
      ],
      rows: [
        ...pages.map(({ title, reached, left }, index) =>
          row(title === null ? say('formPage', { number: index + 1 }) : `${index + 1}. ${title}`, reached, left),
        ),
        row(html`<em>${say('dropOffEnd')}</em>`, complete, null),
      ],
      empty: say('resultsNone'),
    }),
    html`<p class="help">${say('dropOffNote')} ${say('dropOffSince')} ${time(view, new Date(since).toISOString(), 'date')}.</p>`,
    compared,
  ])

  function row(name: Insert, reached: number, left: number | null): Insert[] {
    return [
      name,
      html`<span class="share">${bar(begun === 0 ? 0 : reached / begun)}<span>${percent(view, reached, begun)}</span></span>`,
      write(reached),
      left === null ? '' : `${write(left)} (${percent(view, left, reached)})`,
    ]
  }
}
