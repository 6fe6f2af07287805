import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import type { ResponseRow } from '../operations.ts'
import { answersFit } from './filters.ts'
import { isOneOfThem } from './people.ts'
import type { ResultSelection } from './results.ts'
import type { Asked } from './scan.ts'

/**
 * Says of responses to a form, one by one, whether they fit all filters, are theirs and in the language: for exports. Throws
 * `invalid_request` for a filter by a question that was never asked.
 */
export async function acceptorOf(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  asked: Asked,
  { filters, whose, language }: Required<Pick<ResultSelection, 'filters' | 'whose' | 'language'>>,
): Promise<(row: ResponseRow) => boolean> {
  const isTheirs = whose === null ? () => true : await isOneOfThem(db, tenantId, whose)
  const isFitting = answersFit(filters, asked)
  const isSpoken = (row: ResponseRow) => language === null || (row.language ?? form.language) === language
  return (row) => isSpoken(row) && isTheirs(row.contactId) && isFitting(row)
}
