import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { questionTypeNames } from '../../src/forms/question-types/index.ts'
import { wordLists } from '../../src/hosted/words/index.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { openIn } from '../support/forms/languages.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { expectThanks, press, tabTo, violations } from '../support/pages/pages.ts'

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page

/** What a form says itself, in no language: whatever else shows in Latin letters is ours. */
const OWN = '42'
const own: Record<string, object> = {
  choose_one: { options: ['1', '2'], otherText: OWN },
  choose_any: { options: ['1', '2', '3'], otherText: OWN, minSelections: 1, maxSelections: 2 },
  dropdown: { options: ['1', '2'], otherText: OWN },
  multi_dropdown: { options: ['1', '2', '3'], otherText: OWN, minSelections: 2 },
  matrix: { rowHeadings: ['1', '2'], columnHeadings: ['3', '4'] },
  ranking: { rankOptions: ['1', '2', '3'] },
  file_upload: { fileUploadSlots: ['1', '2'] },
  payment: { amount: 123_450, currency: 'EUR' },
}
const fields = ['first_name', 'last_name', 'company', 'address_line_1', 'address_line_2', 'city', 'state', 'zip_code']
const contactFields = [...fields, 'country', 'email', 'phone_number'].map((field) => ({ field, visible: true }))

const everyType = (more: object = {}) => [
  ...questionTypeNames.map((type) => questionBody(type, { text: OWN, ...own[type], ...more })),
  ...['url', 'integer', 'letters'].map((inputLimitation) => questionBody('textbox', { text: OWN, inputLimitation })),
  questionBody('contact_details', { text: OWN, contactFields }),
]

/** Everything in a page that is read or read out. */
const said = () =>
  page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node.textContent ?? '')
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt', 'data-none', 'data-how'])
        texts.push(element.getAttribute(name) ?? '')
    // What stands in for scripts is text to a browser that runs them.
    return texts.map((text) => text.replace(/<[^>]*>/g, '').trim()).filter((text) => text !== '')
  })

