import { eq, sql } from 'drizzle-orm'
import { named, prepared, type Reader, remembered } from '../db/index.ts'
import { forms, formTexts, tenants } from '../db/schema.ts'
import { isCollecting, notCollecting } from '../forms/closing.ts'
import { getForm } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import { languageOf, type OtherSettings, parseSettings } from '../forms/settings/model.ts'
import { translatedInto } from '../forms/texts/read.ts'
import type { FormFileKind } from '../kinds/form-files.ts'

/** A form that was published, as its launch code names it: the code alone says whose it is. */
export interface Launched {
  readonly tenantId: string
  readonly tenantName: string
  readonly formId: string
  /** Its own, but for the colour: the form's, else its tenant's. */
  readonly settings: OtherSettings
  /** BCP 47: the form's, else its tenant's, else English. */
  readonly language: string
  /** That, and those that it has texts in, by their tags. */
  readonly languages: readonly string[]
  /** Another one for whatever the form shows. */
  readonly revision: string
}

const formByCode = prepared((db) =>
  db
    .select(
      named({
        tenantId: forms.tenantId,
        tenantName: tenants.name,
        tenantLanguage: tenants.language,
        tenantAccent: tenants.accent,
        formId: forms.id,
        status: forms.status,
        publishedAt: forms.publishedAt,
        trashedAt: forms.trashedAt,
        closesAt: forms.closesAt,
        settings: forms.settings,
        updatedAt: forms.updatedAt,
        published: forms.revision,
      }),
    )
    .from(forms)
    .innerJoin(tenants, eq(tenants.id, forms.tenantId))
    .where(eq(forms.launchCode, sql.placeholder('launchCode')))
    .prepare(),
)

/** What a form is shown with: its own settings, and its tenant's where it has none. */
export function withTenants(
  own: OtherSettings,
  tenant: { readonly accent: string | null; readonly language: string | null },
): Pick<Launched, 'settings' | 'language'> {
  const settings = { ...own, accent: own.accent ?? tenant.accent }
  return { settings, language: languageOf(own, tenant.language) }
}

/** By its launch code, whatever its status. */
const formOfCode = remembered([forms, formTexts, tenants], async (db, launchCode: string) => {
  const [row] = await formByCode(db).execute({ launchCode })
  if (!row) return null
  const tenant = { accent: row.tenantAccent, language: row.tenantLanguage }
  const { settings, language } = withTenants(parseSettings(row.settings), tenant)
  const others = (await translatedInto(db, row.tenantId, row.formId)).filter((other) => other.language !== language)
  // Two changes may fall into one millisecond.
  const shown = Bun.hash(row.settings + row.tenantName + others.map(({ version }) => version).join())
  const revision = `${row.updatedAt} ${row.published} ${shown} ${language} ${settings.accent}`
  const languages = [language, ...others.map((other) => other.language)]
  return { ...row, settings, language, languages, revision }
})

/**
 * The form behind a launch code, while it is published and active (decisions §5) and its time has not come. The only
 * read that no tenant scopes, for the public pages. Throws `not_found`; whether the code was ever a form's does not show.
 */
export async function findLaunched(db: Reader, launchCode: string, at: number): Promise<Launched> {
  const found = await formOfCode(db, launchCode)
  if (!found || found.trashedAt || !isCollecting(found, at)) throw notCollecting()
  return found
}

/**
 * As `findLaunched`, of a form that may have closed since: for what those who have begun a response still do, whose
 * token shows who they are.
 */
export async function findPublished(db: Reader, launchCode: string): Promise<Launched> {
  const found = await formOfCode(db, launchCode)
  if (!found || !isPublished(found)) throw notCollecting()
  return found
}

/**
 * The form behind a launch code, for a file of its look. A form that was published shows it, and its end still does once
 * it has closed; of any other it is in the preview, where alone that version of it is named. Throws `not_found`.
 */
export async function findShowing(
  db: Reader,
  launchCode: string,
  kind: FormFileKind,
  version: string,
): Promise<Launched> {
  const found = await formOfCode(db, launchCode)
  const isKnown = found?.trashedAt === null && found.settings[kind]?.version === version
  if (!found || !(isKnown || isPublished(found))) throw notCollecting()
  return found
}

/**
 * What a form speaks that no longer collects (decisions §12); null where none was ever published under that code, or it was
 * thrown away.
 */
export async function languagesOfClosed(
  db: Reader,
  launchCode: string,
): Promise<Pick<Launched, 'language' | 'languages'> | null> {
  const found = await formOfCode(db, launchCode)
  return found && isPublished(found) ? found : null
}

function isPublished({ trashedAt, publishedAt }: { trashedAt: string | null; publishedAt: string | null }): boolean {
  return trashedAt === null && publishedAt !== null
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
