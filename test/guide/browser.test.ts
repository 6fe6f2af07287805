import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chapters } from '../../src/guide/chapters.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSound, press, tabTo } from '../support/pages.ts'

describe.skipIf(!hasBrowser)('the guide in a browser', () => {
  let app: TestApp
  let guide: string
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    app = await startApp()
    guide = `${app.url}/docs/guide`
    browser = await openBrowser()
    page = await browser.context.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('request', (request) => {
      if (request.resourceType() === 'script' || !request.url().startsWith(app.url)) complaints.push(request.url())
    })
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  test('has nothing that axe finds, and nothing to scroll to the side for', async () => {
    const addresses = ['', ...chapters.map(({ slug }) => `/${slug}`), '/search?q=mail', '/search?q=zebra', '/none']
    for (const address of addresses) {
      await page.goto(guide + address)
      await expectSound(page)
    }
  })

  test('is searched and read with the keyboard alone', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(guide)
    await press(page, 'Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#content')
    await tabTo(page, '[type=search]')
    await page.keyboard.type('restore a backup')
    await press(page, 'Enter')
    await page.waitForSelector('.results mark')
    await tabTo(page, '.results a[href$="/backup-and-upgrade"]')
    await press(page, 'Enter')
    await page.waitForURL(`${guide}/backup-and-upgrade`)
    await tabTo(page, '.prose pre')
    await tabTo(page, '[rel=next]')
    await press(page, 'Enter')
    await page.waitForURL(`${guide}/contributing`)
  })

  test('lists its chapters beside the text, and on a telephone behind a button', async () => {
    const lists = () =>
      Promise.all(['nav.wide', '.narrow', '.narrow nav'].map((selector) => page.locator(selector).isVisible()))
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${guide}/forms`)
    expect(await lists()).toEqual([true, false, false])
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await lists()).toEqual([false, true, false])
    await page.click('.narrow summary')
    expect(await lists()).toEqual([false, true, true])
    await page.click('.narrow a[href="#payment"]')
    await page.waitForURL(`${guide}/forms#payment`)
  })

  test('scrolls long lines of code within their box', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(`${guide}/deploying`)
    const [box, text] = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('pre')]
      return [Math.max(...boxes.map((pre) => pre.clientWidth)), Math.max(...boxes.map((pre) => pre.scrollWidth))]
    })
    expect(box).toBeLessThan(360)
    expect(text).toBeGreaterThan(box as number)
  })

  test('shows its pictures, asks for no script and nobody else, and nothing was complained about', async () => {
    await page.goto(`${guide}/console`)
    await page.waitForFunction(() => (document.querySelector('.prose img') as HTMLImageElement).naturalWidth > 1000)
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
  })
})
