import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { formRevisions } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import type { FormRecord } from './operations.ts'
import { type FormPage, parsePages } from './pages.ts'

/** Keeps what is being published, for good: responses belong to it. For `publishForm`. */
export async function keepRevision(tx: Tx, caller: Caller, formId: string, number: number, pages: readonly FormPage[]) {
  const { tenantId, at } = caller
  await tx
    .insert(formRevisions)
    .values({ tenantId, formId, number, pages: JSON.stringify(pages), createdAt: formatTime(at) })
}

const revisionByNumber = prepared((db) =>
  db
    .select(named({ pages: formRevisions.pages }))
    .from(formRevisions)
    .where(
      and(
        ofTenant(formRevisions),
        eq(formRevisions.formId, sql.placeholder('formId')),
        eq(formRevisions.number, sql.placeholder('number')),
      ),
    )
    .prepare(),
)

/** The pages of a form as they were in one of its revisions: what a response of that revision was asked. */
export async function pagesOfRevision(
  db: Reader,
  tenantId: string,
  form: Pick<FormRecord, 'id' | 'revision' | 'pages'>,
  number: number,
): Promise<FormPage[]> {
  if (number === form.revision) return form.pages
  const [revision] = await revisionByNumber(db).execute({ tenantId, formId: form.id, number })
  if (!revision) throw new Error(`form ${form.id} has no revision ${number}`)
  return parsePages(revision.pages)
}
