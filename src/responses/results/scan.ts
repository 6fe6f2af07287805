import { and, asc, desc, eq, lt, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { formRevisions, responses } from '../../db/schema.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { type FormPage, parseEnds, parsePages, parseVariables, questionsOf } from '../../forms/pages.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import type { Revision } from '../../forms/revisions.ts'
import { amongIds, type ResponseRow, responseRow } from '../operations.ts'

/** Responses read at once: a few milliseconds' work. */
export const CHUNK = 200
/** Longer answers, in bytes, are read one response at a time. */
const LONG = 10 * 1024

/** Which responses are gone through. */
export interface Selection {
  /** Complete ones when left out. */
  status?: 'complete' | 'all' | undefined
  /** Milliseconds since 1970: begun at this time or later. */
  since?: number | undefined
  /** Begun before it. */
  until?: number | undefined
  /** Ids before this one, of a response that was seen already. */
  before?: string | undefined
  /** Of those, the ones that it says yes to. */
  accepts?: ((row: ResponseRow) => boolean) | undefined
}

const { answers: _answers, ...withoutAnswers } = responseRow

/** Answers that are short enough to be read with others. SQLite knows the length of a text without reading it. */
const shortAnswers = sql<
  string | null
>`CASE WHEN octet_length(${responses.answers}) <= ${sql.raw(String(LONG))} THEN ${responses.answers} END`

/** A response, with null for answers that are to be read by `readLong`. */
export const rowWithShort = { ...withoutAnswers, answers: shortAnswers }

const within = and(
  ofTenant(responses),
  eq(responses.formId, sql.placeholder('formId')),
  lt(responses.id, sql.placeholder('before')),
)

const chunkOf = (status: 'complete' | 'all') =>
  prepared((db) =>
    db
      .select(named(rowWithShort))
      .from(responses)
      .where(and(within, status === 'complete' ? eq(responses.status, sql`'complete'`) : undefined))
      .orderBy(desc(responses.id))
      .limit(sql.placeholder('limit'))
      .prepare(),
  )

const chunks = { complete: chunkOf('complete'), all: chunkOf('all') }

const longAnswers = prepared((db) =>
  db
    .select(named({ answers: responses.answers }))
    .from(responses)
    .where(amongIds(db))
    .prepare(),
)

/**
 * Goes through a form's responses, newest first, a few hundred at a time. Others are served in between: going through a
 * hundred thousand takes a while, and nobody waits for it but who asked. What is begun meanwhile may be missing.
 */
export async function* scanResponses(
  db: Reader,
  tenantId: string,
  formId: string,
  { status = 'complete', since, until, before, accepts = () => true }: Selection,
): AsyncGenerator<ResponseRow[]> {
  // No condition of the query: SQLite would go by it, through the responses to all forms.
  const from = since === undefined ? '' : firstId(since)
  // Every id comes before it.
  let last = until === undefined ? 's' : firstId(until)
  if (before !== undefined && before < last) last = before
  for (;;) {
    const rows = await chunks[status](db).execute({ tenantId, formId, before: last, limit: CHUNK })
    let short: ResponseRow[] = []
    for (const { answers, ...rest } of rows) {
      if (rest.id < from) break
      if (answers !== null) {
        const whole = { ...rest, answers }
        if (accepts(whole)) short.push(whole)
        continue
      }
      // A chunk of long ones would take seconds, and all the memory.
      if (short.length > 0) yield short
      short = []
      const text = await readLong(db, tenantId, formId, rest.id)
      const whole = text === null ? null : { ...rest, answers: text }
      if (whole && accepts(whole)) yield [whole]
    }
    if (short.length > 0) yield short
    if (rows.length < CHUNK) return
    last = rows[rows.length - 1]?.id as string
    if (last < from) return
    await new Promise(setImmediate)
  }
}

const byIds = prepared((db) => db.select(named(rowWithShort)).from(responses).where(amongIds(db)).prepare())

/** A few responses by their ids, in any order; those that are gone are left out. */
export async function readResponses(
  db: Reader,
  tenantId: string,
  formId: string,
  ids: readonly string[],
): Promise<ResponseRow[]> {
  const found: ResponseRow[] = []
  for (const { answers, ...rest } of await byIds(db).execute({ tenantId, formId, ids: JSON.stringify(ids) })) {
    const text = answers ?? (await readLong(db, tenantId, formId, rest.id))
    if (text !== null) found.push({ ...rest, answers: text })
  }
  return found
}

/** Answers that are read one response at a time; null where it was deleted meanwhile. */
export async function readLong(db: Reader, tenantId: string, formId: string, id: string): Promise<string | null> {
  await new Promise(setImmediate)
  const [found] = await longAnswers(db).execute({ tenantId, formId, ids: JSON.stringify([id]) })
  return found?.answers ?? null
}

/** What ids of responses begin with that were begun at `ms` (`lib/ids.ts`): their first 48 bits are the time. */
function firstId(ms: number): string {
  return `r_${Math.max(0, ms).toString(16).padStart(12, '0')}`
}

const allRevisions = prepared((db) =>
  db
    .select(
      named({
        number: formRevisions.number,
        pages: formRevisions.pages,
        variables: formRevisions.variables,
        ends: formRevisions.ends,
      }),
    )
    .from(formRevisions)
    .where(and(ofTenant(formRevisions), eq(formRevisions.formId, sql.placeholder('formId'))))
    .orderBy(asc(formRevisions.number))
    .prepare(),
)

/** All that a form has ever asked. */
export interface Asked {
  /** Each question as it was asked last: those that are asked now first, in their order, then those that no longer are. */
  questions: readonly { question: NumberedQuestion; isGone: boolean }[]
  /** Names of all variables that it ever computed: those that it computes now first. */
  variables: readonly string[]
  /** A revision: the same object each time. */
  contentOf(number: number): Revision
  /** The pages of a revision. */
  pagesOf(number: number): readonly FormPage[]
  /** The questions of a revision, by id. */
  ofRevision(number: number): ReadonlyMap<number, NumberedQuestion>
}

const NOTHING: Revision = { pages: [], variables: [], ends: [] }

/** What the responses to a form were asked, in whichever revision. */
export async function askedOf(db: Reader, tenantId: string, form: FormRecord): Promise<Asked> {
  const rows = await allRevisions(db).execute({ tenantId, formId: form.id })
  const revisions = new Map<number, Revision>(
    rows.map(({ number, pages, variables, ends }) => [
      number,
      { pages: parsePages(pages), variables: parseVariables(variables), ends: parseEnds(ends) },
    ]),
  )
  revisions.set(form.revision, form)
  const byRevision = new Map(
    [...revisions].map(([number, { pages }]) => [
      number,
      new Map(questionsOf(pages).map((asked) => [asked.id, asked])),
    ]),
  )
  const now = byRevision.get(form.revision) as Map<number, NumberedQuestion>
  const gone = new Map<number, NumberedQuestion>()
  for (const questions of byRevision.values()) {
    for (const [id, question] of questions) if (!now.has(id)) gone.set(id, question)
  }
  return {
    questions: [
      ...[...now.values()].map((question) => ({ question, isGone: false })),
      ...[...gone.values()].map((question) => ({ question, isGone: true })),
    ],
    variables: [
      ...new Set([form, ...revisions.values()].flatMap(({ variables }) => variables.map(({ name }) => name))),
    ],
    contentOf: (number) => revisions.get(number) ?? NOTHING,
    pagesOf: (number) => revisions.get(number)?.pages ?? [],
    ofRevision: (number) => byRevision.get(number) ?? new Map(),
  }
}
