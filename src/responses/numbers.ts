import { and, desc, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { responses } from '../db/schema.ts'

/** How far responses are counted for a list: a form may have a million. */
export const COUNTED = 10_000

export interface ResponseNumbers {
  /** Complete ones; one more than `COUNTED` where there are more. */
  count: number
  /** When the latest one was completed; null without any. */
  lastAt: string | null
}

const isComplete = and(
  ofTenant(responses),
  eq(responses.formId, sql.placeholder('formId')),
  eq(responses.status, sql`'complete'`),
)

const countOfForm = prepared((db) => {
  const some = db
    .select({ one: sql<number>`1`.as('one') })
    .from(responses)
    .where(isComplete)
    .limit(COUNTED + 1)
    .as('some')
  return db
    .select(named({ count: sql<number>`count(*)` }))
    .from(some)
    .prepare()
})

const latestOfForm = prepared((db) =>
  db
    .select(named({ at: responses.submittedAt }))
    .from(responses)
    .where(isComplete)
    .orderBy(desc(responses.id))
    .limit(1)
    .prepare(),
)

/** How many complete responses a form has, and when the latest came. For people, who see it beside the form. */
export async function responseNumbers(db: Reader, tenantId: string, formId: string): Promise<ResponseNumbers> {
  const [counted] = await countOfForm(db).execute({ tenantId, formId })
  const [latest] = await latestOfForm(db).execute({ tenantId, formId })
  return { count: counted?.count ?? 0, lastAt: latest?.at ?? null }
}
