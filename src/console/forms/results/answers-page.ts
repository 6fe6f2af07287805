import { formRecordOf } from '../../../forms/operations.ts'
import { html } from '../../../lib/html/markup.ts'
import { shortened } from '../../../lib/text/one-line.ts'
import { listAnswers } from '../../../responses/results/list-answers.ts'
import { ResponsesInColumns } from '../../../responses/results/results.ts'
import { backLink, pageHead, time } from '../../components/display.ts'
import { field } from '../../components/forms.ts'
import { pager, table } from '../../components/lists.ts'
import type { PageContent, Visit } from '../../visit.ts'
import { chosenBy, chosenQuery } from './chosen.ts'
import { chosenFilters } from './chosen-filters.ts'
import { questionName } from './question-results.ts'

const MAX_TEXT = 2000
const MAX_SEARCH = 200

/** All answers to one question, or those that hold some text, to be read one after the other. */
export async function answersPage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, query, wording, at } = visit
  const { tenantId } = principal
  const { say } = wording
  const form = await formRecordOf(db, tenantId, params.id ?? '')
  const chosen = await chosenBy(visit)
  const responses = await ResponsesInColumns.of(db, tenantId, form, at)
  const text = (query.get('q') ?? '').slice(0, MAX_SEARCH).toWellFormed().trim()
  const page = { cursor: query.get('cursor') ?? undefined, text, selection: chosen }
  const questionId = Number(params.questionId)
  const { question, number, answers, nextCursor } = await listAnswers(db, tenantId, form, responses, questionId, page)
  const name = questionName(visit, question.text, number)
  return {
    title: `${name} · ${form.title}`,
    body: html`${backLink(visit, `/console/forms/${form.id}/results${chosenQuery(chosen)}#question-${question.id}`, say('responseBackResults', { form: form.title }))}
${pageHead(name)}
${await chosenFilters(visit, chosen, responses.questions, {
  form,
  compares: false,
  more: field(visit, { name: 'q', label: say('answersSearch'), type: 'search', value: text, maxLength: MAX_SEARCH }),
})}
${table({
  caption: name,
  hidesCaption: true,
  columns: [{ label: say('responseStarted') }, { label: say('resultsAnswer') }],
  rows: answers.map(({ responseId, startedAt, text }) => [
    html`<a href="${visit.href(`/console/responses/${responseId}`)}">${time(visit, startedAt)}</a>`,
    html`<span class="said" dir="auto">${shortened(text, MAX_TEXT)}</span>`,
  ]),
  empty: say(nextCursor === null ? 'resultsNone' : 'answersNotYet'),
})}
${pager(visit, nextCursor, text === '' ? undefined : { first: say('newest'), next: say('answersOn') })}`,
  }
}