const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** Opens every part that can be opened, and makes every mistake that can be made. */
async function showEverything(): Promise<void> {
  await page.click('#next')
  await page.waitForSelector('.error:visible')
  await page.locator('summary').click()
  for (const type of ['choose_one', 'choose_any']) await page.locator(`.type-${type} [data-other]`).check()
  for (const radio of ['likert', 'nps', 'binary', 'star_rating', 'matrix'])
    await page.locator(`.type-${radio} [type=radio]`).first().check({ force: true })
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    acme = await app.createTenant('Acme')
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
  beforeEach(async () => {
    page = await browser.context.newPage()
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })
  afterEach(() => page.close())

  describe.each([
    ['de', 'ltr'],
    ['ja', 'ltr'],
    ['ar', 'rtl'],
  ] as const)('a form in %s', (language, direction) => {
    let form: TestForm
    beforeAll(async () => {
      form = await createPublished(acme, everyType({ required: true }), OWN)
    })

    test('says so, and says everything in its words, with mistakes and without', async () => {
      await openIn(page, app, acme, form, language)
      const { lang, dir } = await page.evaluate(() => {
        const { lang, dir } = document.documentElement
        return { lang, dir }
      })
      expect([lang, dir]).toEqual([language, direction])
      const untouched = await said()
      await page.click('#next')
      const mistaken = await said()
      await showEverything()
      const texts = [...untouched, ...mistaken, ...(await said())]
      const words = wordLists[language] as (typeof wordLists)[string]
      for (const sentence of [
        'answerThis',
        'chooseOnScales',
        'moveSliders',
        'chooseInRows',
        'addFiles',
        'sign',
      ] as const)
        expect(texts).toContain(words[sentence] as string)
      const english = Object.entries(wordLists.en ?? {}).flatMap(([key, sentence]) =>
        JSON.stringify(words[key as keyof typeof words]) === JSON.stringify(sentence)
          ? []
          : Object.values(typeof sentence === 'string' ? { sentence } : sentence),
      )
      // A word is recognised with its places filled in.
      const patterns = english.map(
        (sentence) =>
          new RegExp(`^${RegExp.escape(sentence).replace(/\\\{\w+\\\}/g, '.+')}$`.replace('^.+', '^[^A-Za-z]+')),
      )
      expect(texts.filter((text) => patterns.some((pattern) => pattern.test(text)))).toEqual([])
      const foreign = language === 'de' ? [] : texts.map((text) => text.replace(/JavaScript|example\.com|Acme/g, ''))
      // Sizes are named as the language does.
      expect(foreign.filter((text) => /[a-z]{2,}/i.test(text.replace(/\d+\s?MB/g, '')))).toEqual([])
    })

    test.each([
      ['light', 1280, 1],
      ['dark', 320, 1],
      ['light', 1280, 2],
    ] as const)(
      'has no violation that axe finds, and nothing that runs out of the page: %s, %d wide, %d times as large',
      async (colorScheme, width, zoom) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        // At 200 % a window has half as many pixels of CSS.
        await page.setViewportSize({ width: width / zoom, height: 900 / zoom })
        await openIn(page, app, acme, form, language)
        expect(await overflow()).toBe(0)
        await showEverything()
        expect(await overflow()).toBe(0)
        // Twice as large it is the page of half the width.
        if (zoom === 1) expect(await violations(page)).toEqual([])
        // Letters twice as large, and nothing else: as a browser set to large text.
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '32px'
        })
        expect(await overflow()).toBe(0)
      },
    )
  })

  test('from right to left, the keys go where their arrows point', async () => {
    const types = ['likert_slider', 'star_rating', 'nps', 'binary', 'matrix', 'ranking'] as const
    const form = await createPublished(
      acme,
      types.map((type) => questionBody(type, own[type])),
    )
    await openIn(page, app, acme, form, 'ar')
    const at = (index: number, selector: string) => tabTo(page, `#q${form.questionIds[index]} ${selector}`)
    const x = (index: number, selector: string) =>
      page
        .locator(`#q${form.questionIds[index]} ${selector}`)
        .boundingBox()
        .then((box) => box?.x ?? 0)
    await at(0, '[type=range]')
    await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowRight')
    expect(await page.locator('output').textContent()).toBe('4')
    await at(1, 'input')
    await press(page, 'Space', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowDown')
    await at(2, 'input')
    await press(page, 'Space', 'ArrowRight', 'ArrowUp', 'ArrowLeft')
    await at(3, 'input')
    await press(page, 'Space', 'ArrowLeft')
    await at(4, '[data-row="0"] input')
    await press(page, 'Space', 'ArrowLeft')
    await at(5, 'li:first-child [data-move="1"]')
    await press(page, 'Enter')
    expect(await page.locator('.type-ranking [role=status]').textContent()).toContain('2 من 3')
    // What is lowest, first and yes stands on the right; the arrow of a ranking goes down all the same.
    expect(await x(1, 'label:nth-child(1)')).toBeGreaterThan(await x(1, 'label:nth-child(5)'))
    expect(await x(2, '.step:nth-child(1)')).toBeGreaterThan(await x(2, '.step:nth-child(11)'))
    expect(await x(3, '.side:nth-child(1)')).toBeGreaterThan(await x(3, '.side:nth-child(2)'))
    await page.click('#next')
    await expectThanks(page)
    const { items } = (await acme.get(`/v1/forms/${form.id}/responses?status=complete`)).body
    expect(items[0].answers.map(({ value }: { value: unknown }) => value)).toEqual([
      [{ scale: 0, value: 4 }],
      3,
      10,
      false,
      [{ row: 0, column: 1 }],
      ['2', '1', '3'],
    ])
  })

  test('from left to right, the keys are the browser’s own', async () => {
    const form = await createPublished(acme, [questionBody('star_rating'), questionBody('likert_slider')])
    await openIn(page, app, acme, form, 'de')
    await tabTo(page, '[type=radio]')
    await press(page, 'Space', 'ArrowRight', 'ArrowRight', 'ArrowLeft')
    expect(await page.locator('[type=radio]:checked').getAttribute('value')).toBe('2')
    await tabTo(page, '[type=range]')
    await press(page, 'ArrowRight')
    expect(await page.locator('output').textContent()).toBe('4')
  })

  test('numbers and addresses are taken as the keyboards of a language write them', async () => {
    const limited = ['integer', 'telephone', 'email', 'letters', null]
    const form = await createPublished(acme, [
      ...limited.map((inputLimitation) => questionBody('textbox', { inputLimitation })),
      questionBody('contact_details', { contactFields }),
    ])
    await openIn(page, app, acme, form, 'ja')
    const typed = ['\u0664\u0662', '０３－１２３４－\u06f5\u06f6', 'ada＠acme．test', 'Ａda', '４２']
    for (const [index, text] of typed.entries()) await page.locator('.type-textbox input').nth(index).fill(text)
    await page.fill('[data-field=phone_number]', '（０３）１２３４')
    await page.fill('[data-field=city]', '４２')
    await page.click('#next')
    await expectThanks(page)
    const { items } = (await acme.get(`/v1/forms/${form.id}/responses?status=complete`)).body
    expect(items[0].answers.map(({ value }: { value: unknown }) => value)).toEqual([
      '42',
      '03-1234-56',
      'ada@acme.test',
      'Ａda',
      '４２',
      expect.objectContaining({ phone_number: '(03)1234', city: '４２' }),
    ])
  })

  test('what the server refuses is said in the words of the form', async () => {
    const form = await createPublished(acme, [
      questionBody('numeric', { friendlyId: 'SEATS' }),
      questionBody('payment', { formula: '100 / {SEATS}', currency: 'EUR', required: true }),
      questionBody('textbox'),
    ])
    await openIn(page, app, acme, form, 'de')
    const refuseWith = (message: string, told: object = {}) =>
      page.route('**/responses', (route) =>
        route.fulfill({ status: 400, json: { error: 'invalid_request', message, ...told } }),
      )
    await page.fill('.type-numeric input', '0')
    await page.click('#next')
    await page.waitForSelector('.type-payment .error:visible')
    expect(await page.locator('.type-payment .error').textContent()).toBe(wordLists.de?.amountUnknown as string)
    await page.fill('.type-numeric input', '8')
    expect(await page.locator('.type-payment .amount').textContent()).toBe('0,13\u00a0€')
    const place = `answers[2] (question ${form.questionIds[2]})`
    await refuseWith(`${place}: must not be what it is`, { place, word: 'checkAnswer' })
    await page.click('#next')
    await page.waitForSelector('.type-textbox .error:visible')
    expect(await page.locator('.type-textbox .error').textContent()).toBe(wordLists.de?.checkAnswer as string)
    await page.unroute('**/responses')
    await page.fill('.type-textbox input', 'mended')
    await refuseWith('answers: must be an array')
    await page.click('#next')
    await page.waitForFunction(
      (text) => document.querySelector('#summary')?.textContent === text,
      wordLists.de?.answersRefused as string,
    )
  })
})
