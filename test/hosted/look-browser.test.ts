import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../src/forms/settings/read.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { png } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { complaintsOf, hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { woff2 } from '../support/pages/fonts.ts'
import { violationsIn } from '../support/pages/pages.ts'

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 390, height: 800 }

describe.skipIf(!hasBrowser)('in a browser, the look of a form', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let complaints: string[]
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    acme = await app.createTenant('Acme Roasters')
    browser = await openBrowser()
    page = await browser.context.newPage()
    complaints = complaintsOf(page)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  async function open(settings: SettingsChanges, size = WIDE): Promise<void> {
    const form = await createPublished(acme, [questionBody('nps'), questionBody('choose_one')])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, settings))
    await page.setViewportSize(size)
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
  }
  const styleOf = (selector: string, property: string, pseudo?: string) =>
    page.$eval(selector, (element, [name, part]) => getComputedStyle(element, part).getPropertyValue(name as string), [
      property,
      pseudo,
    ] as const)

  test('has the font that was uploaded, once it is there', async () => {
    await open({ fontFile: woff2(), font: 'serif' })
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready
      return [...document.fonts].map(({ family, status }) => [family, status])
    })
    expect(loaded).toEqual([['own', 'loaded']])
    // In it every letter is as wide as it is high.
    const [width, size] = await page.$eval('.asked-text', (text) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      return [
        range.getBoundingClientRect().width / (text.textContent ?? '').trim().length,
        getComputedStyle(text).fontSize,
      ]
    })
    // But for the little that question texts are drawn together.
    expect(Math.abs(width - Number.parseFloat(size))).toBeLessThan(1)
    expect(complaints).toEqual([])
  })

  test('has square corners throughout, or slightly rounded ones', async () => {
    const radii = () =>
      Promise.all(['.card', '.option', '#next'].map((part) => styleOf(part, 'border-top-left-radius')))
    await open({ corners: 'square' })
    expect(await radii()).toEqual(['0px', '0px', '0px'])
    await open({ corners: 'slight' })
    expect(await radii()).toEqual(['7.2px', '4px', '4px'])
  })

  test('has a cover on its first page alone', async () => {
    await open({ cover: png, mode: 'step' })
    expect(await page.$eval('img.cover', (cover) => (cover as HTMLImageElement).naturalWidth)).toBe(1)
    expect(await page.isVisible('img.cover')).toBe(true)
    await page.click('#next')
    await page.locator('img.cover').waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
  })

  test.each(['<p>See you soon.</p>', 'See you soon.'])('thanks with the same distances for %s', async (thanks) => {
    await open({ thanks }, NARROW)
    const distances = await page.$eval('#done', (done) => {
      ;(done as HTMLElement).hidden = false
      const text = document.createRange()
      text.selectNodeContents(done.querySelector('.thanks') as Element)
      const title = (done.querySelector('h1') as Element).getBoundingClientRect().bottom
      return Math.round(text.getBoundingClientRect().top - title)
    })
    expect(distances).toBeGreaterThanOrEqual(12)
    expect(distances).toBeLessThan(24)
    expect(await styleOf('.thanks', 'color')).toBe(await styleOf('#pay-note', 'color'))
  })

  test('fills a narrow screen, however short the form is', async () => {
    await open({}, NARROW)
    expect(await styleOf('html', 'background-color')).toBe(await styleOf('.card', 'background-color'))
  })

  test('is the same on every page: what asks there stands as on the first', async () => {
    const form = await createPublished(acme, [questionBody('binary'), questionBody('binary')])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { mode: 'step' }))
    await page.setViewportSize(WIDE)
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    const side = (number: number) => `#q${form.questionIds[number]} .side`
    const looks = (number: number) =>
      Promise.all(['display', 'font-weight', 'margin-bottom'].map((property) => styleOf(side(number), property)))
    const first = await looks(0)
    await page.click('#next')
    await page.locator(side(1)).first().waitFor()
    expect([await looks(1), await looks(0)]).toEqual([first, first])
    expect(first[0]).toBe('flex')
  })

  test.each([
    ['wide', WIDE],
    ['narrow', NARROW],
  ] as const)('shows its background behind the form on a %s screen', async (_name, size) => {
    await open({ background: '#123456', backgroundImage: png }, size)
    expect(await styleOf('html', 'background-color')).toBe('rgb(18, 52, 86)')
    expect(await styleOf('body', 'background-color')).toBe('rgba(0, 0, 0, 0)')
    expect(await styleOf('body', 'background-image', '::before')).toContain('/backgroundImage?v=')
    expect(complaints).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'keeps its contrast on %s devices, whatever was chosen',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      for (const size of [WIDE, NARROW]) {
        for (const look of [
          { background: '#777777', accent: '#ffff00', font: 'mono', cover: png },
          { background: '#00ff00', backgroundImage: png, corners: 'square' },
          { background: '#0b1020', fontFile: woff2(), mode: 'step' },
        ]) {
          await open(look, size)
          expect([look, await violationsIn(page.mainFrame())]).toEqual([look, []])
        }
      }
    },
  )

  test('has no background of its own on another site', async () => {
    await open({ background: '#123456', backgroundImage: png })
    const site = Bun.serve({
      port: 0,
      fetch: () =>
        new Response(
          `<!doctype html><title>Site</title><iframe src="${page.url()}" width="500" height="900"></iframe>`,
          {
            headers: { 'content-type': 'text/html' },
          },
        ),
    })
    const other = await browser.context.newPage()
    await other.goto(site.url.href)
    const frame = other.frameLocator('iframe')
    await frame.locator('html.embedded').waitFor()
    const seen = await frame
      .locator('body')
      .evaluate((body) => [
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(body, '::before').content,
      ])
    expect(seen).toEqual(['rgba(0, 0, 0, 0)', 'none'])
    await other.close()
    await site.stop(true)
  })
})
