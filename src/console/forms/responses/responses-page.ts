import { invalid, rule } from '../../../errors.ts'
import type { FormRecord } from '../../../forms/operations.ts'
import { formRecordOf } from '../../../forms/operations.ts'
import { answerText, type NumberedQuestion } from '../../../forms/question-types/index.ts'
import { entryOf } from '../../../forms/question-types/table.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { streamOf } from '../../../lib/stream.ts'
import { shortened } from '../../../lib/text/one-line.ts'
import { listResponses } from '../../../responses/lists/of-form.ts'
import type { Response } from '../../../responses/model.ts'
import { acceptorOf } from '../../../responses/results/acceptor.ts'
import { csvOf, jsonOf } from '../../../responses/results/export.ts'
import { listChosen } from '../../../responses/results/list-chosen.ts'
import { askedOf } from '../../../responses/results/scan.ts'
import { type ColumnNames, responseTable } from '../../../responses/results/table.ts'
import { xlsxOf } from '../../../responses/results/xlsx.ts'
import { time } from '../../components/display.ts'
import { select } from '../../components/forms.ts'
import { filters, pager, table } from '../../components/lists.ts'
import type { PageContent, Visit } from '../../visit.ts'
import { lineOf } from '../builder/draft.ts'
import { formHead } from '../form-head.ts'
import { chosenBy, chosenFields, chosenQuery } from '../results/chosen.ts'
import { chosenFilters } from '../results/chosen-filters.ts'
import { boundsOf } from '../results/period.ts'
import { exportLinks } from '../results/results-page.ts'
import { score, statusBadge, variableText } from './response-page.ts'

const PAGE = 25
const STATUSES = ['complete', 'partial', 'all'] as const

/** The responses to one form, newest first; complete ones narrowed down as the results are. */
export async function responsesPage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, query, wording } = visit
  const { tenantId } = principal
  const { say } = wording
  const form = await formRecordOf(db, tenantId, params.id ?? '')
  const status = statusOf(query)
  const chosen = await chosenBy(visit)
  const isAsked = chosenFields(chosen).length > 0
  const isNarrowed = isAsked && status === 'complete'
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = isNarrowed
    ? await listChosen(db, tenantId, form, { ...page, selection: chosen, now: visit.at })
    : await listResponses(db, tenantId, form.id, page, { status })
  const { questions, variables } = await askedOf(db, tenantId, form)
  const asked = new Map(questions.map(({ question }) => [question.id, question]))
  const scores = questions.some(({ question }) => entryOf(question).score !== undefined)
  const exported = status === 'all' ? '?status=all' : chosenQuery(chosen)
  return {
    title: `${say('formResponses')} · ${form.title}`,
    body: html`${formHead(visit, form, exportLinks(visit, form.id, exported))}
${
  status === 'complete'
    ? await chosenFilters(visit, chosen, questions, {
        form,
        compares: false,
        more: statusField(visit, status),
      })
    : filters(visit, say('responsesFilter'), statusField(visit, status))
}
${isAsked && !isNarrowed && html`<p class="note">${say('chosenCompleteOnly')}</p>`}
${table({
  caption: say('formResponses'),
  hidesCaption: true,
  columns: [
    { label: say('responseStarted') },
    { label: say('formsState') },
    ...(scores ? [{ label: say('responseScore'), kind: 'number' as const }] : []),
    ...variables.map((label) => ({ label, kind: 'number' as const })),
    { label: say('responsesFirst') },
  ],
  rows: items.map((response) => [
    html`<a href="${visit.href(`/console/responses/${response.id}`)}">${time(visit, response.startedAt)}</a>`,
    statusBadge(visit, response),
    ...(scores ? [score(visit, response) ?? '–'] : []),
    ...variables.map((name) => variableText(visit, response, name)),
    html`<span dir="auto">${summaryOf(response, asked)}</span>`,
  ]),
  empty: say(query.has('status') || isNarrowed ? 'responsesNoneSuch' : 'resultsEmpty'),
})}
${pager(visit, nextCursor)}`,
  }
}

function statusField(visit: Visit, status: string): Markup {
  const { say } = visit.wording
  return select(visit, {
    name: 'status',
    label: say('formsState'),
    options: [
      ['complete', say('responseComplete')],
      ['partial', say('responsePartial')],
      ['all', say('all')],
    ],
    value: status,
  })
}

function statusOf(query: URLSearchParams): (typeof STATUSES)[number] {
  const given = query.get('status') || 'complete'
  const status = STATUSES.find((known) => known === given)
  if (!status) throw invalid('status', rule('one_of', { choices: STATUSES.join(', ') }))
  return status
}

/**
 * What tells responses apart: who it is from, and the first thing that was typed or chosen. Of one that has none of
 * these the first answers, each with what was asked: a number says little by itself.
 */
function summaryOf({ answers }: Response, asked: ReadonlyMap<number, NumberedQuestion>): string {
  const texts = answers.flatMap(({ type, value }) => {
    if (type === 'contact_details')
      return Object.values(value as object)
        .filter(Boolean)
        .slice(0, 3)
        .join(', ')
    if (type === 'textbox') return value as string
    const { selected, other } = value as { selected?: string | string[] | null; other?: string | null }
    return [selected ?? [], other ?? []].flat().join(', ') || []
  })
  const told = texts.length > 0 ? texts : answers.flatMap((answer) => inShort(answer, asked.get(answer.questionId)))
  return shortened(told.slice(0, 2).join(' · '), 140)
}

/** A question and its answer, in a few words; nothing of what has no words, such as a drawing. */
function inShort({ questionText, value }: Response['answers'][number], question?: NumberedQuestion): string | never[] {
  const said = question ? answerText(question, value) : ''
  const name = shortened(lineOf(questionText), 40)
  return said === '' ? [] : `${name} ${said}`.trim()
}

const EXPORTS = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

export type ExportFormat = keyof typeof EXPORTS

/**
 * A form's responses as a file, sent as it is read: complete ones, and with `status=all` those that were begun; narrowed
 * down as its results are.
 */
export async function exportFile(visit: Visit, format: ExportFormat): Promise<globalThis.Response> {
  const { db, principal, params, query, wording } = visit
  const { tenantId } = principal
  const form = await formRecordOf(db, tenantId, params.id ?? '')
  const status = query.get('status') === 'all' ? ('all' as const) : ('complete' as const)
  const chosen = await chosenBy(visit)
  const accepts = await acceptorOf(db, tenantId, form, await askedOf(db, tenantId, form), chosen)
  const selection = { status, ...boundsOf(chosen.period), accepts }
  const table = () => responseTable(db, tenantId, form, selection, columnNames(visit))
  const parts =
    format === 'json'
      ? jsonOf(db, tenantId, form, selection)
      : format === 'csv'
        ? csvOf(await table())
        : xlsxOf(await table(), wording.say('formResponses'))
  return new globalThis.Response(streamOf(parts), { headers: fileHeaders(form, format) })
}

function columnNames({ wording: { say } }: Visit): ColumnNames {
  return {
    id: say('responseId'),
    status: say('formsState'),
    started: say('responseStarted'),
    submitted: say('responseSubmitted'),
    contact: say('responseContact'),
    points: say('responseScore'),
    language: say('responseLanguage'),
    question: (number) => say('formQuestion', { number }),
  }
}

function fileHeaders({ title, launchCode }: FormRecord, format: ExportFormat): Record<string, string> {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  return {
    'content-type': EXPORTS[format],
    'content-disposition': `attachment; filename="responses-${launchCode}.${format}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}.${format}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}
