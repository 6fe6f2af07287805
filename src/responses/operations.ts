import { and, eq, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { fitting, keysetList, type PageRequest } from '../db/keyset.ts'
import { responses } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { type FormRecord, formRecordOf } from '../forms/operations.ts'
import type { FormPage } from '../forms/pages.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import { derived } from '../lib/derived.ts'
import type { StoredAnswer } from './answers.ts'
import { parseHiddenFields } from './hidden-fields.ts'
import type { Response } from './model.ts'

/** The most that the answers of one page may be, with the texts of what was asked, in bytes. */
const MAX_PAGE = 1024 * 1024
/** Longer answers, in bytes, are read once it is clear that they fit: of those below, a hundred always do. */
const LONG = 10 * 1024

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

/** SQLite knows the length of a text without reading it. */
const size = sql<number>`octet_length(${responses.answers})`
const listRow = {
  ...responseRow,
  answers: sql<string | null>`CASE WHEN ${size} <= ${sql.raw(String(LONG))} THEN ${responses.answers} END`,
  size,
}

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

interface ResponseListFilters {
  /** Complete ones when left out (decisions §6). */
  status?: 'complete' | 'partial' | 'all' | undefined
  since?: string | undefined
  until?: string | undefined
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
  const { status = 'complete', since, until } = asked
  const filters = { formId: form.id, status: status === 'all' ? undefined : status, since, until }
  const { rows, nextCursor } = await responseList(db, tenantId, page, filters)
  const pages = await pagesOfAll(db, tenantId, form, rows)
  const limit = fitting(
    rows.map(({ size }, index) => size + textSize(pages[index] as FormPage[])),
    MAX_PAGE,
  )
  if (limit < rows.length) return listResponses(db, tenantId, formId, { ...page, limit }, asked)
  const long = await longOnes(db, tenantId, form.id, rows)
  const items = rows.flatMap(({ size: _, answers, ...row }, index) => {
    const whole = answers === null ? long.get(row.id) : { ...row, answers }
    return whole ? showResponse(whole, pages[index] as FormPage[], form.language) : []
  })
  return { items, nextCursor }
}

/** What was asked in each of the responses. */
async function pagesOfAll(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  rows: readonly { revision: number }[],
): Promise<FormPage[][]> {
  const known = new Map<number, FormPage[]>()
  const ofRows: FormPage[][] = []
  for (const { revision } of rows) {
    const pages = known.get(revision) ?? (await pagesOfRevision(db, tenantId, form, revision))
    known.set(revision, pages)
    ofRows.push(pages)
  }
  return ofRows
}

const textSize = derived((pages: readonly FormPage[]) =>
  pages.flatMap(({ questions }) => questions).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
)

/** Those of `rows` whose answers have not been read, by id. */
async function longOnes(
  db: Reader,
  tenantId: string,
  formId: string,
  rows: readonly { id: string; answers: string | null }[],
): Promise<Map<string, ResponseRow>> {
  const ids = rows.flatMap(({ id, answers }) => (answers === null ? id : []))
  if (ids.length === 0) return new Map()
  const found = await responsesByIds(db).execute({ tenantId, formId, ids: JSON.stringify(ids) })
  return new Map(found.map((row) => [row.id, row]))
}

/** Which responses a prepared query is about that is given `tenantId`, `formId` and `ids`, a JSON array. */
export const amongIds = (db: Reader) =>
  and(
    ofTenant(responses),
    eq(responses.formId, sql.placeholder('formId')),
    isOneOf(db, responses.id, sql.placeholder('ids')),
  )

const responsesByIds = prepared((db) => db.select(named(responseRow)).from(responses).where(amongIds(db)).prepare())

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
