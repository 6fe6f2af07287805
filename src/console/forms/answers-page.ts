import { formRecordOf } from '../../forms/operations.ts'
import { html } from '../../lib/markup.ts'
import { acceptorOf } from '../../responses/results/acceptor.ts'
import { listAnswers } from '../../responses/results/list-answers.ts'
import { askedOf } from '../../responses/results/scan.ts'
import { backLink, pageHead, time } from '../components/display.ts'
import { field } from '../components/forms.ts'
import { pager, table } from '../components/lists.ts'
import type { PageContent, Visit } from '../visit.ts'
import { chosenBy, chosenQuery } from './chosen.ts'
import { chosenFilters } from './chosen-filters.ts'
import { boundsOf } from './period.ts'
import { questionName, shortened } from './question-results.ts'

const MAX_TEXT = 2000
const MAX_SEARCH = 200

/** All answers to one question, or those that hold some text, to be read one after the other. */
export async function answersPage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, query, wording } = visit
  const { tenantId } = principal
  const { say } = wording
  const form = await formRecordOf(db, tenantId, params.id ?? '')
  const chosen = await chosenBy(visit)
  const asked = await askedOf(db, tenantId, form)
  const text = (query.get('q') ?? '').slice(0, MAX_SEARCH).toWellFormed().trim()
  const { question, number, answers, nextCursor } = await listAnswers(
    db,
    tenantId,
    form,
    Number(params.questionId),
    asked,
    {
      ...boundsOf(chosen.period),
      accepts: await acceptorOf(db, tenantId, asked, chosen),
      cursor: query.get('cursor') ?? undefined,
      text,
    },
  )
  const name = questionName(visit, question.text, number)
  return {
    title: `${name} · ${form.title}`,
    body: html`${backLink(visit, `/console/forms/${form.id}/results${chosenQuery(chosen)}#question-${question.id}`, say('responseBackResults', { form: form.title }))}
${pageHead(name)}
${await chosenFilters(visit, chosen, asked.questions, {
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
