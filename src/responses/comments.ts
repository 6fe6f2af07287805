import type { Reader } from '../db/index.ts'
import { formRecordOf } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import type { StoredAnswer } from './answers.ts'
import { openResponse } from './rows.ts'

/** What a response says in words, in plain text; '' where it says nothing, or its form is in the trash. */
export async function commentIn(db: Reader, tenantId: string, formId: string, id: string): Promise<string> {
  const form = await formRecordOf(db, tenantId, formId).catch(() => null)
  const [row] = form ? await openResponse(db).execute({ tenantId, formId, id }) : []
  if (!form || !row) return ''
  const questions = questionsOf(await pagesOfRevision(db, tenantId, form, row.revision))
  const isText = new Set(questions.filter(({ type }) => type === 'textbox').map((question) => question.id))
  const answers = JSON.parse(row.answers) as StoredAnswer[]
  return answers
    .filter(({ questionId }) => isText.has(questionId))
    .map(({ value }) => String(value).trim())
    .filter((text) => text !== '')
    .join('\n\n')
}
