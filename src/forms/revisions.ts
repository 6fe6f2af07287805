import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { formRevisions } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import type { FormRecord } from './operations.ts'
import { type FormContent, type FormPage, parseEnds, parsePages, parseVariables, type storedContent } from './pages.ts'

/** Keeps what is being published, for good: responses belong to it. For `publishForm`. */
export async function keepRevision(
  tx: Tx,
  { tenantId, at }: Caller,
  formId: string,
  number: number,
  { pages, variables, ends }: ReturnType<typeof storedContent>,
): Promise<void> {
  const createdAt = formatTime(at)
  await tx.insert(formRevisions).values({ tenantId, formId, number, pages, variables, ends, createdAt })
}

const revisionByNumber = prepared((db) =>
  db
    .select(named({ pages: formRevisions.pages, variables: formRevisions.variables, ends: formRevisions.ends }))
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

/** What a response of a revision was asked, and what decided on it. */
export type Revision = Pick<FormContent, 'pages' | 'variables' | 'ends'>

/** What a form asked in one of its revisions. */
export async function revisionOf(
  db: Reader,
  tenantId: string,
  form: Pick<FormRecord, 'id' | 'revision'> & Revision,
  number: number,
): Promise<Revision> {
  return number === form.revision ? form : keptRevision(db, tenantId, form.id, number)
}

/** The pages of a form as they were in one of its revisions: what a response of that revision was asked. */
export async function pagesOfRevision(
  db: Reader,
  tenantId: string,
  form: Pick<FormRecord, 'id' | 'revision' | 'pages'>,
  number: number,
): Promise<FormPage[]> {
  return number === form.revision ? form.pages : (await keptRevision(db, tenantId, form.id, number)).pages
}

async function keptRevision(db: Reader, tenantId: string, formId: string, number: number): Promise<Revision> {
  const [revision] = await revisionByNumber(db).execute({ tenantId, formId, number })
  if (!revision) throw new Error(`form ${formId} has no revision ${number}`)
  const { pages, variables, ends } = revision
  return { pages: parsePages(pages), variables: parseVariables(variables), ends: parseEnds(ends) }
}
