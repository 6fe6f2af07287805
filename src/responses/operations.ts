import { and, eq, sql } from 'drizzle-orm'
import { named, prepared, type Reader } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/keyset.ts'
import { responses } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { formRecordOf } from '../forms/operations.ts'
import type { FormPage } from '../forms/pages.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import { derived } from '../lib/derived.ts'
import type { StoredAnswer } from './answers.ts'
import type { Response } from './model.ts'

const responseRow = {
  id: responses.id,
  formId: responses.formId,
  revision: responses.revision,
  status: responses.status,
  startedAt: responses.startedAt,
  submittedAt: responses.submittedAt,
  updatedAt: responses.updatedAt,
  contactId: responses.contactId,
  scores: responses.scores,
  answers: responses.answers,
  hiddenFields: responses.hiddenFields,
}

/** A response as its row has it: scores, answers and hidden fields are JSON, the last null for none. */
export type ResponseRow = Omit<Response, 'scores' | 'answers' | 'hiddenFields'> & {
  revision: number
  scores: string
  answers: string
  hiddenFields: string | null
}

const responseList = keysetList({
  name: 'responses',
  select: (db) => db.select(named(responseRow)).from(responses),
  tenantId: responses.tenantId,
  key: responses.id,
  keyOf: (row) => row.id,
  filters: {
    formId: (value) => eq(responses.formId, value),
    status: (value) => eq(responses.status, value),
  },
  within: ['formId'],
  changedAt: responses.updatedAt,
})

interface ResponseListFilters {
  /** Complete ones when left out (decisions §6). */
  status?: 'complete' | 'partial' | 'all' | undefined
  since?: string | undefined
  until?: string | undefined
}

/** A page of a form's responses, newest first. Throws `not_found` for the form, `invalid_request` for a foreign cursor. */
export async function listResponses(
  db: Reader,
  tenantId: string,
  formId: string,
  page: PageRequest,
  { status = 'complete', since, until }: ResponseListFilters,
): Promise<{ items: Response[]; nextCursor: string | null }> {
  const form = await formRecordOf(db, tenantId, formId)
  const filters = { formId: form.id, status: status === 'all' ? undefined : status, since, until }
  const { rows, nextCursor } = await responseList(db, tenantId, page, filters)
  const items: Response[] = []
  for (const row of rows) items.push(showResponse(row, await pagesOfRevision(db, tenantId, form, row.revision)))
  return { items, nextCursor }
}

const responseById = prepared((db) =>
  db
    .select(named(responseRow))
    .from(responses)
    .where(
      and(
        eq(responses.tenantId, sql.placeholder('tenantId')),
        eq(responses.formId, sql.placeholder('formId')),
        eq(responses.id, sql.placeholder('id')),
      ),
    )
    .prepare(),
)

/** One response to a form. Throws `not_found` for either. */
export async function getResponse(db: Reader, tenantId: string, formId: string, id: string): Promise<Response> {
  const form = await formRecordOf(db, tenantId, formId)
  const [row] = await responseById(db).execute({ tenantId, formId: form.id, id })
  if (!row) throw notFound('response')
  return showResponse(row, await pagesOfRevision(db, tenantId, form, row.revision))
}

const questionsById = derived(
  (pages: readonly FormPage[]): ReadonlyMap<number, FormPage['questions'][number]> =>
    new Map(pages.flatMap(({ questions }) => questions).map((question) => [question.id, question])),
)

/** A response as the API shows it: each answer beside the question that was asked, which `pages` hold. */
export function showResponse(
  { revision: _, scores, answers, hiddenFields, ...row }: ResponseRow,
  pages: readonly FormPage[],
): Response {
  const asked = questionsById(pages)
  const given = JSON.parse(answers) as StoredAnswer[]
  return {
    ...row,
    scores: JSON.parse(scores),
    answers: given.map(({ questionId, value }) => {
      const question = asked.get(questionId)
      if (!question) throw new Error(`response ${row.id} answers question ${questionId}, which it was not asked`)
      const { friendlyId, type, text } = question
      return { questionId, friendlyId, type, questionText: text, value }
    }),
    hiddenFields: hiddenFields === null ? {} : JSON.parse(hiddenFields),
  }
}
