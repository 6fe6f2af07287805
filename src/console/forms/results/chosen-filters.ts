import { groupsToChoose } from '../../../contacts/rows.ts'
import type { FormRecord } from '../../../forms/operations.ts'
import type { NumberedQuestion } from '../../../forms/question-types/index.ts'
import { translatedInto } from '../../../forms/texts/read.ts'
import { languageName } from '../../../help/words/index.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { type AnswerFilter, writeFilter } from '../../../responses/results/filters.ts'
import { field, select } from '../../components/forms.ts'
import { filters as filterForm } from '../../components/lists.ts'
import type { View, Visit } from '../../visit.ts'
import { type Chosen, COMPARISONS, chosenFields, chosenQuery } from './chosen.ts'
import { paymentWord } from './figures.ts'
import { hidden } from './hidden.ts'
import { questionName } from './question-results.ts'

/** Answers that can be chosen from, of all questions together. */
const MOST_CHOICES = 1000

interface Asked {
  readonly question: NumberedQuestion
}

interface Choice {
  readonly filter: AnswerFilter
  readonly text: string
}

/** What narrows the responses down, above a page about them; with `compares`, what they are compared with. */
export async function chosenFilters(
  visit: Visit,
  chosen: Chosen,
  questions: readonly Asked[],
  { form, compares, more }: { form: FormRecord; compares: boolean; more?: Insert },
): Promise<Markup> {
  const { say } = visit.wording
  const { period, email, groupId } = chosen
  const groups = await groupsToChoose(visit.db, visit.principal.tenantId)
  return html`${filterForm(visit, say('resultsPeriod'), [
    more,
    field(visit, { name: 'from', label: say('resultsFrom'), type: 'date', value: period.from }),
    field(visit, { name: 'to', label: say('resultsTo'), type: 'date', value: period.to }),
    compares && comparisonFields(visit, chosen),
    answerField(visit, questions),
    field(visit, { name: 'email', label: say('chosenEmail'), type: 'search', value: email, maxLength: 320 }),
    groups.length > 0 &&
      select(visit, {
        name: 'group',
        label: say('chosenGroup'),
        options: [['', say('all')], ...groups.map(({ id, name }) => [String(id), name] as const)],
        value: groupId === null ? '' : String(groupId),
      }),
    await languageField(visit, chosen, form),
    chosen.filters.map((filter) => hidden('answer', writeFilter(filter))),
  ])}
${chips(visit, chosen, questions)}`
}

/** Where a form has several, or had. */
async function languageField(visit: Visit, { language }: Chosen, form: FormRecord): Promise<Markup | false> {
  const { say, locale } = visit.wording
  const others = await translatedInto(visit.db, visit.principal.tenantId, form.id)
  const all = new Set([form.language, ...others.map((other) => other.language), language ?? form.language])
  if (all.size === 1) return false
  return select(visit, {
    name: 'language',
    label: say('chosenLanguage'),
    options: [['', say('all')], ...[...all].map((tag) => [tag, languageName(tag, locale)] as const)],
    value: language ?? '',
  })
}

function comparisonFields(visit: Visit, { comparison, compared }: Chosen): Markup {
  const { say } = visit.wording
  const words = { before: 'compareBefore', year: 'compareYear', dates: 'compareDates' } as const
  const dates = comparison === 'dates' ? compared : null
  return html`${select(visit, {
    name: 'compare',
    label: say('compareWith'),
    options: [['', say('compareNothing')], ...COMPARISONS.map((kind) => [kind, say(words[kind])] as const)],
    value: comparison ?? '',
  })}<div class="compared">${field(visit, { name: 'from2', label: say('compareFrom'), type: 'date', value: dates?.from })}${field(
    visit,
    { name: 'to2', label: say('compareTo'), type: 'date', value: dates?.to },
  )}</div>`
}

function answerField(view: View, questions: readonly Asked[]): Markup | false {
  const { say } = view.wording
  let left = MOST_CHOICES
  const groups = questions.flatMap(({ question }, index) => {
    const choices = choicesOf(view, question).slice(0, left)
    left -= choices.length
    return choices.length === 0 ? [] : { label: questionName(view, question.text, index + 1), choices }
  })
  if (groups.length === 0) return false
  return html`<div class="field"><label for="field-answer">${say('chosenAnswer')}</label><div class="select"><select name="answer" id="field-answer"><option value="">${say('all')}</option>${groups.map(
    ({ label, choices }) =>
      html`<optgroup label="${label}">${choices.map(({ filter, text }) => html`<option value="${writeFilter(filter)}">${text}</option>`)}</optgroup>`,
  )}</select></div></div>`
}

