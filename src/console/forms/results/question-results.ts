import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { plainText } from '../../../lib/html/sanitise.ts'
import { writeMoney } from '../../../lib/language/amounts.ts'
import type { LatestText } from '../../../responses/results/latest-texts.ts'
import type { QuestionResult } from '../../../responses/results/results.ts'
import type { Numbers, Result } from '../../../responses/results/tally/result.ts'
import { badge, card, definitions } from '../../components/display.ts'
import { table } from '../../components/lists.ts'
import type { View } from '../../visit.ts'
import { type Bar, bar, barTable, columnChart, figures, heat, partsBar, percent } from './charts.ts'
import { comparison } from './comparison.ts'
import { figuresOf, paymentWord, SUMS } from './figures.ts'
import { allAnswers, type ListOfAnswers, textList } from './text-list.ts'

type Of<K extends Result['kind']> = Extract<Result, { kind: K }>

/** What one question is called: its text without marks, after its number. */
export function questionName({ wording }: View, text: string, number: number): string {
  return `${number}. ${plainText(text).trim().replace(/\s+/g, ' ') || wording.say('formQuestion', { number })}`
}

/** What stands beside the chart of a question. */
interface Beside {
  /** Where its answers are listed, and with what narrows them down. */
  readonly path: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** What the newest answers say that are read one by one. */
  readonly texts: readonly LatestText[]
  /** What narrows the results down to some of these answers. */
  readonly filter: Insert
  /** The same question in the period that this one is compared with. */
  readonly compared: QuestionResult | null
}

/** What the answers to one question come to, with the chart that suits it. */
export function questionCard(
  view: View,
  { question, isGone, asked, result }: QuestionResult,
  number: number,
  { path, fields, texts, filter, compared }: Beside,
): Markup {
  const { say } = view.wording
  const caption = questionName(view, question.text, number)
  const facts = html`<p class="facts">${badge(say(`type_${question.type}`))}${isGone && badge(say('resultsGone'), 'warn')}<span>${say('resultsAsked', { count: asked })}</span><span>${say('resultsAnswered', { count: result.answered })}${asked > 0 && ` (${say('resultsAnsweredShare', { share: percent(view, result.answered, asked) })})`}</span></p>`
  const list = { path, fields, caption }
  const content =
    result.answered === 0
      ? html`<p class="help">${say('resultsNone')}</p>`
      : result.kind === 'texts'
        ? textList(view, texts, list)
        : chart(view, caption, result, question.type, list)
  const before = compared && comparison(view, caption, figuresOf(view, result), figuresOf(view, compared.result))
  return card(caption, [facts, content, result.answered > 0 && filter, before], { id: `question-${question.id}` })
}

function chart(
  view: View,
  caption: string,
  result: Exclude<Result, { kind: 'texts' }>,
  type: string,
  list: ListOfAnswers,
): Markup {
  const { say, write } = view.wording
  switch (result.kind) {
    case 'choices': {
      const bars: Bar[] = result.counts
      const other = result.other === 0 ? [] : [{ label: html`<em>${say('resultsOther')}</em>`, count: result.other }]
      return html`${result.several && html`<p class="help">${say('resultsSeveral')}</p>`}${barTable(view, {
        caption,
        heading: say('resultsAnswer'),
        bars: [...bars, ...other],
        whole: result.answered,
      })}${result.other > 0 && allAnswers(view, list)}`
    }
    case 'nps':
      return npsChart(view, caption, result)
    case 'numbers': {
      const label = (from: number, to: number) =>
        type === 'star_rating' ? say('resultsStars', { count: from }) : range(view, from, to)
      return html`${averages(view, result.numbers)}${distribution(view, caption, result.numbers, label)}`
    }
    case 'scales':
      return html`${result.scales.map(({ low, high, numbers }) => {
        const ends = `${low} – ${high}`
        return html`<section class="scale"><h3>${ends}</h3>${averages(view, numbers)}${columnChart(view, {
          caption: `${caption}: ${ends}`,
          heading: say('resultsValue'),
          bars: numbers.bars.map(({ from, to, count }) => ({ label: range(view, from, to), count })),
          axis: 'all',
        })}</section>`
      })}`
    case 'matrix':
      return heatMap(view, caption, result)
    case 'ranking':
      return table({
        caption: figures(view, caption),
        hidesCaption: true,
        isGrid: true,
        columns: [
          { label: say('resultsAnswer') },
          { label: say('resultsPlace') },
          { label: say('resultsAnswers'), kind: 'number' },
        ],
        rows: result.items.map(({ label, average, count }) => [
          label,
          count === 0
            ? '–'
            : html`<span class="share">${bar((result.items.length - average + 1) / result.items.length)}<span>${write(round(average))}</span></span>`,
          write(count),
        ]),
        empty: say('resultsNone'),
      })
    case 'payments':
      return html`${definitions(
        (['paid', 'pending'] as const).flatMap((status) =>
          result[status].map(({ currency, amount }) => [
            say(SUMS[status], { currency }),
            writeMoney(amount, currency, view.wording.locale),
          ]),
        ),
      )}${barTable(view, {
        caption,
        heading: say('formsState'),
        bars: result.counts.map(({ status, count }) => ({ label: paymentWord(view, status), count })),
        whole: result.answered,
      })}`
  }
}

