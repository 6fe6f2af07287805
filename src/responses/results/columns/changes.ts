import { and, asc, count, eq, lte, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../../../db/index.ts'
import { responses } from '../../../db/schema.ts'
import { formatTime } from '../../../lib/time.ts'
import type { ResponseRow } from '../../operations.ts'
import { CHUNK, readLong, rowWithShort } from '../scan.ts'

/** How far a form's responses have been gone through in the order in which they changed. */
export interface Mark {
  readonly at: string
  readonly id: string
}

export const BEGINNING: Mark = { at: '', id: '' }

/** A change may be stored some time after its timestamp: all changes older than this are there. In milliseconds. */
const SETTLED = 2 * 60_000

/** The timestamp until which all changes are stored, where it is `now`, in milliseconds since 1970. */
export function settledBy(now: number): string {
  return formatTime(now - SETTLED)
}

const isAfter = sql`(${responses.updatedAt}, ${responses.id}) > (${sql.placeholder('at')}, ${sql.placeholder('id')})`
const inOrderOfChange = [asc(responses.updatedAt), asc(responses.id)]

const changedChunk = prepared((db) =>
  db
    .select(named(rowWithShort))
    .from(responses)
    .where(and(ofTenant(responses), eq(responses.formId, sql.placeholder('formId')), isAfter))
    .orderBy(...inOrderOfChange)
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** Goes through responses in the order in which they changed last: those after a mark, up to another. */
export async function* scanChanges(
  db: Reader,
  tenantId: string,
  formId: string,
  after: Mark,
  through: Mark | null = null,
): AsyncGenerator<ResponseRow> {
  for (let mark = after; ; ) {
    const rows = await changedChunk(db).execute({ tenantId, formId, ...mark, limit: CHUNK })
    for (const { answers, ...rest } of rows) {
      mark = { at: rest.updatedAt, id: rest.id }
      if (through && (mark.at > through.at || (mark.at === through.at && mark.id > through.id))) return
      const text = answers ?? (await readLong(db, tenantId, formId, rest.id))
      if (text !== null) yield { ...rest, answers: text }
    }
    if (rows.length < CHUNK) return
    await new Promise(setImmediate)
  }
}

const changeAt = prepared((db) =>
  db
    .select(named({ at: responses.updatedAt, id: responses.id }))
    .from(responses)
    .where(
      and(
        ofTenant(responses),
        eq(responses.formId, sql.placeholder('formId')),
        isAfter,
        lte(responses.updatedAt, sql.placeholder('until')),
      ),
    )
    .orderBy(...inOrderOfChange)
    .limit(1)
    .offset(sql.placeholder('skipped'))
    .prepare(),
)

/** The mark that is `count` changes after another; null where there are fewer until that time. */
export async function markAfter(
  db: Reader,
  tenantId: string,
  formId: string,
  after: Mark,
  count: number,
  until: string,
): Promise<Mark | null> {
  const [mark] = await changeAt(db).execute({ tenantId, formId, ...after, until, skipped: count - 1 })
  return mark ?? null
}

const isUntil = sql`(${responses.updatedAt}, ${responses.id}) <= (${sql.placeholder('untilAt')}, ${sql.placeholder('untilId')})`

const countBetween = prepared((db) =>
  db
    .select(named({ count: count() }))
    .from(responses)
    .where(and(ofTenant(responses), eq(responses.formId, sql.placeholder('formId')), isAfter, isUntil))
    .prepare(),
)

/** How many responses of a form changed last after one mark, up to another. */
export async function changesBetween(
  db: Reader,
  tenantId: string,
  formId: string,
  after: Mark,
  until: Mark,
): Promise<number> {
  const [found] = await countBetween(db).execute({ tenantId, formId, ...after, untilAt: until.at, untilId: until.id })
  return found?.count ?? 0
}
