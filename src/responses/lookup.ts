import { and, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { responses } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { type FormRecord, formRecordOf } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import type { NumberedQuestion } from '../forms/question-types/index.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import type { Response } from './model.ts'
import { responseRow, showResponse } from './operations.ts'

/** A response beside its form, and the questions that it was asked: those of the revision that it was begun in. */
export interface FoundResponse {
  form: FormRecord
  response: Response
  questions: readonly NumberedQuestion[]
}

const responseOfTenant = prepared((db) =>
  db
    .select(named(responseRow))
    .from(responses)
    .where(and(ofTenant(responses), eq(responses.id, sql.placeholder('id'))))
    .prepare(),
)

/** A response by its id alone, as links in mails name it: for people. Throws `not_found`, for one to a trashed form too. */
export async function findResponse(db: Reader, tenantId: string, id: string): Promise<FoundResponse> {
  const [row] = await responseOfTenant(db).execute({ tenantId, id })
  if (!row) throw notFound('response')
  const form = await formRecordOf(db, tenantId, row.formId)
  const pages = await pagesOfRevision(db, tenantId, form, row.revision)
  return { form, response: showResponse(row, pages, form.language), questions: questionsOf(pages) }
}
