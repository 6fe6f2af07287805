import type { Reader } from '../../db/index.ts'
import type { ResponseRow } from '../operations.ts'
import { type AnswerFilter, answersFit } from './filters.ts'
import { isOneOfThem, type Whose } from './people.ts'
import type { Asked } from './scan.ts'

/**
 * Says of responses, one by one, whether they fit all filters and are theirs: for lists and exports. Throws
 * `invalid_request` for a filter by a question that was never asked.
 */
export async function acceptorOf(
  db: Reader,
  tenantId: string,
  asked: Asked,
  { filters, whose }: { filters: readonly AnswerFilter[]; whose: Whose | null },
): Promise<(row: ResponseRow) => boolean> {
  const isTheirs = whose === null ? () => true : await isOneOfThem(db, tenantId, whose)
  const isFitting = answersFit(filters, asked)
  return (row) => isTheirs(row.contactId) && isFitting(row)
}
