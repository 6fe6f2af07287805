import { html, type Markup } from '../../lib/html/markup.ts'
import type { Days } from '../../reports/period.ts'
import type { Visit } from '../visit.ts'
import { type Asked, REPORTS, reportPath } from './asked.ts'
import { day } from './days-chart.ts'

/** The periods that are asked for most, a click each, and what the chosen one is compared with. */
export function presets(visit: Visit, asked: Asked): Markup {
  const { say } = visit.wording
  const { days } = asked
  const links = periods(asked.today).map(([word, period]) => {
    const isChosen = period.from === days.from && period.to === days.to
    const path = reportPath({ ...asked, days: period }, REPORTS)
    return html`<li><a href="${visit.href(path)}"${isChosen && html` aria-current="page"`}>${say(word)}</a></li>`
  })
  const before = daysBefore(days)
  return html`<nav class="tabs presets" aria-label="${say('reportPeriods')}"><ul>${links}</ul></nav>
<p class="facts period"><strong>${day(visit, days.from)} – ${day(visit, days.to)}</strong>${before && html`<span>${say('reportCompared')} ${day(visit, before.from)} – ${day(visit, before.to)}</span>`}</p>`
}

function periods(today: string) {
  const now = Temporal.PlainDate.from(today)
  const monday = now.subtract({ days: now.dayOfWeek - 1 })
  const first = now.with({ day: 1 })
  const of = (from: Temporal.PlainDate, to: Temporal.PlainDate): Days => ({ from: from.toString(), to: to.toString() })
  return [
    ['reportThisWeek', of(monday, now)],
    ['reportLastWeek', of(monday.subtract({ days: 7 }), monday.subtract({ days: 1 }))],
    ['reportFourWeeks', of(now.subtract({ days: 27 }), now)],
    ['reportLastMonth', of(first.subtract({ months: 1 }), first.subtract({ days: 1 }))],
    ['reportQuarter', of(now.subtract({ days: 90 }), now)],
  ] as const
}

function daysBefore({ from, to }: Days): Days {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const days = first.until(last).days + 1
  return { from: first.subtract({ days }).toString(), to: first.subtract({ days: 1 }).toString() }
}
