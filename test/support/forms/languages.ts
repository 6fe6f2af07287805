import type { Page } from 'playwright-core'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { TestApp, TestTenant } from '../app.ts'
import { everyPart } from '../pages/pages.ts'
import type { TestForm } from './collecting.ts'

/** Opens the page of a form in a language, as somebody who takes their time over it. */
export async function openIn(page: Page, app: TestApp, tenant: TestTenant, form: TestForm, language: string) {
  await tenant.perform((tx, caller) => changeSettings(tx, caller, form.id, { language }))
  await page.goto(`${app.url}/f/${form.launchCode}`)
  await page.waitForSelector('#next:enabled')
  await everyPart(page)
  app.clock.advance(5000)
}
