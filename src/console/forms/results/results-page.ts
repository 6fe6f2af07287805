import { formRecordOf } from '../../../forms/operations.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { type DropOff, dropOff } from '../../../responses/results/drop-off.ts'
import { latestTexts } from '../../../responses/results/latest-texts.ts'
import {
  type FormResults,
  type Period,
  type QuestionResult,
  ResponsesInColumns,
} from '../../../responses/results/results.ts'
import { keptFor } from '../../../tenants/retention.ts'
import { card, definitions, emptyState, linkButton, time } from '../../components/display.ts'
import type { PageContent, View, Visit } from '../../visit.ts'
import { formHead } from '../form-head.ts'
import { columnChart, percent } from './charts.ts'
import { type Chosen, chosenBy, chosenFields, chosenQuery } from './chosen.ts'
import { chosenFilters, rangeFilter } from './chosen-filters.ts'
import { comparison } from './comparison.ts'
import { dropOffCard } from './drop-off-card.ts'
import { duration } from './duration.ts'
import type { Figure } from './figures.ts'
import { endsCard, variableCard } from './logic-results.ts'
import { questionCard } from './question-results.ts'

const DAY = 86_400_000

/** What is known of one period. */
interface OfPeriod {
  readonly results: FormResults
  /** Null where responses are narrowed down, and for a time of which unfinished ones are no longer stored. */
  readonly dropOff: DropOff | null
}

/** What the complete responses to a form come to, question by question, beside those of another period where asked for. */
export async function resultsPage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, wording, at } = visit
  const { tenantId } = principal
  const { say } = wording
  const form = await formRecordOf(db, tenantId, params.id ?? '')
  const chosen = await chosenBy(visit)
  const responses = await ResponsesInColumns.of(db, tenantId, form, at)
  const kept = await keptFor(db, tenantId, 'partial_responses')
  const of = async (period: Period): Promise<OfPeriod> => ({
    results: await responses.addUp({ ...chosen, period }),
    dropOff:
      chosen.filters.length > 0 || chosen.whose !== null
        ? null
        : await dropOff(form, responses, { ...chosen, period }, kept === null ? 0 : at - kept),
  })
  const now = await of(chosen.period)
  const before = chosen.compared && (await of(chosen.compared))
  const texts = await latestTexts(db, tenantId, form, now.results)
  const path = `/console/forms/${form.id}/results`
  const isEmpty = now.results.count === 0 && !now.dropOff?.begun
  return {
    title: `${say('formResults')} · ${form.title}`,
    body: html`${formHead(visit, form, exportLinks(visit, form.id, chosenQuery(chosen)))}
${await chosenFilters(visit, chosen, responses.questions, { form, compares: true })}
${chosen.comparison !== null && comparedNote(visit, chosen)}
${isEmpty ? emptyState(say('resultsEmpty')) : overview(visit, now, before, `/console/forms/${form.id}/responses${chosenQuery(chosen)}`)}
${now.dropOff && hasPages(now.dropOff) && dropOffCard(visit, now.dropOff, before?.dropOff && comparison(visit, say('dropOff'), pageFigures(visit, now.dropOff), pageFigures(visit, before.dropOff)))}
${
  now.results.count > 0 &&
  now.results.questions.map((entry, index) =>
    questionCard(visit, entry, index + 1, {
      path: `${path}/${entry.question.id}`,
      fields: chosenFields(chosen),
      texts: texts.get(entry.question.id) ?? [],
      filter: entry.question.type === 'numeric' && rangeFilter(visit, chosen, entry.question),
      compared: before && sameQuestion(before.results, entry),
    }),
  )
}
${now.results.count > 0 && now.results.variables.map((variable) => variableCard(visit, variable, before && sameVariable(before.results, variable)))}
${now.results.count > 0 && now.results.ends.length > 0 && endsCard(visit, now.results.ends, now.results.count)}`,
  }
}

/** Whether there is anything to say about pages: who opens the only page of a form, and no more, is not stored. */
function hasPages({ begun, complete, pages }: DropOff): boolean {
  return begun > complete || (begun > 0 && pages.length > 1)
}

function sameVariable({ variables }: FormResults, { name }: { name: string }) {
  return variables.find((other) => other.name === name) ?? null
}

function sameQuestion({ questions }: FormResults, { question }: QuestionResult): QuestionResult | null {
  return questions.find((other) => other.question.id === question.id) ?? null
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

/** Which days are compared, or why none are. */
function comparedNote(visit: Visit, { compared }: Chosen): Markup {
  const { say } = visit.wording
  if (compared === null) return html`<p class="note">${say('compareNeedsPeriod')}</p>`
  const day = (text: string | null): Insert => (text === null ? '…' : time(visit, `${text}T00:00:00.000Z`, 'date'))
  return html`<p class="facts"><span>${say('compareDays')} ${day(compared.from)} – ${day(compared.to)}</span></p>`
}

/** `list` is where the responses themselves are. */
function overview(visit: Visit, now: OfPeriod, before: OfPeriod | null, list: string): Markup {
  const { say, write } = visit.wording
  const { count, days, medianTime } = now.results
  const { dropOff } = now
  return card(say('resultsOverTime'), [
    definitions([
      [say('formsResponses'), html`<a href="${visit.href(list)}">${write(count)}</a>`],
      [say('dropOffRate'), dropOff && hasPages(dropOff) ? percent(visit, dropOff.complete, dropOff.begun) : null],
      [say('resultsTime'), medianTime === null ? null : duration(visit, medianTime)],
    ]),
    days.length > 0 &&
      columnChart(visit, {
        caption: say('resultsOverTime'),
        heading: say('resultsDay'),
        bars: bucketsOf(days).map(({ day, count }) => ({ label: time(visit, `${day}T00:00:00.000Z`, 'date'), count })),
        axis: 'ends',
      }),
    before && comparison(visit, say('resultsOverTime'), overallFigures(visit, now), overallFigures(visit, before)),
  ])
}

function overallFigures({ wording: { say } }: View, { results, dropOff }: OfPeriod): Figure[] {
  const rate: Figure[] =
    dropOff === null
      ? []
      : [
          {
            key: 'rate',
            label: say('dropOffRate'),
            value: dropOff.begun === 0 ? null : dropOff.complete / dropOff.begun,
            unit: 'share',
          },
        ]
  return [
    { key: 'count', label: say('formsResponses'), value: results.count, unit: 'count' },
    { key: 'time', label: say('resultsTime'), value: results.medianTime, unit: 'time' },
    ...rate,
  ]
}

function pageFigures({ wording: { say } }: View, { begun, pages }: DropOff): Figure[] {
  return pages.map(({ id, title, reached }, index) => ({
    key: String(id),
    label: `${title === null ? say('formPage', { number: index + 1 }) : `${index + 1}. ${title}`}: ${say('dropOffShare')}`,
    value: begun === 0 ? null : reached / begun,
    unit: 'share',
  }))
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
