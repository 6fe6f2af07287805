import { afterEach, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { FormSettings } from '../../../src/forms/settings/model.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { publishNew } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { openShop } from '../../support/forms/shop.ts'
import { hasBrowser } from '../../support/pages/browser.ts'
import { setUpPage } from '../../support/pages/fixtures.ts'
import { until } from '../../support/patience.ts'

const when = (...conditions: object[]) => ({ match: 'all', conditions })
const low = when({ question: 'SCORE', op: 'at_most', value: 6 })

/** Whoever gives a low score is asked why, what matters, and on a page of their own whether to call. */
const survey = {
  pages: [
    {
      questions: [
        questionBody('nps', { text: 'How likely?', friendlyId: 'SCORE', required: true }),
        questionBody('textbox', { text: 'What went wrong?', friendlyId: 'WHY', rows: 12, showIf: low }),
        questionBody('ranking', { text: 'What matters?', showIf: low }),
      ],
    },
    { title: 'Sorry for {WHY}', showIf: low, questions: [questionBody('binary', { text: 'Shall we call you?' })] },
  ],
  ends: [
    { showIf: low, thanks: '<p>We look into {WHY}.</p>' },
    { showIf: when({ question: 'SCORE', op: 'is', value: 10 }), redirect: 'https://example.com/shop' },
  ],
}

let app: TestApp
let acme: TestTenant
let page: Page
let shop: ReturnType<typeof openShop> | undefined
/** What went wrong in the page: errors and what its policy refused. */
let complaints: string[]

describe.skipIf(!hasBrowser)('a form that reacts, on another site', () => {
  setUpPage((fixture) => ({ app, acme, page, complaints } = fixture))
  afterEach(() => {
    shop?.close()
    shop = undefined
  })

  const frame = () => page.frameLocator('iframe')
  const asked = () => frame().locator('.question:visible .asked-text').allTextContents()
  const isAsked = (...texts: string[]) => until(async () => (await asked()).join() === texts.join())
  const score = (value: number) => frame().locator('.step').nth(value).click()
  const goOn = () => frame().locator('#next').press('Enter')
  const heightOf = (one: Locator) => one.evaluate((element) => (element as HTMLElement).offsetHeight)
  const height = () => heightOf(page.locator('iframe'))
  /** The frame is as high as what is in it. */
  const fits = () => until(async () => (await height()) === (await heightOf(frame().locator('body'))))
  /** The screens that the page around the form was told of, and its end. */
  const told = () => page.evaluate(() => (window as never as { told: unknown[] }).told)
  const isTold = (...wanted: unknown[]) => until(async () => JSON.stringify(await told()) === JSON.stringify(wanted))

  async function visit(settings: Partial<FormSettings> = {}, query = ''): Promise<void> {
    await page.addInitScript(() => {
      const told: unknown[] = []
      Object.assign(window, { told })
      document.addEventListener('frontdesk:page', (event) => {
        const { page, count } = (event as CustomEvent).detail
        told.push(`${page} of ${count}`)
      })
      document.addEventListener('frontdesk:complete', () => told.push('complete'))
    })
    const { launchCode } = await publishNew(acme, { title: 'Survey', active: true, ...survey }, settings)
    shop = openShop(
      `<script src="${app.url}/embed.js" data-form="${launchCode}" data-query="${query}"></script>`,
      app.url,
    )
    // Loaded it is once the form is, too.
    await page.goto(shop.url, { waitUntil: 'commit' })
  }
  async function ready(): Promise<void> {
    await frame().locator('#next:enabled').waitFor()
    app.clock.advance(5000)
  }

  test('grows with what answers bring in, and is as small again without it', async () => {
    await visit()
    await ready()
    await fits()
    const before = await height()
    await score(3)
    await isAsked('How likely?', 'What went wrong?', 'What matters?')
    await fits()
    expect(await height()).toBeGreaterThan(before + 200)
    await score(8)
    await isAsked('How likely?')
    await fits()
    expect(await height()).toBe(before)
    expect(complaints).toEqual([])
  })

  test('leads through the pages that are asked to the end that is theirs', async () => {
    await visit()
    await ready()
    await score(3)
    await frame().locator('.type-textbox .text').fill('the <b>cold</b>')
    await frame().locator('[data-move="1"]').first().click()
    await frame().locator('.ranking:not([data-untouched])').waitFor()
    await goOn()
    await isAsked('Shall we call you?')
    expect(await frame().locator('.title:visible').textContent()).toBe('Sorry for the <b>cold</b>')
    await fits()
    await goOn()
    await frame().locator('#done:visible').waitFor()
    expect(await frame().locator('#thanks').textContent()).toBe('We look into the <b>cold</b>.')
    await fits()
    await isTold('1 of 1', '1 of 2', '2 of 2', 'complete')
    expect(complaints).toEqual([])
  })

  test('one question at a time, tells the page around it of the steps that come', async () => {
    await visit({ mode: 'step' })
    await ready()
    await isTold('1 of 1')
    await score(2)
    await isTold('1 of 1', '1 of 4')
    await goOn()
    await isAsked('What went wrong?')
    await fits()
    const long = await height()
    await frame().locator('#back').press('Enter')
    await isAsked('How likely?')
    await fits()
    expect(await height()).toBeLessThan(long)
    await score(9)
    await goOn()
    await frame().locator('#done:visible').waitFor()
    await isTold('1 of 1', '1 of 4', '2 of 4', '1 of 4', '1 of 1', 'complete')
    expect(complaints).toEqual([])
  })

  test.each(['page', 'step'] as const)(
    'an end that leads elsewhere takes the page around it there: %s',
    async (mode) => {
      await page.route('https://example.com/**', (route) => route.fulfill({ body: 'the shop' }))
      await visit({ mode })
      await ready()
      await score(10)
      await goOn()
      await page.waitForURL(/^https:\/\/example\.com\/shop\?response=r_\w+$/)
    },
  )

  test.each(['page', 'step'] as const)('what its query fills in decides before any script runs: %s', async (mode) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/assets/form.js*', async (route) => {
      await promise
      await route.continue()
    })
    await visit({ mode }, 'SCORE=3&amp;WHY=the+cold')
    const first = mode === 'page' ? ['How likely?', 'What went wrong?', 'What matters?'] : ['How likely?']
    await isAsked(...first)
    const progress = () => frame().locator('#progress-text').textContent()
    const title = () => frame().locator('#page-1').textContent()
    const before = [await progress(), await title()]
    expect(before).toEqual([mode === 'page' ? 'Page 1 of 2' : 'Step 1 of 4', 'Sorry for the cold'])
    expect(await frame().locator('#next').isDisabled()).toBe(true)
    resolve()
    await ready()
    expect([await asked(), await progress(), await title()]).toEqual([first, ...before])
    expect(complaints).toEqual([])
  })
})
