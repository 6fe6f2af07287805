import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { livechatSources } from '../../src/db/schema.ts'
import { prepareDemo } from '../../src/demo/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { expectSound, press, tabTo } from '../support/pages/pages.ts'

describe.skipIf(!hasBrowser)('a help centre in a browser', () => {
  let app: TestApp
  let home: string
  let browser: { context: BrowserContext; close(): Promise<void> }
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    await prepareDemo(app.database, { ...app.deps, dataDir: app.dataDir }, app.clock.now())
    const [source] = await app.database.db.select().from(livechatSources)
    home = `${app.url}/help/${source?.id}`
    browser = await openBrowser()
    page = await browser.context.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    // Nothing here needs a script; those of the tests run all the same.
    page.on('request', (request) => {
      if (request.resourceType() === 'script') complaints.push(request.url())
    })
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  test('has nothing that axe finds, and nothing to scroll to the side for', async () => {
    for (const path of [
      '',
      '/connect-a-calendar',
      '/api-keys-and-webhooks',
      '?q=cancel+a+booking',
      '?q=zebra',
      '/gone',
    ]) {
      await page.goto(home + path)
      await expectSound(page)
    }
  })

  test('is searched and read with the keyboard alone', async () => {
    await page.goto(home)
    await press(page, 'Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#content')
    await tabTo(page, '[type=search]')
    await page.keyboard.type('How do I get my money back?')
    await press(page, 'Enter')
    await page.waitForSelector('.results mark')
    await tabTo(page, '.results a[href$="/refunds-and-cancellations"]')
    await press(page, 'Enter')
    await page.waitForSelector('article')
    expect(await page.title()).toBe('Refunds and cancellations · Harbour & Pine')
  })

  test('leads from one article to another', async () => {
    await page.goto(`${home}/getting-started`)
    await page.click('.prose a[href="connect-a-calendar"]')
    await page.waitForURL(`${home}/connect-a-calendar`)
    expect(await page.textContent('h1')).toBe('Connect a calendar')
  })

  test('is read in another language from the same place, by keyboard too, and says where it has none', async () => {
    await page.goto(`${home}/check-in-and-keys`)
    await tabTo(page, '.tongues summary')
    await press(page, 'Enter')
    await tabTo(page, '.tongues a[hreflang="de"]')
    await expectSound(page)
    await press(page, 'Enter')
    await page.waitForURL(`${home}/de/check-in-and-keys`)
    expect(await page.textContent('h1')).toBe('Check-in und Türcodes')
    await page.goto(`${home}/de/taxes`)
    expect(await page.textContent('.notice')).toContain('noch nicht auf Deutsch')
    await expectSound(page)
    await page.goto(`${home}/de`)
    await expectSound(page)
  })

  test('prints an article without what is for the screen', async () => {
    await page.goto(`${home}/privacy`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.isVisible('.search')).toBe(false)
    expect(await page.isVisible('.prose')).toBe(true)
    await page.emulateMedia({ media: null })
  })

  test('asks for no script, and nothing was complained about', () => {
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
  })
})
