import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/articles.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { createPerson } from '../support/console.ts'
import { expectSound, noticed, signInAt } from '../support/pages.ts'

describe.skipIf(!hasBrowser)('articles in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let path: string

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    const agent = await createPerson(acme, 'agent')
    path = `/console/articles/${(await createTestSource(acme)).id}`
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, agent.email)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const status = '[data-draft-kept]'
  const preview = () => page.frameLocator('iframe[title="Preview"]')

  test('are kept as drafts while somebody types, shown as they will be, and published', async () => {
    await page.goto(`${app.url}${path}/new`)
    await expectSound(page)
    const kept = noticed(page, status, 'Draft saved')
    await page.getByLabel('Title').fill('Parcels')
    await page.getByLabel('Content').fill('They come **by foot**.')
    await kept
    await page.waitForURL(/\/drafts\//)
    await preview().getByText('by foot').and(preview().locator('strong')).waitFor()
    await expectSound(page)
    await page.reload()
    expect(await page.getByLabel('Content').inputValue()).toBe('They come **by foot**.')

    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.locator('iframe').isVisible()).toBe(false)
    await page.getByText('Preview', { exact: true }).first().click()
    await preview().getByText('by foot').waitFor()
    await expectSound(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The article is published.').waitFor()
  })

  test('that cannot be saved are on this computer until they can', async () => {
    await page.goto(`${app.url}${path}/edit/parcels`)
    await page.route('**/keep', (route) => route.abort())
    const told = page.locator('[data-not-kept]', { hasText: 'kept on this computer' }).waitFor()
    await page.getByLabel('Content').fill('They come by sea.')
    await told
    await page.unroute('**/keep')
    await page.reload()
    await page.locator(status, { hasText: 'Draft saved' }).waitFor()
    expect(await page.getByLabel('Content').inputValue()).toBe('They come by sea.')
  })
})
