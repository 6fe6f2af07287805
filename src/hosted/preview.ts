import type { Reader } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { getDraft } from '../forms/drafts.ts'
import { formRecordOf } from '../forms/operations.ts'
import { getLogo } from '../forms/settings/logo.ts'
import type { OtherSettings } from '../forms/settings/model.ts'
import { getTenantSettings } from '../tenants/operations.ts'
import { assetVersion } from './assets.ts'
import { withTenants } from './launch.ts'
import { formPage, ownAttributes } from './page/document.ts'
import { lookOf, styleSource } from './page/look.ts'

/**
 * The page that a form would have if its draft were published, for its tenant alone. Its script behaves as ever but sends
 * nothing, and could not: the policy lets it reach nothing, and keeps it apart from the pages around it. Throws `not_found`.
 */
export async function formPreview(
  { config }: Pick<Deps, 'config'>,
  db: Reader,
  tenantId: string,
  formId: string,
): Promise<Response> {
  const { id, settings: own } = await formRecordOf(db, tenantId, formId)
  const tenant = await getTenantSettings(db, tenantId)
  const { settings, language } = withTenants(own, tenant)
  const form = await getDraft(db, tenantId, id)
  const page = formPage({
    form,
    launchCode: null,
    tenantName: tenant.name,
    settings,
    language,
    base: new URL(config.baseUrl).pathname.replace(/\/$/, ''),
    own: ownAttributes('', {}, {}),
    version: assetVersion,
    takesPayments: config.stripe !== null,
    logo: settings.logo && (await logoOf(db, tenantId, id)),
  })
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': policyOf(settings),
    },
  })
}

function policyOf(settings: OtherSettings): string {
  const css = lookOf(settings)
  const styles = css === '' ? "'self'" : `'self' ${styleSource(css)}`
  return (
    `default-src 'none'; script-src 'self'; style-src ${styles}; img-src data: blob:; connect-src 'none'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-forms"
  )
}

/** As a data URL: the sandboxed preview sends no session cookie, and could not load the file. */
async function logoOf(db: Reader, tenantId: string, formId: string): Promise<string> {
  const { contentType, bytes } = await getLogo(db, tenantId, formId)
  return `data:${contentType};base64,${bytes.toString('base64')}`
}
