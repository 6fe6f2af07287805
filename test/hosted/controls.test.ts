import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { openIn } from '../support/forms/languages.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page

describe.skipIf(!hasBrowser)('controls', () => {
  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
  beforeEach(async () => {
    page = await browser.context.newPage()
  })
  afterEach(() => page.close())

  const focused = () => page.evaluate(() => document.activeElement?.id)

  test.each([
    ['choose_one', '-0'],
    ['choose_any', '-0'],
    ['dropdown', '-input'],
    ['multi_dropdown', null],
  ] as const)(
    'an empty %s with a text for others gets the focus at its first choice, and says why',
    async (type, part) => {
      const form = await createPublished(acme, [questionBody(type, { required: true, otherText: 'Other' })])
      const id = `q${form.questionIds[0]}`
      await openIn(page, app, acme, form, 'en')
      await page.click('#next')
      expect(await page.locator('.error:visible').textContent()).toBe('Please answer this question.')
      if (part === null) expect(await page.evaluate(() => document.activeElement?.localName)).toBe('summary')
      else expect(await focused()).toBe(id + part)
      // Where the focus comes into the question, its message is read out with it; that of the form is by itself.
      expect((await page.getAttribute(`#${id}`, 'aria-describedby'))?.split(' ')).toContain(`${id}-error`)
      expect(await page.locator('#summary[role=alert]').textContent()).toBe('One answer needs your attention.')
      expect(await page.locator('.other').getAttribute('aria-invalid')).toBeNull()
    },
  )

  test('a text for others that shows and is empty gets the focus itself', async () => {
    const form = await createPublished(acme, [questionBody('choose_one', { required: true, otherText: 'Other' })])
    await openIn(page, app, acme, form, 'en')
    await page.click('.option:has([data-other])')
    await page.click('#next')
    expect(await focused()).toBe(`q${form.questionIds[0]}-other-text`)
    expect(await page.locator('.other').getAttribute('aria-invalid')).toBe('true')
  })

  test.each([
    ['en', 1, 5],
    ['ar', 1, 5],
    ['en', -50, 50],
  ])('in %s a slider from %d to %d shows its value over its thumb', async (language, scaleStart, scaleEnd) => {
    const form = await createPublished(acme, [questionBody('likert_slider', { scaleStart, scaleEnd })])
    await openIn(page, app, acme, form, language)
    const range = page.locator('[type=range]')
    const thumb = 24
    for (const [key, part] of [
      [null, (Math.floor((scaleStart + scaleEnd) / 2) - scaleStart) / (scaleEnd - scaleStart)],
      ['Home', 0],
      ['End', 1],
    ] as const) {
      if (key) await range.press(key)
      const track = await range.boundingBox()
      const bubble = await page.locator('output').boundingBox()
      if (!track || !bubble) throw new Error('there is no slider')
      const along = (track.width - thumb) * part + thumb / 2
      const middle = language === 'ar' ? track.x + track.width - along : track.x + along
      expect(Math.abs(bubble.x + bubble.width / 2 - middle)).toBeLessThan(2)
    }
    // The ring around it keeps away from what the ends are called, and from the value.
    await range.press('ArrowLeft')
    const box = await range.evaluate((element) => {
      const { outlineOffset, outlineWidth, outlineStyle } = getComputedStyle(element)
      return { ring: Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth), outlineStyle }
    })
    const [above, at, below] = await Promise.all(
      ['output', '[type=range]', '.slider .ends'].map((selector) => page.locator(selector).boundingBox()),
    )
    if (!above || !at || !below) throw new Error('there is no slider')
    expect(box.outlineStyle).not.toBe('none')
    expect(at.y - box.ring - (above.y + above.height)).toBeGreaterThanOrEqual(4)
    expect(below.y - (at.y + at.height + box.ring)).toBeGreaterThanOrEqual(4)
  })

  test('a slider’s value stays on the narrowest page, however long it is', async () => {
    const scale = { scaleStart: 1_999_999_950, scaleEnd: 2_000_000_000 }
    const form = await createPublished(acme, [questionBody('likert_slider', scale)])
    await page.setViewportSize({ width: 320, height: 600 })
    for (const language of ['en', 'he']) {
      await openIn(page, app, acme, form, language)
      for (const key of ['Home', 'End']) {
        await page.locator('[type=range]').press(key)
        const { x = -1, width = 0 } = (await page.locator('output').boundingBox()) ?? {}
        expect([x >= 0, x + width <= 320]).toEqual([true, true])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      }
    }
  })
})
