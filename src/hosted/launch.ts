import { eq, sql } from 'drizzle-orm'
import { named, prepared, type Reader, remembered } from '../db/index.ts'
import { forms, tenants } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { getForm } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'

/** A form that collects, as its launch code names it: the code alone says whose it is. */
export interface Launched {
  readonly tenantId: string
  readonly tenantName: string
  readonly formId: string
  /** Another one for whatever the form shows. */
  readonly revision: string
}

const formByCode = prepared((db) =>
  db
    .select(
      named({
        tenantId: forms.tenantId,
        tenantName: tenants.name,
        formId: forms.id,
        status: forms.status,
        publishedAt: forms.publishedAt,
        trashedAt: forms.trashedAt,
        revision: forms.updatedAt,
      }),
    )
    .from(forms)
    .innerJoin(tenants, eq(tenants.id, forms.tenantId))
    .where(eq(forms.launchCode, sql.placeholder('launchCode')))
    .prepare(),
)

/** By its launch code, whatever its status. */
const launchedForm = remembered([forms, tenants], async (db, launchCode: string) => {
  const [form] = await formByCode(db).execute({ launchCode })
  return form ?? null
})

/**
 * The form behind a launch code, while it is published and active (decisions §5). The only read that no tenant scopes,
 * for the public pages. Throws `not_found`; whether the code was ever a form's does not show.
 */
export async function findLaunched(db: Reader, launchCode: string): Promise<Launched> {
  const found = await launchedForm(db, launchCode)
  if (found?.status !== 'active' || !found.publishedAt || found.trashedAt) throw notFound('form')
  return found
}

const fileForm = remembered([forms], async (db, key: string) => {
  const [tenantId = '', formId = ''] = key.split(' ')
  const { pages } = await getForm(db, tenantId, formId)
  return { takesFiles: questionsOf(pages).some(({ type }) => type === 'file_upload' || type === 'signature') }
})

/** Whether a form has a question that takes a file. */
export async function takesFiles(db: Reader, { tenantId, formId }: Launched): Promise<boolean> {
  return (await fileForm(db, `${tenantId} ${formId}`)).takesFiles
}
