import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chapters, frontPage } from '../../src/guide/chapters.ts'
import { typedIn } from '../../src/guide/console-lines.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { expectSound, noticed, press, tabTo } from '../support/pages/pages.ts'
import { blocksOf } from '../support/sources/text-blocks.ts'

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
      if (!request.url().startsWith(app.url)) complaints.push(request.url())
    })
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  test('has nothing that axe finds, and nothing to scroll to the side for', async () => {
    const others = ['search?q=mail', 'search?q=zebra', 'none'].map((name) => `/docs/guide/${name}`)
    for (const path of [...[frontPage, ...chapters].map(({ path }) => path), ...others]) {
      await page.goto(app.url + path)
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
    const next = chapters[chapters.findIndex(({ slug }) => slug === 'backup-and-upgrade') + 1]
    await page.waitForURL(`${guide}/${next?.slug}`)
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
    await page.click('.narrow a[href="#payment-with-stripe"]')
    await page.waitForURL(`${guide}/forms#payment-with-stripe`)
  })

  test('copies code with the keyboard, of a console what is typed there', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = async (address: string, language: string) => {
      await page.goto(`${guide}/${address}`)
      await tabTo(page, `[data-language=${language}] .copy`)
      const said = noticed(page, '.copied', 'Copied')
      await press(page, 'Enter')
      await said
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const [upstream] = blocksOf('src/guide/postgresql.md').filter(({ language }) => language === 'nginx')
    expect(await copied('postgresql', 'nginx')).toBe(upstream?.text ?? '')
    expect(typedIn('$ one \\\n  --more\nprinted\n$ two   # why')).toEqual([
      { line: 0, command: 'one \\\n  --more' },
      { line: 3, command: 'two   # why' },
    ])
  })

  test('shows each row of a table as a box on a telephone, with what its cells are', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${guide}/configuring`)
    const row = page.locator('tr', { hasText: 'FRONTDESK_RATE_LIMIT' })
    const before = (cell: Element) => getComputedStyle(cell, '::before').content
    expect(await row.locator('td').nth(1).evaluate(before)).toContain('Default')
    expect(
      await page
        .locator('.scroll')
        .first()
        .evaluate((box) => box.scrollWidth - box.clientWidth),
    ).toBe(0)
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

  test('shows its pictures, asks nobody else, and nothing was complained about', async () => {
    await page.goto(`${guide}/console`)
    await page.waitForFunction(() => (document.querySelector('.prose img') as HTMLImageElement).naturalWidth > 1000)
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
  })
})