function npsChart(view: View, caption: string, { numbers, score, ...groups }: Of<'nps'>): Markup {
  const { say, write } = view.wording
  const parts = (
    [
      ['detractors', 'resultsDetractors'],
      ['passives', 'resultsPassives'],
      ['promoters', 'resultsPromoters'],
    ] as const
  ).map(([kind, word]) => ({ kind, label: say(word), count: groups[kind] }))
  return html`<div class="nps"><p class="figure"><strong>${score > 0 ? `+${write(score)}` : write(score)}</strong> <span>${say('resultsScore')}</span></p><div>${partsBar(
    parts,
    caption,
  )}<ul class="legend">${parts.map(
    ({ kind, label, count }) =>
      html`<li><svg viewBox="0 0 10 10" class="${kind}" aria-hidden="true"><rect width="10" height="10" rx="3"/></svg>${label}: ${write(count)} (${percent(view, count, numbers.count)})</li>`,
  )}</ul></div></div>${averages(view, numbers)}${columnChart(view, {
    caption,
    heading: say('resultsValue'),
    bars: numbers.bars.map(({ from, count }) => ({ label: write(from), count })),
    axis: 'all',
  })}`
}

/** The average, and from where to where. */
export function averages(
  view: View,
  { average, min, max }: Numbers,
  word: 'resultsRange' | 'resultsVariableRange' = 'resultsRange',
): Markup {
  const { say, write } = view.wording
  return html`<p class="facts"><span>${say('resultsAverage')} <strong>${write(round(average))}</strong></span><span>${say(word, { min, max })}</span></p>`
}

/** How often each number was given. */
export function distribution(
  view: View,
  caption: string,
  { bars, count: whole }: Numbers,
  label: (from: number, to: number) => string,
): Markup {
  return barTable(view, {
    caption,
    heading: view.wording.say('resultsValue'),
    bars: bars.map(({ from, to, count }) => ({ label: label(from, to), count })),
    whole,
  })
}

/** Numbers from one to another. */
export function range({ wording: { write } }: View, from: number, to: number): string {
  return from === to ? write(from) : `${write(from)} – ${write(to)}`
}

const round = (value: number) => Math.round(value * 100) / 100

function heatMap(view: View, caption: string, { columns, rows }: Of<'matrix'>): Markup {
  const { say, write } = view.wording
  return table({
    caption: figures(view, caption),
    hidesCaption: true,
    isGrid: true,
    columns: [{ label: say('resultsRow') }, ...columns.map((label) => ({ label }))],
    rows: rows.map(({ label, counts }) => {
      const whole = counts.reduce((sum, count) => sum + count, 0)
      return [
        label,
        ...counts.map(
          (count) =>
            html`<span class="heat heat-${heat(count, whole)}">${write(count)} <small>${percent(view, count, whole)}</small></span>`,
        ),
      ]
    }),
    empty: say('resultsNone'),
  })
}
