import { and, eq, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { responses } from '../db/schema.ts'
import { AppError, notFound } from '../errors.ts'
import { formRecordOf } from '../forms/operations.ts'
import type { FormPage } from '../forms/pages.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import { derived } from '../lib/derived.ts'
import type { StoredAnswer } from './answers.ts'
import { parseHiddenFields } from './hidden-fields.ts'
import type { Response } from './model.ts'

export const responseRow = {
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
  language: responses.language,
  variables: responses.variables,
}

/**
 * A response as its row has it: scores, answers, variables and hidden fields are JSON, the last null for none; so is the
 * language of what earlier versions stored.
 */
export type ResponseRow = Omit<Response, 'scores' | 'answers' | 'hiddenFields' | 'language' | 'variables'> & {
  revision: number
  scores: string
  answers: string
  hiddenFields: string | null
  language: string | null
  variables: string
}

/** Which responses a prepared query is about that is given `tenantId`, `formId` and `ids`, a JSON array. */
export const amongIds = (db: Reader) =>
  and(
    ofTenant(responses),
    eq(responses.formId, sql.placeholder('formId')),
    isOneOf(db, responses.id, sql.placeholder('ids')),
  )

const responseById = prepared((db) =>
  db
    .select(named(responseRow))
    .from(responses)
    .where(
      and(
        ofTenant(responses),
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
  return showResponse(row, await pagesOfRevision(db, tenantId, form, row.revision), form.language)
}

/** As `getResponse`, null where there is none that is shown: of a form in the trash none is. */
export async function responseIfShown(
  db: Reader,
  tenantId: string,
  formId: string,
  id: string,
): Promise<Response | null> {
  try {
    return await getResponse(db, tenantId, formId, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

const questionsById = derived(
  (pages: readonly FormPage[]): ReadonlyMap<number, FormPage['questions'][number]> =>
    new Map(pages.flatMap(({ questions }) => questions).map((question) => [question.id, question])),
)

/**
 * A response as the API shows it: each answer beside the question that was asked, which `pages` hold. `baseLanguage` is
 * the form's own.
 */
export function showResponse(
  { revision: _, scores, answers, hiddenFields, language, variables, ...row }: ResponseRow,
  pages: readonly FormPage[],
  baseLanguage: string,
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
    hiddenFields: parseHiddenFields(hiddenFields),
    language: language ?? baseLanguage,
    variables: JSON.parse(variables),
  }
}