/** The answers to a question by which responses can be told apart. */
function choicesOf(view: View, question: NumberedQuestion): Choice[] {
  const { say } = view.wording
  const of = { questionId: question.id, part: null }
  const is = (label: string, value = label): Choice => ({ filter: { ...of, is: value }, text: label })
  const range = (from: number | null, to: number | null, text: string, part: number | null = null): Choice => ({
    filter: { ...of, part, from, to },
    text,
  })
  const atLeast = (first: number, last: number, name = '', part: number | null = null) =>
    Array.from({ length: Math.min(20, last - first) }, (_, index) =>
      range(first + index + 1, null, `${name}${say('chosenAtLeast', { value: first + index + 1 })}`, part),
    )
  switch (question.type) {
    case 'choose_one':
    case 'dropdown':
    case 'choose_any':
    case 'multi_dropdown': {
      const { options, otherText } = question.settings
      return [
        ...options.map((label) => is(label)),
        ...(otherText === null ? [] : [{ filter: { ...of, other: true } as const, text: say('resultsOther') }]),
      ]
    }
    case 'binary':
      return [is(question.settings.trueLabel, 'true'), is(question.settings.falseLabel, 'false')]
    case 'nps':
      return [
        range(9, 10, say('resultsPromoters')),
        range(7, 8, say('resultsPassives')),
        range(0, 6, say('resultsDetractors')),
      ]
    case 'star_rating':
      return atLeast(0, question.settings.maxStars)
    case 'likert':
    case 'likert_slider': {
      const { scales, scaleStart, scaleEnd } = question.settings
      return scales.flatMap(({ text, opposingText }, part) =>
        atLeast(scaleStart, scaleEnd, `${text} – ${opposingText}: `, part),
      )
    }
    case 'matrix': {
      const { rowHeadings, columnHeadings } = question.settings
      return rowHeadings.flatMap((row, part) =>
        columnHeadings.map((column) => ({ filter: { ...of, part, is: column }, text: `${row}: ${column}` })),
      )
    }
    case 'ranking':
      return question.settings.rankOptions.map((label) => ({
        ...is(label),
        text: say('chosenFirst', { answer: label }),
      }))
    case 'payment':
      return (['paid', 'pending', 'not_due'] as const).map((status) => is(paymentWord(view, status), status))
    default:
      return []
  }
}

/** What is asked for besides the period, each with a way to take it back. */
function chips(visit: Visit, chosen: Chosen, questions: readonly Asked[]): Markup | false {
  const { say } = visit.wording
  if (chosen.filters.length === 0) return false
  const items = chosen.filters.map((filter) => {
    const index = questions.findIndex(({ question }) => question.id === filter.questionId)
    const question = questions[index]?.question
    const name = question ? questionName(visit, question.text, index + 1) : String(filter.questionId)
    const known = question && choicesOf(visit, question).find((one) => writeFilter(one.filter) === writeFilter(filter))
    const text = `${name}: ${known?.text ?? rangeText(visit, filter)}`
    const without = chosenQuery({ ...chosen, filters: chosen.filters.filter((other) => other !== filter) }, true)
    return html`<li><span>${text}</span> <a class="quiet" href="${visit.href(`${visit.url.pathname}${without}`)}" aria-label="${say('chosenDrop', { filter: text })}">×</a></li>`
  })
  return html`<ul class="chips" aria-label="${say('chosenAnswers')}">${items}</ul>`
}

function rangeText({ wording: { write } }: View, filter: AnswerFilter): string {
  if ('is' in filter) return filter.is
  if ('other' in filter) return ''
  return `${filter.from === null ? '' : write(filter.from)} – ${filter.to === null ? '' : write(filter.to)}`
}

/** The filter of one question for numbers, which no list of choices holds. */
export function rangeFilter(visit: Visit, chosen: Chosen, { id }: NumberedQuestion): Markup {
  const { say } = visit.wording
  const label = say('chosenRange')
  return html`<form method="get" action="${visit.href(visit.url.pathname)}" class="range" role="search" aria-label="${label}">${chosenFields(chosen, true).map(([name, value]) => hidden(name, value))}${hidden('range', String(id))}${field(
    visit,
    { name: 'least', id: `least-${id}`, label: say('chosenLeast'), inputMode: 'numeric' },
  )}${field(visit, { name: 'most', id: `most-${id}`, label: say('chosenMost'), inputMode: 'numeric' })}<button class="secondary">${say('apply')}</button></form>`
}
