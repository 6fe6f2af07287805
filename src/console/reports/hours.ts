import { html, type Markup } from '../../lib/html/markup.ts'
import { type PeriodFigures, reportWeekdays } from '../../reports/ticket-report.ts'
import { table } from '../components/lists.ts'
import { heat } from '../forms/results/charts.ts'
import type { View } from '../visit.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY = 86_400_000

/** When tickets come in: a cell for each hour of the week, the darker the more. */
export function hoursChart(view: View, byHour: PeriodFigures['byHour']): Markup {
  const { say } = view.wording
  const opened = new Map(byHour.map((entry) => [`${entry.weekday} ${entry.hour}`, entry.opened]))
  const most = Math.max(0, ...opened.values())
  const cells = reportWeekdays.flatMap((weekday, row) =>
    HOURS.map((hour) => {
      const step = heat(opened.get(`${weekday} ${hour}`) ?? 0, most)
      return html`<rect class="heat-${step}" x="${hour * 10 + 0.5}" y="${row * 10 + 0.5}" width="9" height="9" rx="1.5"/>`
    }),
  )
  return html`<figure class="chart hours"><div class="weekdays" aria-hidden="true">${reportWeekdays.map((_, row) => html`<span>${weekdayName(view, row, 'short')}</span>`)}</div>
<svg viewBox="0 0 240 70" preserveAspectRatio="none" role="img" aria-label="${say('reportHoursChart')}">${cells}</svg>
<div class="axis hours" aria-hidden="true">${[0, 6, 12, 18].map((hour) => html`<span>${hour}:00</span>`)}</div></figure>`
}

/** The same in figures: the hours in which any were opened, most first. */
export function hoursTable(view: View, byHour: PeriodFigures['byHour']): Markup {
  const { say, write } = view.wording
  return table({
    caption: say('reportHours'),
    hidesCaption: true,
    isGrid: true,
    columns: [
      { label: say('reportWeekday') },
      { label: say('reportHour'), kind: 'number' },
      { label: say('reportOpened'), kind: 'number' },
    ],
    rows: byHour.map(({ weekday, hour, opened }) => [
      weekdayName(view, reportWeekdays.indexOf(weekday), 'long'),
      `${hour}:00`,
      write(opened),
    ]),
    empty: say('reportNothing'),
  })
}

const formats = new Map<string, Intl.DateTimeFormat>()

function weekdayName({ wording }: View, row: number, width: 'short' | 'long'): string {
  const key = `${wording.locale} ${width}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(wording.locale, { timeZone: 'UTC', weekday: width })
  formats.set(key, format)
  return format.format(MONDAY + row * DAY)
}
