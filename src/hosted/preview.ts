import type { Reader } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { getDraft } from '../forms/drafts.ts'
import { formRecordOf } from '../forms/operations.ts'
import { getFile } from '../forms/settings/files.ts'
import type { OtherSettings } from '../forms/settings/model.ts'
import { readSettings } from '../forms/settings/read.ts'
import { localised } from '../forms/texts/localise.ts'
import { textsOf } from '../forms/texts/read.ts'
import { checkLanguage } from '../lib/language/languages.ts'
import { getTenantSettings } from '../tenants/operations.ts'
import { assetVersion } from './assets.ts'
import { withTenants } from './launch.ts'
import { formPage, ownAttributes } from './page/document.ts'
import { type FileAddresses, fileAddresses, lookOf, styleSource } from './page/look.ts'

/**
 * The page that a form would have if its draft were published, for its tenant alone. Its script behaves as ever but sends
 * nothing, and could not: the policy lets it reach nothing, and keeps it apart from the pages around it. `looks` are settings
 * of its look that somebody tries, as they type them; those that are none yet are passed over.
 * `lang` among them is a language of the form's, BCP 47; `end` the number of an end that says something, which is shown in
 * place of the form. Throws `not_found`.
 */
export async function formPreview(
  { config }: Pick<Deps, 'config'>,
  db: Reader,
  tenantId: string,
  formId: string,
  looks: URLSearchParams,
): Promise<Response> {
  const { id, launchCode, settings: own } = await formRecordOf(db, tenantId, formId)
  const tenant = await getTenantSettings(db, tenantId)
  const { settings: look, language: baseLanguage } = withTenants({ ...own, ...tried(looks) }, tenant)
  const wanted = looks.get('lang')
  const language = wanted === null ? baseLanguage : checkLanguage(wanted, 'lang')
  const draft = { ...(await getDraft(db, tenantId, id)), thanks: look.thanks }
  const form = language === baseLanguage ? draft : localised(draft, await textsOf(db, tenantId, id, language))
  const settings = { ...look, thanks: form.thanks }
  const base = new URL(config.baseUrl).pathname.replace(/\/$/, '')
  const files: FileAddresses = {
    ...fileAddresses(settings, `${base}/f/${launchCode}`),
    fontFile: settings.fontFile && (await fontOf(db, tenantId, id)),
  }
  const page = formPage({
    form,
    original: draft,
    launchCode: null,
    tenantName: tenant.name,
    settings,
    language,
    baseLanguage,
    base,
    own: ownAttributes('', {}, {}),
    version: assetVersion,
    takesPayments: config.stripe !== null,
    ended: form.ends[Number(looks.get('end')) - 1]?.thanks ?? null,
    files,
  })
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': policyOf(settings, files),
    },
  })
}

/** What can be tried, which is all that is no file. */
const LOOKS = ['language', 'mode', 'scheme', 'accent', 'font', 'corners', 'background'] as const

function tried(looks: URLSearchParams): Partial<OtherSettings> {
  const read = LOOKS.map((name) => {
    const value = looks.get(name)
    try {
      return value === null ? {} : readSettings({ [name]: value || null })
    } catch (error) {
      if (error instanceof AppError) return {}
      throw error
    }
  })
  return Object.assign({}, ...read)
}

function policyOf(settings: OtherSettings, files: FileAddresses): string {
  const css = lookOf(settings, files)
  const styles = css === '' ? "'self'" : `'self' ${styleSource(css)}`
  return (
    `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data: blob:; font-src data:; connect-src 'none'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-forms"
  )
}

/** As a data URL: a font is for pages of this origin alone, and a sandboxed one is of none. */
async function fontOf(db: Reader, tenantId: string, formId: string): Promise<string> {
  const { contentType, bytes } = await getFile(db, tenantId, formId, 'fontFile')
  return `data:${contentType};base64,${bytes.toString('base64')}`
}
