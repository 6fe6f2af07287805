import { describe, expect, test } from 'bun:test'
import type { Frame, Page } from 'playwright-core'
import type { QuestionType } from '../../../src/forms/question-types/index.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { openShop } from '../../support/forms/shop.ts'
import { hasBrowser } from '../../support/pages/browser.ts'
import { setUpPage } from '../../support/pages/fixtures.ts'
import { expectThanks } from '../../support/pages/pages.ts'

/** What an address says of every type that it can fill in, behind the question's name. */
const FILLED: readonly [QuestionType, query: readonly string[], answer: unknown, settings?: object][] = [
  ['choose_one', ['=Blue'], { selected: 'Blue', other: null }, { otherText: 'Other' }],
  ['dropdown', ['=Green'], { selected: 'Green', other: null }],
  ['choose_any', ['=Red', '=Blue'], { selected: ['Red', 'Blue'], other: null }],
  ['multi_dropdown', ['=Green'], { selected: ['Green'], other: null }],
  ['likert', ['=4'], [{ scale: 0, value: 4 }]],
  ['likert_slider', ['=5'], [{ scale: 0, value: 5 }]],
  ['nps', ['=9'], 9],
  ['star_rating', ['=2'], 2],
  ['numeric', ['=-2.5'], -2.5],
  ['binary', ['=false'], false],
  ['textbox', ['=Ada'], 'Ada'],
  ['date', ['=2026-03-01'], '2026-03-01'],
  ['date_range', ['.from=2026-03-01', '.to=2026-03-05'], { from: '2026-03-01', to: '2026-03-05' }],
  ['contact_details', ['.email=ada@acme.test'], { email: 'ada@acme.test' }],
]

let app: TestApp
let acme: TestTenant
let page: Page

describe.skipIf(!hasBrowser)('what an address filled in', () => {
  setUpPage((fixture) => ({ app, acme, page } = fixture))

  /** A form with all of them, and a text at the end that no address fills in. */
  async function filledForm(mode: 'page' | 'step' = 'page'): Promise<{ form: TestForm; query: string }> {
    const questions = FILLED.map(([type, , , settings]) =>
      questionBody(type, { friendlyId: type.toUpperCase(), ...settings }),
    )
    const form = await createPublished(acme, [...questions, questionBody('textbox', { friendlyId: 'LAST' })])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { mode }))
    const query = FILLED.flatMap(([type, parts]) => parts.map((part) => type.toUpperCase() + part)).join('&')
    return { form, query }
  }
  const lastOf = ({ questionIds }: TestForm) => `#q${questionIds.at(-1)} .text`
  const ready = (where: Page | Frame) => where.waitForSelector('#next:enabled', { state: 'attached' })
  async function sent(form: TestForm): Promise<unknown[]> {
    const { items } = (await acme.get(`/v1/forms/${form.id}/responses?status=all`)).body
    return items[0].answers.map(({ value }: { value: unknown }) => value)
  }
  const answers = FILLED.map(([, , answer]) => answer)

  test('is there after a reload, whatever else was answered, and is sent', async () => {
    const { form, query } = await filledForm()
    await page.goto(`${app.url}/f/${form.launchCode}?${query}`)
    await ready(page)
    await page.fill(lastOf(form), 'And this')
    for (let times = 0; times < 2; times++) {
      await page.reload()
      await ready(page)
    }
    app.clock.advance(5000)
    await page.click('#next')
    await expectThanks(page)
    expect(await sent(form)).toMatchObject([...answers, 'And this'])
  })

  test('is there after a reload where one question shows at a time, and without the address’s query', async () => {
    const { form, query } = await filledForm('step')
    await page.goto(`${app.url}/f/${form.launchCode}?${query}`)
    await ready(page)
    for (const _ of FILLED) await page.click('#next')
    await page.fill(lastOf(form), 'And this')
    await page.reload()
    await ready(page)
    expect(await page.inputValue(lastOf(form))).toBe('And this')
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await ready(page)
    app.clock.advance(5000)
    await page.click('#next')
    await expectThanks(page)
    expect(await sent(form)).toMatchObject([...answers, 'And this'])
  })

  test('is there after a reload in a page of another site', async () => {
    const { form, query } = await filledForm()
    const script = `<script src="${app.url}/embed.js" data-form="${form.launchCode}" data-query="${query}"></script>`
    const shop = openShop(script, app.url)
    const framed = async () => {
      await page.waitForSelector('iframe')
      const frame = page.frames()[1] as Frame
      await ready(frame)
      return frame
    }
    try {
      // Of the service's own site: where browsers let the frame keep things.
      await page.goto(shop.url.replace('localhost', new URL(app.url).hostname))
      await (await framed()).fill(lastOf(form), 'And this')
      await page.reload()
      const frame = await framed()
      app.clock.advance(5000)
      await frame.click('#next')
      await frame.waitForSelector('#done:not([hidden])')
      expect(await sent(form)).toMatchObject([...answers, 'And this'])
    } finally {
      shop.close()
    }
  })

  test('and was cleared or changed stays so, with nothing else answered, until one starts over', async () => {
    const { form, query } = await filledForm()
    const at = (type: QuestionType) => `.type-${type}`
    const clear = (type: QuestionType) => page.click(`${at(type)} .clear`)
    await page.goto(`${app.url}/f/${form.launchCode}?${query}`)
    await ready(page)
    for (const type of ['choose_one', 'likert', 'likert_slider', 'nps', 'star_rating', 'binary'] as const)
      await clear(type)
    await page.selectOption(`${at('dropdown')} select`, { index: 0 })
    for (const option of ['Red', 'Blue']) await page.uncheck(`${at('choose_any')} [value=${option}]`)
    await page.click(`${at('multi_dropdown')} summary`)
    await page.locator(`${at('multi_dropdown')} :checked`).uncheck()
    await page
      .locator(`${at('textbox')} .text`)
      .first()
      .fill('')
    for (const type of ['numeric', 'date'] as const) await page.fill(`${at(type)} .text`, '')
    for (const end of ['from', 'to']) await page.fill(`${at('date_range')} [data-end=${end}]`, '')
    await page.fill('[data-field=email]', 'grace@acme.test')
    for (let times = 0; times < 2; times++) {
      await page.reload()
      await ready(page)
    }
    expect(await page.inputValue('[data-field=email]')).toBe('grace@acme.test')
    await page.fill('[data-field=email]', '')
    await page.reload()
    await ready(page)
    const blank = () =>
      page.evaluate(() => [
        document.querySelectorAll('input:checked').length,
        ...[...document.querySelectorAll<HTMLInputElement>('.text, select')].map(({ value }) => value),
      ])
    const left = await blank()
    expect([left[0], left.slice(1).join('')]).toEqual([0, ''])
    expect(await page.locator('.slider[data-untouched]').count()).toBe(1)
    await page.click('#start-over')
    await page.waitForFunction(() => document.querySelectorAll('input:checked').length > 0)
    expect(await page.inputValue('[data-field=email]')).toBe('ada@acme.test')
  })
})
