import { html, type Markup } from '../../lib/markup.ts'
import { type FormResults, formResults } from '../../responses/results/results.ts'
import { card, definitions, emptyState, linkButton, time } from '../components/display.ts'
import type { PageContent, View, Visit } from '../visit.ts'
import { columnChart } from './charts.ts'
import { formHead } from './form-head.ts'
import { periodFilter, periodOf, periodQuery } from './period.ts'
import { questionCard } from './question-results.ts'

const DAY = 86_400_000

/** What the complete responses to a form come to, question by question. */
export async function resultsPage(visit: Visit): Promise<PageContent> {
  const { deps, principal, params, query, wording, at } = visit
  const { say } = wording
  const period = periodOf(query)
  const { form, results } = await formResults(deps.database, principal.tenantId, params.id ?? '', period, at)
  const path = `/console/forms/${form.id}`
  return {
    title: `${say('formResults')} · ${form.title}`,
    body: html`${formHead(visit, form, exportLinks(visit, form.id, periodQuery(period)))}
${periodFilter(visit, period)}
${results.count === 0 ? emptyState(say('resultsEmpty')) : overview(visit, results)}
${
  results.count > 0 &&
  results.questions.map((entry, index) =>
    questionCard(visit, entry, index + 1, `${path}/results/${entry.question.id}${periodQuery(period)}`),
  )
}`,
  }
}

/** Files of the same responses. */
export function exportLinks(visit: View, formId: string, query: string): Markup {
  const { say } = visit.wording
  const path = `/console/forms/${formId}/export`
  return html`${(
    [
      ['xlsx', 'resultsXlsx'],
      ['csv', 'resultsCsv'],
      ['json', 'resultsJson'],
    ] as const
  ).map(([format, word]) => linkButton(visit, `${path}.${format}${query}`, say(word), 'secondary'))}`
}

function overview(visit: Visit, { count, days, medianTime, at }: FormResults): Markup {
  const { say, write } = visit.wording
  return card(say('resultsOverTime'), [
    definitions([
      [say('formsResponses'), write(count)],
      [say('resultsTime'), medianTime === null ? null : duration(visit, medianTime)],
      [say('resultsAt'), time(visit, new Date(at).toISOString())],
    ]),
    columnChart(visit, {
      caption: say('resultsOverTime'),
      heading: say('resultsDay'),
      bars: bucketsOf(days).map(({ day, count }) => ({ label: time(visit, `${day}T00:00:00.000Z`, 'date'), count })),
      axis: 'ends',
    }),
  ])
}

/** As many columns as can be told apart: days, weeks or thirty days each, from the first response to the last. */
function bucketsOf(days: FormResults['days']): FormResults['days'] {
  const [first, last] = [days[0], days[days.length - 1]]
  if (!first || !last) return []
  const start = Date.parse(first.day)
  const span = (Date.parse(last.day) - start) / DAY + 1
  const width = span <= 62 ? 1 : span <= 430 ? 7 : 30
  const buckets = Array.from({ length: Math.ceil(span / width) }, (_, index) => ({
    day: new Date(start + index * width * DAY).toISOString().slice(0, 10),
    count: 0,
  }))
  for (const { day, count } of days) {
    const bucket = buckets[Math.floor((Date.parse(day) - start) / DAY / width)]
    if (bucket) bucket.count += count
  }
  return buckets
}

/** How long something takes, in the largest unit that leaves at least one of it. */
function duration({ wording }: View, ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const [value, unit] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
  return new Intl.NumberFormat(wording.locale, style as Intl.NumberFormatOptions).format(value as number)
}
