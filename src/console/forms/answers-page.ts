import { answerText } from '../../forms/question-types/index.ts'
import { html } from '../../lib/markup.ts'
import { listAnswers } from '../../responses/results/list-answers.ts'
import { backLink, pageHead, time } from '../components/display.ts'
import { pager, table } from '../components/lists.ts'
import type { PageContent, Visit } from '../visit.ts'
import { boundsOf, periodFilter, periodOf, periodQuery } from './period.ts'
import { questionName, shortened } from './question-results.ts'

const MAX_TEXT = 2000

/** All answers to one question, to be read one after the other. */
export async function answersPage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, query, wording } = visit
  const { say } = wording
  const period = periodOf(query)
  const asked = { ...boundsOf(period), cursor: query.get('cursor') ?? undefined }
  const { form, question, number, answers, nextCursor } = await listAnswers(
    db,
    principal.tenantId,
    params.id ?? '',
    Number(params.questionId),
    asked,
  )
  const name = questionName(visit, question.text, number)
  return {
    title: `${name} · ${form.title}`,
    body: html`${backLink(visit, `/console/forms/${form.id}/results${periodQuery(period)}#question-${question.id}`, say('responseBackResults', { form: form.title }))}
${pageHead(name)}
${periodFilter(visit, period)}
${table({
  caption: name,
  hidesCaption: true,
  columns: [{ label: say('responseStarted') }, { label: say('resultsAnswer') }],
  rows: answers.map(({ responseId, startedAt, asked, value }) => [
    html`<a href="${visit.href(`/console/responses/${responseId}`)}">${time(visit, startedAt)}</a>`,
    html`<span class="said">${shortened(answerText(asked, value), MAX_TEXT)}</span>`,
  ]),
  empty: say('resultsNone'),
})}
${pager(visit, nextCursor)}`,
  }
}
