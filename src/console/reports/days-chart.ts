import { html, type Markup } from '../../lib/html/markup.ts'
import type { DayFigures } from '../../reports/ticket-report.ts'
import { table } from '../components/lists.ts'
import type { View } from '../visit.ts'

const HEIGHT = 100
/** Columns that can be told apart: of more days, each stands for a week or thirty days. */
const MOST = 62

/** Tickets opened and closed each day as columns, those open at its end as a line, with the figures below. */
export function daysChart(view: View, days: readonly DayFigures[]): Markup {
  const { say, write } = view.wording
  const shown = bucketsOf(days)
  const most = Math.max(1, ...shown.flatMap(({ opened, closed }) => [opened, closed]))
  const mostOpen = Math.max(1, ...shown.map(({ open }) => open ?? 0))
  const columns = shown.flatMap(({ opened, closed }, index) => [
    column(index * 10 + 1, opened / most, 'opened'),
    column(index * 10 + 5, closed / most, 'closed'),
  ])
  const line = shown
    .flatMap(({ open }, index) => (open === null ? [] : `${index * 10 + 5},${y(open / mostOpen)}`))
    .join(' ')
  const [first, last] = [shown[0], shown.at(-1)]
  const ends = first && last && first !== last ? [first, last] : shown
  return html`<figure class="chart days"><ul class="legend"><li class="opened">${say('reportOpened')}</li><li class="closed">${say('reportClosed')}</li><li class="open">${say('reportOpenLine', { count: mostOpen })}</li></ul>
<p class="most" aria-hidden="true">${write(most)}</p>
<svg viewBox="0 0 ${shown.length * 10} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${say('reportDaysChart')}">${columns}<polyline points="${line}" vector-effect="non-scaling-stroke"/></svg>
<div class="axis ends" aria-hidden="true">${ends.map(({ date }) => html`<span>${day(view, date)}</span>`)}</div></figure>`
}

/** The same in figures, of each day. */
export function daysTable(view: View, days: readonly DayFigures[]): Markup {
  const { say, write } = view.wording
  return table({
    caption: say('reportDays'),
    hidesCaption: true,
    isGrid: true,
    columns: [
      { label: say('reportDay') },
      { label: say('reportOpened'), kind: 'number' },
      { label: say('reportClosed'), kind: 'number' },
      { label: say('reportOpenAtEnd'), kind: 'number' },
    ],
    rows: days.map(({ date, opened, closed, open }) => [
      day(view, date),
      write(opened),
      write(closed),
      open === null ? '–' : write(open),
    ]),
    empty: say('reportNothing'),
  })
}

/** A day of the calendar, whatever the reader's zone. */
export function day({ wording }: View, date: string): Markup {
  const text = dateFormat(wording.locale).format(new Date(`${date}T00:00:00Z`))
  return html`<time datetime="${date}">${text}</time>`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(locale: string): Intl.DateTimeFormat {
  const known = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' })
  formats.set(locale, known)
  return known
}

const y = (part: number) => Math.round((1 - part) * (HEIGHT - 2) * 10) / 10 + 1

function column(x: number, part: number, kind: string): Markup {
  const height = part === 0 ? 0 : Math.max(1.5, Math.round(part * HEIGHT * 10) / 10)
  return html`<rect class="${kind}" x="${x}" y="${HEIGHT - height}" width="4" height="${height}"/>`
}

function bucketsOf(days: readonly DayFigures[]): DayFigures[] {
  const width = days.length <= MOST ? 1 : days.length <= MOST * 7 ? 7 : 30
  return Array.from({ length: Math.ceil(days.length / width) }, (_, index) => {
    const some = days.slice(index * width, (index + 1) * width)
    const sum = (name: 'opened' | 'closed') => some.reduce((total, one) => total + one[name], 0)
    const open = some.findLast((one) => one.open !== null)?.open ?? null
    return { date: some[0]?.date ?? '', opened: sum('opened'), closed: sum('closed'), open }
  })
}
