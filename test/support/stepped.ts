import type { Page } from 'playwright-core'
import { issuePageToken } from '../../src/hosted/abuse.ts'
import { formPage } from '../../src/hosted/page/document.ts'
import type { TestApp, TestTenant } from './app.ts'
import type { TestForm } from './collecting.ts'

/** Has a form come in steps to a page of the browser, as the service writes it in that mode. */
export async function inSteps(page: Page, app: TestApp, tenant: TestTenant, form: Pick<TestForm, 'id' | 'launchCode'>) {
  const { body } = await tenant.get(`/v1/forms/${form.id}`)
  await page.route(`${app.url}/f/${form.launchCode}`, async (route) => {
    const original = await route.fetch()
    const version = /form\.js\?v=(\w+)/.exec(await original.text())?.[1] ?? ''
    const token = issuePageToken(form.id, app.clock.now())
    const { launchCode } = form
    const written = {
      form: body,
      launchCode,
      tenantName: 'Acme Roasters',
      base: '',
      token,
      version,
      takesPayments: false,
    }
    await route.fulfill({ response: original, body: formPage({ ...written, mode: 'step' }) })
  })
}
