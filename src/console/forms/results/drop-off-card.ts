import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import type { DropOff, Route } from '../../../responses/results/drop-off.ts'
import { card, definitions, time } from '../../components/display.ts'
import { table } from '../../components/lists.ts'
import type { View } from '../../visit.ts'
import { bar, figures, percent } from './charts.ts'

/** The most ways that are shown one by one. */
const MOST_ROUTES = 10

/** How many came to each page and how many stopped there. `compared` stands below. */
export function dropOffCard(view: View, { begun, complete, pages, routes, since }: DropOff, compared: Insert): Markup {
  const { say, write } = view.wording
  const caption = say('dropOff')
  const isForked = routes.length > 0
  return card(caption, [
    definitions([[say('dropOffBegun'), write(begun)]]),
    table({
      caption: figures(view, caption),
      hidesCaption: true,
      columns: [
        { label: say('dropOffPage') },
        { label: say('dropOffShare') },
        { label: say('dropOffReached'), kind: 'number' },
        ...(isForked ? [{ label: say('dropOffPassed'), kind: 'number' as const }] : []),
        { label: say('dropOffLeft'), kind: 'number' },
      ],
      rows: [
        ...pages.map(({ title, reached, left, passed }, index) =>
          row(
            title === null ? say('formPage', { number: index + 1 }) : `${index + 1}. ${title}`,
            reached,
            passed,
            left,
          ),
        ),
        row(html`<em>${say('dropOffEnd')}</em>`, complete, null, null),
      ],
      empty: say('resultsNone'),
    }),
    html`<p class="help">${say('dropOffNote')}${since > 0 && html` ${say('dropOffSince')} ${time(view, new Date(since).toISOString(), 'date')}.`}</p>`,
    isForked && routesTable(view, routes, begun),
    compared,
  ])

  function row(name: Insert, reached: number, passed: number | null, left: number | null): Insert[] {
    return [
      name,
      html`<span class="share">${bar(begun === 0 ? 0 : reached / begun)}<span>${percent(view, reached, begun)}</span></span>`,
      write(reached),
      ...(isForked ? [passed === null ? '' : write(passed)] : []),
      left === null ? '' : `${write(left)} (${percent(view, left, reached)})`,
    ]
  }
}

/** Which pages people saw, and how that went on. */
function routesTable(view: View, routes: readonly Route[], begun: number): Markup {
  const { say, write } = view.wording
  const caption = say('dropOffRoutes')
  const others = routes.slice(MOST_ROUTES)
  const row = (route: Insert, outcome: Insert, count: number) => [
    route,
    html`<span class="share">${bar(count / begun)}<span>${percent(view, count, begun)}</span></span>`,
    outcome,
    write(count),
  ]
  return html`<h3>${caption}</h3>${table({
    caption: figures(view, caption),
    hidesCaption: true,
    columns: [
      { label: say('dropOffRoute') },
      { label: say('dropOffShare') },
      { label: say('dropOffOutcome') },
      { label: say('resultsAnswers'), kind: 'number' },
    ],
    rows: [
      ...routes.slice(0, MOST_ROUTES).map(({ places, isComplete, count }) => {
        const numbers = places.map((place) => place + 1)
        const outcome = isComplete ? say('dropOffEnd') : say('dropOffStopped', { number: numbers.at(-1) ?? 1 })
        return row(numbers.join(' → '), outcome, count)
      }),
      ...(others.length === 0
        ? []
        : [
            row(
              say('dropOffOther', { count: others.length }),
              '',
              others.reduce((sum, { count }) => sum + count, 0),
            ),
          ]),
    ],
    empty: say('resultsNone'),
  })}`
}
