import type { Reader } from '../../db/index.ts'
import { openCursor, sealCursor } from '../../db/lists/cursor.ts'
import { fitting } from '../../db/lists/keyset.ts'
import type { FormRecord } from '../../forms/operations.ts'
import type { Response } from '../model.ts'
import { showResponse } from '../operations.ts'
import { ResponsesInColumns, type ResultSelection } from './results.ts'
import { readResponses } from './scan.ts'

/** The most that the answers of one page may be, in bytes. */
const MAX_PAGE = 1024 * 1024

interface ChosenPage {
  readonly cursor: string | undefined
  readonly limit: number
  readonly selection: ResultSelection
  /** In milliseconds since 1970. */
  readonly now: number
}

/**
 * A page of the complete responses to a form that fit, newest first. It ends early where their answers would exceed 1 MiB
 * together. Throws `invalid_request` for a foreign cursor and as `addUp`.
 */
export async function listChosen(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  { cursor, limit, selection, now }: ChosenPage,
): Promise<{ items: Response[]; nextCursor: string | null }> {
  const owner = `chosen responses/${tenantId}/${form.id}`
  const responses = await ResponsesInColumns.of(db, tenantId, form, now)
  const newest = await responses.newestFirst(selection)
  const ids = newest.after(cursor === undefined ? null : openCursor(cursor, owner), limit + 1)
  const rows = await readResponses(db, tenantId, form.id, ids.slice(0, limit))
  rows.sort((one, other) => (one.id < other.id ? 1 : -1))
  const shown = rows.slice(
    0,
    fitting(
      rows.map(({ answers }) => Buffer.byteLength(answers)),
      MAX_PAGE,
    ),
  )
  const last = shown.at(-1)?.id
  const isMore = shown.length < rows.length || ids.length > limit
  return {
    items: shown.map((row) => showResponse(row, responses.pagesOf(row.revision), form.language)),
    nextCursor: last !== undefined && isMore ? sealCursor(last, owner) : null,
  }
}
