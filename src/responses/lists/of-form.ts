import { and, eq, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { keysetList, type PageRequest } from '../../db/lists/keyset.ts'
import { responses } from '../../db/schema.ts'
import { formRecordOf } from '../../forms/operations.ts'
import type { FormPage } from '../../forms/pages.ts'
import { pagesOfRevision } from '../../forms/revisions.ts'
import { derived } from '../../lib/derived.ts'
import type { Response } from '../model.ts'
import { type ResponseRow, responseRow, showResponse } from '../operations.ts'

/** The most that the answers of one page may be, with the texts of what was asked, in bytes. */
const MAX_PAGE = 1024 * 1024
/** Longer answers, in bytes, are read once it is clear that they fit: of those below, a hundred always do. */
const LONG = 10 * 1024

/** SQLite knows the length of a text without reading it. */
const size = sql<number>`octet_length(${responses.answers})`

/** What lists read of a response. */
export const listRow = {
  ...responseRow,
  answers: sql<string | null>`CASE WHEN ${size} <= ${sql.raw(String(LONG))} THEN ${responses.answers} END`,
  size,
}

/** A response as lists read it first: `answers` are null where they are long, `size` is theirs in bytes. */
type ListedRow = Omit<ResponseRow, 'answers'> & { readonly answers: string | null; readonly size: number }

const responseList = keysetList({
  name: 'responses',
  select: (db) => db.select(named(listRow)).from(responses),
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

/** What lists of responses can be asked for. */
export interface ResponseListFilters {
  /** Complete ones when left out (decisions §6). */
  status?: 'complete' | 'partial' | 'all' | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The filters of a list of responses, as its query has them. */
export function rowFilters({ status = 'complete', since, until }: ResponseListFilters) {
  return { status: status === 'all' ? undefined : status, since, until }
}

/**
 * A page of a form's responses, newest first. It ends early where their answers and what was asked would exceed 1 MiB
 * together, but never without a response that is there. Throws `not_found` for the form, `invalid_request` for a foreign
 * cursor.
 */
export async function listResponses(
  db: Reader,
  tenantId: string,
  formId: string,
  page: PageRequest,
  asked: ResponseListFilters,
): Promise<{ items: Response[]; nextCursor: string | null }> {
  const form = await formRecordOf(db, tenantId, formId)
  const read = await responseList(db, tenantId, page, { formId: form.id, ...rowFilters(asked) })
  const known = new Map<number, FormPage[]>()
  const { items, last } = await shownResponses(db, tenantId, read.rows, async ({ revision }) => {
    const pages = known.get(revision) ?? (await pagesOfRevision(db, tenantId, form, revision))
    known.set(revision, pages)
    return { pages, language: form.language }
  })
  return { items, nextCursor: last ? read.cursorBehind(last.id) : read.nextCursor }
}

/** What a respondent was asked, and the language of the form. */
export interface Asked {
  readonly pages: readonly FormPage[]
  readonly language: string
}

/**
 * The first of these responses as the API shows them: all of them, or where they would exceed 1 MiB those up to `last`,
 * which is one at least.
 */
export async function shownResponses(
  db: Reader,
  tenantId: string,
  rows: readonly ListedRow[],
  askedIn: (row: ListedRow) => Promise<Asked>,
): Promise<{ items: Response[]; last: ListedRow | undefined }> {
  const fitting: { row: ListedRow; asked: Asked }[] = []
  let total = 0
  for (const row of rows) {
    const asked = await askedIn(row)
    // Each is followed by a comma or the end of the list.
    total += row.size + textSize(asked.pages) + 1
    if (total > MAX_PAGE && fitting.length > 0) break
    fitting.push({ row, asked })
  }
  const long = await longOnes(db, tenantId, fitting)
  const items = fitting.flatMap(({ row: { size: _, answers, ...row }, asked: { pages, language } }) => {
    const whole = answers === null ? long.get(row.id) : { ...row, answers }
    return whole ? showResponse(whole, pages, language) : []
  })
  return { items, last: fitting.length < rows.length ? fitting.at(-1)?.row : undefined }
}

const textSize = derived((pages: readonly FormPage[]) =>
  pages.flatMap(({ questions }) => questions).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
)

/** Which responses a prepared query is about that is given `tenantId` and `ids`, a JSON array. */
export const withIds = (db: Reader) => and(ofTenant(responses), isOneOf(db, responses.id, sql.placeholder('ids')))

const wholeByIds = prepared((db) => db.select(named(responseRow)).from(responses).where(withIds(db)).prepare())

/** Those of which the answers have not been read, by id. */
async function longOnes(
  db: Reader,
  tenantId: string,
  fitting: readonly { readonly row: ListedRow }[],
): Promise<Map<string, ResponseRow>> {
  const ids = fitting.flatMap(({ row: { id, answers } }) => (answers === null ? id : []))
  if (ids.length === 0) return new Map()
  const found = await wholeByIds(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Map(found.map((row) => [row.id, row]))
}
