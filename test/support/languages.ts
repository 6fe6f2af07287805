import type { Page } from 'playwright-core'
import { getForm } from '../../src/forms/operations.ts'
import { issuePageToken } from '../../src/hosted/abuse.ts'
import { formPage } from '../../src/hosted/page/document.ts'
import type { TestApp, TestTenant } from './app.ts'
import type { TestForm } from './collecting.ts'

/** Opens the page of a form in a language, as somebody who takes their time over it. */
export async function openIn(page: Page, app: TestApp, tenant: TestTenant, form: TestForm, language: string) {
  const token = issuePageToken(form.id, app.clock.now())
  const body = formPage({
    form: await tenant.perform((tx) => getForm(tx, tenant.tenantId, form.id)),
    launchCode: form.launchCode,
    tenantName: 'Acme',
    language,
    base: '',
    token,
    version: language,
    takesPayments: false,
  })
  const address = `${app.url}/f/${form.launchCode}`
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }))
  await page.goto(address)
  await page.waitForSelector('#next:enabled')
  app.clock.advance(5000)
}
