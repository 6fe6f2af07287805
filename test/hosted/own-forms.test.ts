import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { closeForm, reopenForm } from '../../src/forms/publishing.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../src/forms/settings/read.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { png } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hasBrowser, type openBrowser } from '../support/pages/browser.ts'
import { setUpPage } from '../support/pages/fixtures.ts'
import { expectThanks } from '../support/pages/pages.ts'

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page
/** What went wrong in the page: errors and refused loads. */
let complaints: string[]

describe.skipIf(!hasBrowser)('in a browser, a form with settings of its own', () => {
  setUpPage((fixture) => ({ app, acme, browser, page, complaints } = fixture))

  async function make(questions: object[], settings: SettingsChanges = {}): Promise<TestForm> {
    const form = await createPublished(acme, questions)
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, settings))
    return form
  }
  async function open(form: TestForm, query = '', on = page): Promise<void> {
    await on.goto(`${app.url}/f/${form.launchCode}${query}`)
    await on.waitForSelector('#next:enabled')
    app.clock.advance(5000)
  }
  /** Opens the form as who began that response in this browser. */
  async function continueWith(form: TestForm, response: object): Promise<void> {
    const kept = JSON.stringify({ response, pending: null, page: 0, inputs: {} })
    const entry = [`frontdesk /f/${form.launchCode}`, kept] as const
    await page.evaluate(([name, value]) => localStorage.setItem(name, value), entry)
    await open(form)
  }
  const responses = async ({ id }: TestForm) =>
    (await acme.get(`/v1/forms/${id}/responses?status=all`)).body.items as {
      status: string
      hiddenFields: object
      answers: { value: unknown }[]
    }[]

  test('fills in from its address what can be filled in, and keeps the hidden fields', async () => {
    const pair = { scales: [{ text: 'Low', opposingText: 'High' }] }
    const fields = ['first_name', 'email'].map((field) => ({ field, visible: true }))
    const asked: [object, string, unknown][] = [
      [questionBody('choose_one'), '=Blue', { selected: 'Blue', other: null }],
      [questionBody('dropdown'), '=Red', { selected: 'Red', other: null }],
      [questionBody('choose_any'), '=Green', { selected: ['Green'], other: null }],
      [questionBody('multi_dropdown'), '=Red', { selected: ['Red'], other: null }],
      [questionBody('likert', pair), '=4', [{ scale: 0, value: 4 }]],
      [questionBody('likert_slider', pair), '=5', [{ scale: 0, value: 5 }]],
      [questionBody('nps'), '=0', 0],
      [questionBody('binary'), '=false', false],
      [questionBody('star_rating'), '=3', 3],
      [questionBody('numeric'), '=2.5', 2.5],
      [questionBody('textbox'), '=%3Cb%3E', '<b>'],
      [questionBody('date'), '=2026-03-01', '2026-03-01'],
      [
        questionBody('contact_details', { contactFields: fields }),
        '.email=ada%40acme.test',
        { first_name: null, email: 'ada@acme.test' },
      ],
    ]
    const form = await make(
      asked.map(([question]) => question),
      { hidden: ['campaign'] },
    )
    const query = asked.map(([, said], index) => `q${form.questionIds[index]}${said}`).join('&')
    await open(form, `?${query}&campaign=${'spring'}`)
    expect(await page.isHidden('#resumed')).toBe(true)
    await page.click('#next')
    await expectThanks(page)
    const [response] = await responses(form)
    expect(response?.hiddenFields).toEqual({ campaign: 'spring' })
    expect(response?.answers.map(({ value }) => value)).toEqual(asked.map(([, , value]) => value))
  })

  test('lets what was filled in be changed, and what was typed wins over the address', async () => {
    const form = await make([questionBody('textbox')])
    const query = `?q${form.questionIds[0]}=from+the+link`
    await open(form, query)
    const text = page.locator('.question .text')
    expect(await text.inputValue()).toBe('from the link')
    await text.fill('typed')
    await open(form, query)
    expect(await text.inputValue()).toBe('typed')
    await page.click('#next')
    await expectThanks(page)
    expect((await responses(form))[0]?.answers[0]?.value).toBe('typed')
  })

  test('shows its logo and its colour, on light and on dark', async () => {
    const form = await make([questionBody('nps')], { logo: png, accent: '#ffff00', scheme: 'auto' })
    const colourIn = async (scheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme: scheme })
      await open(form)
      return page.$eval('html', (html) => getComputedStyle(html).getPropertyValue('--accent').trim())
    }
    const [light, dark] = [await colourIn('light'), await colourIn('dark')]
    expect([light, dark]).toEqual(['#707000', '#ffff00'])
    expect(await page.$eval('img.logo', (logo) => (logo as HTMLImageElement).naturalWidth)).toBe(1)
    expect(complaints).toEqual([])
  })

  test('can be always dark, whatever the device is', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    const background = async (scheme: string) => {
      await open(await make([questionBody('nps')], { scheme }))
      return page.$eval('.card', (card) => getComputedStyle(card).backgroundColor)
    }
    const [auto, light, dark] = [await background('auto'), await background('light'), await background('dark')]
    expect(auto).toBe(light)
    expect(dark).not.toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([await background('auto'), await background('light')]).toEqual([dark, light])
  })

  test('ends with its owner’s thanks, and goes on to another page that is told the response', async () => {
    const destination = Bun.serve({ port: 0, fetch: () => new Response('arrived') })
    await page.route('https://acme.test/**', (route) =>
      route.fulfill({ status: 302, headers: { location: destination.url.href } }),
    )
    const form = await make([questionBody('nps')], { thanks: '<b>Danke!</b>', redirect: 'https://acme.test/next?a=1' })
    await open(form)
    const request = page.waitForRequest('https://acme.test/**')
    await page.click('#next')
    const address = new URL((await request).url())
    const { items } = (await acme.get(`/v1/forms/${form.id}/responses`)).body
    expect([address.searchParams.get('a'), address.searchParams.get('response')]).toEqual(['1', items[0].id])
    await page.waitForURL(destination.url.href)
    await destination.stop(true)

    const plain = await make([questionBody('nps')], { thanks: '<b>Danke!</b>' })
    await open(plain)
    await page.click('#next')
    await expectThanks(page)
    expect(await page.textContent('#done .thanks')).toBe('Danke!')
  })

  test('closed while somebody types keeps what they typed, and can be finished once it is open again', async () => {
    const form = await make([questionBody('textbox')])
    await open(form)
    await page.locator('.question .text').fill('long thoughts')
    await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
    await page.click('#next')
    await page.waitForFunction(() => document.querySelector('#summary')?.textContent?.includes('closed'))
    expect(await page.locator('.question .text').inputValue()).toBe('long thoughts')
    await acme.perform((tx, caller) => reopenForm(tx, caller, form.id))
    await open(form)
    expect(await page.locator('.question .text').inputValue()).toBe('long thoughts')
    await page.click('#next')
    await expectThanks(page)
    expect((await responses(form))[0]?.answers[0]?.value).toBe('long thoughts')
  })

  test('closed between two pages goes on in the same response once it is open again', async () => {
    const form = await make([questionBody('textbox', { required: true })])
    const { body } = await app.request('POST', `/f/${form.launchCode}/responses`, {
      body: { answers: [{ questionId: form.questionIds[0], value: 'saved' }], complete: false },
    })
    await open(form)
    await continueWith(form, body)
    await page.locator('.question .text').fill('finished')
    await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
    await page.click('#next')
    await page.waitForFunction(() => document.querySelector('#summary')?.textContent?.includes('closed'))
    await acme.perform((tx, caller) => reopenForm(tx, caller, form.id))
    await page.click('#next')
    await expectThanks(page)
    expect((await responses(form)).map(({ status, answers }) => [status, answers[0]?.value])).toEqual([
      ['complete', 'finished'],
    ])
  })

  test('in two tabs on one response: the first completion stands, the other is told', async () => {
    const form = await make([questionBody('nps')])
    const { body } = await app.request('POST', `/f/${form.launchCode}/responses`, {
      body: { answers: [], complete: false },
    })
    await open(form)
    await continueWith(form, body)
    const other = await browser.context.newPage()
    await open(form, '', other)
    await page.check('[value="9"]')
    await page.click('#next')
    await expectThanks(page)
    await other.check('[value="1"]')
    await other.click('#next')
    await other.waitForSelector('#already-sent:not([hidden])')
    expect((await responses(form)).map(({ answers }) => answers[0]?.value)).toEqual([9])
  })
})
