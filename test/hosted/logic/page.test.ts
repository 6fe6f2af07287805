import { describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { FormSettings } from '../../../src/forms/settings/model.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { wordLists } from '../../../src/hosted/words/index.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { publishNew } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { everythingReacts } from '../../support/forms/reacting.ts'
import { hasBrowser, type openBrowser } from '../../support/pages/browser.ts'
import { setUpPage } from '../../support/pages/fixtures.ts'
import { expectThanks, press, tabTo, violations } from '../../support/pages/pages.ts'

/** What a page may weigh with all that it loads, compressed, in bytes. */
const BUDGET = 30_000

/** An id like those that are made in one millisecond, the same in every run. */
function sameId(at: number): string {
  const digits = new Bun.CryptoHasher('md5').update(String(at)).digest('hex')
  return `019ca8b6-1f2e-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`
}

const when = (...conditions: object[]) => ({ match: 'all', conditions })
const low = when({ question: 'SCORE', op: 'at_most', value: 6 })
const high = when({ question: 'SCORE', op: 'at_least', value: 9 })

const asks = {
  name: questionBody('textbox', { text: 'What are you called?', friendlyId: 'NAME' }),
  score: questionBody('nps', { text: 'How likely, {NAME}?', friendlyId: 'SCORE', required: true }),
  why: questionBody('textbox', { text: 'What went wrong?', friendlyId: 'WHY', required: true, showIf: low }),
  praise: questionBody('textbox', { text: 'What went well?', friendlyId: 'PRAISE', showIf: high }),
  call: questionBody('binary', { text: 'Shall we call you, {NAME}?', friendlyId: 'CALL' }),
}

/** A question that asks differently by a score, a page for the discontent, and a last one. */
const survey = {
  pages: [
    { title: 'About us', questions: [asks.name, asks.score, asks.why, asks.praise] },
    { title: 'We are sorry, {NAME}', showIf: low, questions: [asks.call] },
    { title: 'The end', questions: [questionBody('textbox', { text: 'Anything else?', friendlyId: 'ELSE' })] },
  ],
}

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page
/** What went wrong in the page: errors and refused loads. */
let complaints: string[]

describe.skipIf(!hasBrowser)('a form that reacts', () => {
  setUpPage((fixture) => ({ app, acme, browser, page, complaints } = fixture))

  interface Published {
    id: string
    address: string
    /** The selector of a question by its friendlyId. */
    at(friendlyId: string): string
  }

  async function published(form: object, settings: Partial<FormSettings> = {}): Promise<Published> {
    const { id, launchCode, pages } = await publishNew(acme, { title: 'A form', active: true, ...form }, settings)
    const questions = pages.flatMap(({ questions }: { questions: object[] }) => questions)
    const at = (friendlyId: string) =>
      `#q${questions.find((question: { friendlyId: string }) => question.friendlyId === friendlyId).id}`
    return { id, address: `${app.url}/f/${launchCode}`, at }
  }

  async function open(address: string, on = page): Promise<void> {
    await on.goto(address)
    await on.waitForSelector('#next:enabled')
    app.clock.advance(5000)
  }

  const score = ({ at }: Published, value: number) => page.click(`.step:has(${at('SCORE')}-0-${value})`)
  const asked = (on = page) => on.locator('.question:visible .asked-text').allTextContents()
  const numbers = () => page.locator('.question:visible .number').allTextContents()
  const text = (selector: string) => page.locator(selector).textContent()
  const progress = () => text('#progress-text')
  const focused = () => page.evaluate(() => document.activeElement?.id)
  const newest = async ({ id }: Published) => (await acme.get(`/v1/forms/${id}/responses?status=all`)).body.items[0]
  const valuesOf = ({ answers }: { answers: { value: unknown }[] }) =>
    answers.map(({ value }) => value).filter((value) => value !== null)

  test('what an answer brings in shows, is counted and read out, and the focus stays where it is', async () => {
    const form = await published(survey)
    await open(form.address)
    expect(await asked()).toEqual(['What are you called?', 'How likely, ?'])
    await page.focus(`${form.at('SCORE')}-0-6`)
    await press(page, 'Space')
    expect(await asked()).toEqual(['What are you called?', 'How likely, ?', 'What went wrong?'])
    expect(await numbers()).toEqual(['1', '2', '3'])
    expect(await text('#news')).toBe('One more question: What went wrong?')
    expect(await focused()).toBe(`${form.at('SCORE')}-0-6`.slice(1))
    await press(page, 'ArrowRight')
    expect([await asked(), await text('#news')]).toEqual([['What are you called?', 'How likely, ?'], ''])
    await press(page, 'ArrowRight', 'ArrowRight')
    expect([(await asked()).at(-1), await text('#news')]).toEqual([
      'What went well?',
      'One more question: What went well?',
    ])
    expect(await focused()).toBe(`${form.at('SCORE')}-0-9`.slice(1))
    await press(page, 'Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.question')?.id)).toBe(form.at('PRAISE').slice(1))
    expect(complaints).toEqual([])
  })

  test('what is not asked is neither checked nor sent, and comes back as it was typed', async () => {
    const form = await published(survey)
    await open(form.address)
    await score(form, 3)
    await page.click('#next')
    await page.waitForSelector(`${form.at('WHY')}.wrong`)
    expect(await text('#summary')).toBe('One answer needs your attention.')
    await page.fill(`${form.at('WHY')} .text`, 'It was cold')
    await score(form, 9)
    await page.fill(`${form.at('PRAISE')} .text`, 'The staff')
    await score(form, 3)
    expect(await page.inputValue(`${form.at('WHY')} .text`)).toBe('It was cold')
    await score(form, 9)
    expect(await page.inputValue(`${form.at('PRAISE')} .text`)).toBe('The staff')
    await page.click('#next')
    await page.waitForSelector('.page[data-page="2"]:not([hidden])')
    await page.click('#next')
    await expectThanks(page)
    const response = await newest(form)
    expect([response.status, valuesOf(response)]).toEqual(['complete', [9, 'The staff']])
  })

  test('an answer that is wrong once it is not asked holds nobody up, and counts as wrong no more', async () => {
    const form = await published(survey)
    await open(form.address)
    await score(form, 3)
    await page.click('#next')
    await page.waitForSelector(`${form.at('WHY')}.wrong`)
    await score(form, 8)
    expect(await text('#summary')).toBe('')
    await page.click('#next')
    await page.waitForSelector('.page[data-page="2"]:not([hidden])')
  })

  test('a page of which nothing is asked is passed over, both ways, and the progress counts those that come', async () => {
    const form = await published(survey)
    await open(form.address)
    expect(await progress()).toBe('Page 1 of 2')
    await page.fill(`${form.at('NAME')} .text`, 'Ada')
    await score(form, 8)
    await page.click('#next')
    await page.waitForSelector('.page[data-page="2"]:not([hidden])')
    expect([await progress(), await text('#next'), await numbers()]).toEqual(['Page 2 of 2', 'Send', ['3']])
    await page.click('#back')
    await page.waitForSelector('.page[data-page="0"]:not([hidden])')
    await score(form, 2)
    expect(await progress()).toBe('Page 1 of 3')
    await page.fill(`${form.at('WHY')} .text`, 'It was cold')
    await page.click('#next')
    await page.waitForSelector('.page[data-page="1"]:not([hidden])')
    expect([await progress(), await text('.title:visible'), await asked()]).toEqual([
      'Page 2 of 3',
      'We are sorry, Ada',
      ['Shall we call you, Ada?'],
    ])
    expect(await focused()).toBe('page-1')
  })

  test('one question at a time: what is not asked is no step, and a title stands at the first that is', async () => {
    const form = await published(
      {
        pages: [
          { questions: [asks.score] },
          {
            title: 'More',
            questions: [asks.why, asks.praise, questionBody('binary', { text: 'Again?', friendlyId: 'AGAIN' })],
          },
        ],
      },
      { mode: 'step' },
    )
    await open(form.address)
    expect([await asked(), await progress()]).toEqual([['How likely, {NAME}?'], 'Step 1 of 2'])
    await press(page, '9')
    expect(await progress()).toBe('Step 1 of 3')
    await press(page, 'Enter')
    await page.waitForSelector(`${form.at('PRAISE')}:not([hidden])`)
    expect([await asked(), await text('.title:visible'), await numbers()]).toEqual([['What went well?'], 'More', ['2']])
    expect(await page.getByRole('group', { name: /^More/ }).count()).toBe(1)
    await page.keyboard.type('The staff')
    await press(page, 'Shift+Enter')
    await page.waitForSelector(`${form.at('SCORE')}:not([hidden])`)
    await press(page, '8', 'Enter')
    await page.waitForSelector(`${form.at('AGAIN')}:not([hidden])`)
    expect([await asked(), await text('.title:visible'), await progress()]).toEqual([['Again?'], 'More', 'Step 2 of 2'])
    expect(await text('#next')).toBe('Send')
    await press(page, 'n', 'Enter')
    await expectThanks(page)
    expect(valuesOf(await newest(form))).toEqual([8, false])
    expect(complaints).toEqual([])
  })

  test('nothing flashes: the server has written what the script finds, with what came by the address too', async () => {
    const form = await published(
      {
        pages: [
          { questions: [asks.name, asks.score, asks.why, questionBody('textbox', { text: 'Hello {hidden.plan}' })] },
          { showIf: when({ hidden: 'plan', op: 'is', value: 'pro' }), questions: [asks.call] },
        ],
      },
      { hidden: ['plan'] },
    )
    await page.addInitScript(() => {
      const seen = window as unknown as { shifts: number }
      seen.shifts = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shifts += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const shown = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.question, .page, #progress-text, #next')].map((element) => [
          element.hidden,
          element.matches('.question') ? element.querySelector('.number')?.textContent : '',
          element.matches('.page') ? '' : (element.querySelector('.asked-text') ?? element).textContent,
        ]),
      )
    for (const query of ['', '?SCORE=4&NAME=Ada+%3Cb%3E&plan=pro', '?plan=<i>']) {
      const written = await (await fetch(form.address + query)).text()
      await page.setContent(written.replace(/<script[\s\S]*?<\/script>/g, ''))
      const before = await shown()
      await open(form.address + query)
      expect(await shown()).toEqual(before)
      expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBeLessThan(0.01)
    }
    await open(`${form.address}?SCORE=4&NAME=Ada+%3Cb%3E&plan=pro`)
    expect(await asked()).toEqual(['What are you called?', 'How likely, Ada <b>?', 'What went wrong?', 'Hello pro'])
    expect(await progress()).toBe('Page 1 of 2')
    expect(await page.locator('.asked-text b').count()).toBe(0)
  })

  test('what came with the address is that of whoever comes by it, and of nobody else', async () => {
    const form = await published({ pages: [{ questions: [asks.name, asks.score] }] })
    expect(await (await fetch(`${form.address}?NAME=Ada`)).text()).toContain('How likely, Ada?')
    expect(await (await fetch(`${form.address}?NAME=Bo`)).text()).toContain('How likely, Bo?')
    expect(await (await fetch(form.address)).text()).toContain('How likely, ?')
  })

  test('a reload goes on where it was, with what was asked by then', async () => {
    const form = await published(survey, { hidden: ['plan'] })
    await open(`${form.address}?plan=pro`)
    await score(form, 3)
    await page.fill(`${form.at('WHY')} .text`, 'It was cold')
    await page.click('#next')
    await page.waitForSelector('.page[data-page="1"]:not([hidden])')
    await open(form.address)
    expect([await asked(), await progress()]).toEqual([['Shall we call you, ?'], 'Page 2 of 3'])
    await page.click('#back')
    await page.waitForSelector('.page[data-page="0"]:not([hidden])')
    expect(await page.inputValue(`${form.at('WHY')} .text`)).toBe('It was cold')
  })

  test('hidden values are those that a response was begun with', async () => {
    const form = await published(
      {
        pages: [
          { questions: [asks.name] },
          { showIf: when({ hidden: 'plan', op: 'is', value: 'pro' }), questions: [asks.call] },
          { questions: [questionBody('textbox', { text: 'On {hidden.plan}' })] },
        ],
      },
      { hidden: ['plan'] },
    )
    await open(`${form.address}?plan=pro`)
    await page.click('#next')
    await page.waitForSelector('.page[data-page="1"]:not([hidden])')
    await open(form.address)
    expect([await asked(), await progress()]).toEqual([['Shall we call you, ?'], 'Page 2 of 3'])
    await page.click('#next')
    await page.waitForSelector('.page[data-page="2"]:not([hidden])')
    expect(await asked()).toEqual(['On pro'])
  })

  test('answers stand in texts as text, whatever was typed', async () => {
    const form = await published(
      {
        pages: [
          {
            title: 'For {NAME}',
            questions: [
              asks.name,
              questionBody('textbox', { text: '<b>{NAME}</b>, {SIZES} {UNKNOWN}?', friendlyId: 'X' }),
            ],
          },
          { questions: [questionBody('choose_any', { text: 'Which?', options: ['S', 'M & L'], friendlyId: 'SIZES' })] },
        ].reverse(),
      },
      { thanks: '<p>Bye, {NAME}!</p>' },
    )
    await open(form.address)
    for (const option of await page.locator('.option').all()) await option.click()
    await page.click('#next')
    await page.waitForSelector('.page[data-page="1"]:not([hidden])')
    await page.fill(`${form.at('NAME')} .text`, '<img src=x onerror=alert(1)> & {SIZES}')
    expect(await text('.title:visible')).toBe('For <img src=x onerror=alert(1)> & {SIZES}')
    expect((await asked()).at(-1)).toBe('<img src=x onerror=alert(1)> & {SIZES}, S, M & L {UNKNOWN}?')
    expect(await page.locator('form img').count()).toBe(0)
    await page.click('#next')
    await expectThanks(page)
    expect(await text('#thanks')).toBe('Bye, <img src=x onerror=alert(1)> & {SIZES}!')
    expect(await page.locator('#done img').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a price follows from what is asked, by variables', async () => {
    const form = await published({
      pages: [
        {
          questions: [
            questionBody('numeric', { text: 'Seats', friendlyId: 'SEATS' }),
            questionBody('binary', { text: 'With food?', friendlyId: 'FOOD' }),
            questionBody('numeric', {
              text: 'Meals',
              friendlyId: 'MEALS',
              showIf: when({ question: 'FOOD', op: 'is', value: true }),
            }),
            questionBody('payment', {
              text: '{TOTAL} euros',
              friendlyId: 'PAY',
              required: true,
              formula: '{TOTAL} * 100',
              currency: 'EUR',
              showIf: when({ variable: 'TOTAL', op: 'at_least', value: 1 }),
            }),
          ],
        },
      ],
      variables: [{ name: 'TOTAL', formula: '{SEATS} * 10 + {MEALS} * 5' }],
    })
    await open(form.address)
    const due = () => page.locator('#due:visible strong').allTextContents()
    expect([await asked(), await due()]).toEqual([['Seats', 'With food?'], []])
    await page.fill(`${form.at('SEATS')} .text`, '3')
    expect([(await asked()).at(-1), await due()]).toEqual(['30 euros', ['€30.00']])
    await page.click(`.side:has(${form.at('FOOD')}-true)`)
    await page.fill(`${form.at('MEALS')} .text`, '4')
    expect([(await asked()).at(-1), await due()]).toEqual(['50 euros', ['€50.00']])
    await page.click(`.side:has(${form.at('FOOD')}-false)`)
    expect([(await asked()).at(-1), await due()]).toEqual(['30 euros', ['€30.00']])
    await page.click('#next')
    await expectThanks(page)
    const { answers, variables } = await newest(form)
    expect([variables, answers.at(-1).value.amount]).toEqual([{ TOTAL: 30 }, 3000])
  })

  test('each end has its words or leads where it says, and without one the settings hold', async () => {
    const ends = [
      { showIf: low, thanks: '<p>Sorry, {NAME}.</p>' },
      { showIf: high, redirect: 'https://example.com/shop' },
    ]
    const form = await published(
      { pages: [{ questions: [asks.name, asks.score] }], ends },
      { thanks: '<p>Thanks, {NAME}.</p>' },
    )
    await page.route('https://example.com/**', (route) => route.fulfill({ body: 'the shop' }))
    for (const [value, said] of [
      [2, 'Sorry, Ada & Bo.'],
      [8, 'Thanks, Ada & Bo.'],
    ] as const) {
      await open(form.address)
      await page.fill(`${form.at('NAME')} .text`, 'Ada & Bo')
      await score(form, value)
      await page.click('#next')
      await expectThanks(page)
      expect(await text('#thanks')).toBe(said)
    }
    await open(form.address)
    await score(form, 10)
    await page.click('#next')
    await page.waitForURL(/^https:\/\/example\.com\/shop\?response=r_\w+$/)
  })

  test('without scripts all that may be asked can be read, and nothing seems to go on or send', async () => {
    const form = await published(survey, { mode: 'step' })
    const context = await (browser.context.browser() as Browser).newContext({ javaScriptEnabled: false })
    try {
      const plain = await context.newPage()
      await plain.goto(form.address)
      expect(await plain.locator('.question:visible').count()).toBe(6)
      expect(await plain.locator(':is(.progress, #next, #back, .keys):visible').count()).toBe(0)
    } finally {
      await context.close()
    }
  })

  test('the script for logic comes where a form has some, and all together stays light', async () => {
    const weight = async (address: string) => {
      const answer = await fetch(address, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
      expect(answer.headers.get('content-encoding')).toBe('gzip')
      return (await answer.arrayBuffer()).byteLength
    }
    /** With what is random in it always the same: else it takes some bytes more or less each time. */
    const weightOfPage = async ({ address }: Published) => {
      const code = address.slice(-8)
      const ids = new Map<string, string>()
      const alike = (id: string) => {
        if (!ids.has(id)) ids.set(id, sameId(ids.size))
        return ids.get(id) as string
      }
      const served = await (await fetch(address)).text()
      const written = served.replaceAll(code, 'k3Xw9QbT').replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, alike)
      const token = /data-token="([^"]*)"/.exec(written)?.[1] ?? ''
      return Bun.gzipSync(written.replace(token, 'mm7irhc0.irz3aNWqszoBV54BazArDmpBDYpfkIE_Wtmt-9RafOQ')).byteLength
    }
    const loaded = async (form: Published) => {
      const written = await (await fetch(form.address)).text()
      const names = [...written.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]*)"/g)].map(([, path]) => path as string)
      // As it is served, the page weighs within some bytes what it does here.
      expect(Math.abs((await weight(form.address)) - (await weightOfPage(form)))).toBeLessThan(100)
      const weights = await Promise.all([weightOfPage(form), ...names.map((name) => weight(app.url + name))])
      return {
        names: names.map((name) => name.replace(/\?.*/, '')),
        bytes: weights.reduce((sum, bytes) => sum + bytes),
      }
    }
    const plain = await loaded(await published({ questions: [asks.name] }))
    expect(plain.names).toEqual(['/f/assets/form.css', '/f/assets/form.js'])
    expect(plain.bytes).toBeLessThan(19_000)
    const reacts = await loaded(await published(survey))
    expect(reacts.names).toEqual(['/f/assets/form.css', '/f/assets/logic.js', '/f/assets/form.js'])
    expect(reacts.bytes).toBeLessThan(24_000)
    const everything = await published(everythingReacts(), { later: true })
    for (const language of Object.keys(wordLists)) {
      for (const mode of ['page', 'step'] as const) {
        await acme.perform((tx, caller) => changeSettings(tx, caller, everything.id, { language, mode }))
        expect({ language, mode, light: (await loaded(everything)).bytes < BUDGET }).toEqual({
          language,
          mode,
          light: true,
        })
      }
    }
  })

  test.each([
    ['light', 390],
    ['dark', 1440],
  ] as const)('axe finds no violation, before and after questions came in: %s, %d wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    const form = await published(survey)
    await open(form.address)
    expect(await violations(page)).toEqual([])
    await score(form, 3)
    await page.waitForSelector(`${form.at('WHY')}:not([hidden])`)
    expect(await violations(page)).toEqual([])
    await tabTo(page, '#next')
  })
})
