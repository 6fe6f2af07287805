import { and, eq, sql } from 'drizzle-orm'
import { named, prepared, type Reader } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/keyset.ts'
import { responses } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { getForm } from '../forms/operations.ts'
import type { FormPage } from '../forms/pages.ts'
import { derived } from '../lib/derived.ts'
import type { StoredAnswer } from './answers.ts'
import type { Response } from './model.ts'

const responseRow = {
  id: responses.id,
  formId: responses.formId,
  status: responses.status,
  startedAt: responses.startedAt,
  submittedAt: responses.submittedAt,
  updatedAt: responses.updatedAt,
  contactId: responses.contactId,
  scores: responses.scores,
  answers: responses.answers,
}

/** A response as its row has it: scores and answers are JSON. */
export type ResponseRow = Omit<Response, 'scores' | 'answers'> & { scores: string; answers: string }

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
  const form = await getForm(db, tenantId, formId)
  const filters = { formId: form.id, status: status === 'all' ? undefined : status, since, until }
  const { rows, nextCursor } = await responseList(db, tenantId, page, filters)
  const asked = questionsById(form.pages)
  return { items: rows.map((row) => withQuestions(row, asked)), nextCursor }
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
  const form = await getForm(db, tenantId, formId)
  const [row] = await responseById(db).execute({ tenantId, formId: form.id, id })
  if (!row) throw notFound('response')
  return withQuestions(row, questionsById(form.pages))
}

/** A response as the API shows it: each answer beside the question it answers. */
export function showResponse(row: ResponseRow, pages: readonly FormPage[]): Response {
  return withQuestions(row, questionsById(pages))
}

type Asked = ReadonlyMap<number, FormPage['questions'][number]>

const questionsById = derived(
  (pages: readonly FormPage[]): Asked =>
    new Map(pages.flatMap(({ questions }) => questions).map((question) => [question.id, question])),
)

function withQuestions({ scores, answers, ...row }: ResponseRow, asked: Asked): Response {
  const given = JSON.parse(answers) as StoredAnswer[]
  return {
    ...row,
    scores: JSON.parse(scores),
    answers: given.flatMap(({ questionId, value }) => {
      const question = asked.get(questionId)
      if (!question) return []
      const { friendlyId, type, text } = question
      return { questionId, friendlyId, type, questionText: text, value }
    }),
  }
}
