import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { createPublished, publishNew, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { everythingReacts } from '../support/forms/reacting.ts'
import { translate } from '../support/forms/translated.ts'
import { hasBrowser } from '../support/pages/browser.ts'
import { setUpPage } from '../support/pages/fixtures.ts'
import { expectThanks } from '../support/pages/pages.ts'
import { until } from '../support/patience.ts'

let app: TestApp
let acme: TestTenant
let page: Page
/** What went wrong in the page: errors and refused loads. */
let complaints: string[]
/** The parts of the page's script that were asked for, in order. */
let parts: string[]

const BESIDE = /\/assets\/(?!form)(\w+)\.js/

describe.skipIf(!hasBrowser)('the script of a form’s page comes in parts', () => {
  setUpPage((fixture) => ({ app, acme, page, complaints } = fixture))
  beforeEach(() => {
    parts = []
    page.on('request', (request) => parts.push(...(BESIDE.exec(request.url())?.slice(1) ?? [])))
  })

  async function open({ launchCode }: Pick<TestForm, 'launchCode'>): Promise<void> {
    await page.goto(`${app.url}/f/${launchCode}`)
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
  }
  /** Holds these parts back until what it returns is called. */
  async function hold(...names: string[]): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const name of names) {
      await page.route(`**/assets/${name}.js*`, async (route) => {
        await promise
        await route.continue()
      })
    }
    return resolve
  }
  const part = (name: string) => until(() => parts.includes(name))
  const responsesOf = async ({ id }: TestForm) => (await acme.get(`/v1/forms/${id}/responses?status=all`)).body.items
  const valuesOf = ({ answers }: { answers: { value: unknown }[] }) => answers.map(({ value }) => value)
  const order = () => page.locator('.ranking .label').allTextContents()

  test('a form of plain questions loads none', async () => {
    await open(await createPublished(acme, [questionBody('textbox'), questionBody('matrix'), questionBody('likert')]))
    await page.click('#next')
    await expectThanks(page)
    expect(parts).toEqual([])
  })

  test('what is far down comes as it comes near', async () => {
    await page.setViewportSize({ width: 390, height: 700 })
    await open(await publishNew(acme, { title: 'A form', active: true, ...everythingReacts() }))
    await page.locator('.step').nth(9).click()
    await page.locator('.type-signature').waitFor()
    // The browser has told by now what is near.
    await page.evaluate(() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then))))
    expect(parts.toSorted()).toEqual(['logic', 'payment'])
    await page.locator('.type-signature').scrollIntoViewIfNeeded()
    await part('signature')
    await page.waitForSelector('.type-signature:not([data-awaits])')
    expect(complaints).toEqual([])
  })

  test('what was pressed and typed before it has come counts', async () => {
    const form = await createPublished(acme, [
      questionBody('textbox', { required: true }),
      questionBody('ranking', { required: true }),
      questionBody('signature', { required: true }),
    ])
    const release = await hold('ranking', 'signature')
    await open(form)
    await page.locator('[data-move="1"]').first().click()
    await page.locator('li:last-child [data-move="-1"]').press('Enter')
    await page.fill('.type-textbox .text', 'Typed')
    await page.fill('.signature .text', 'Ada')
    await page.click('#next')
    await page.waitForSelector('#form.busy')
    expect([await order(), await responsesOf(form)]).toEqual([['First', 'Second', 'Third'], []])
    release()
    await expectThanks(page)
    const [response] = await responsesOf(form)
    expect([response.status, valuesOf(response)]).toMatchObject([
      'complete',
      ['Typed', ['Second', 'Third', 'First'], { contentType: 'image/png' }],
    ])
    expect(complaints).toEqual([])
  })

  test('files that were chosen and dropped before it has come are sent', async () => {
    const form = await createPublished(acme, [questionBody('file_upload', { fileUploadSlots: ['CV', 'Letter'] })])
    const release = await hold('files')
    await open(form)
    const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await page.locator('[type=file]').nth(1).setInputFiles(file)
    await page
      .locator('.drop')
      .first()
      .evaluate((drop) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['hello'], 'cv.txt'))
        drop.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      })
    release()
    await page.locator('.sent:visible').nth(1).waitFor()
    expect(await page.locator('.sent:visible .file-name').allTextContents()).toEqual([
      expect.stringMatching(/^cv.txt/),
      expect.stringMatching(/^letter.txt/),
    ])
  })

  test('another language that was asked for before it has come shows what was typed', async () => {
    const form = await createPublished(acme, [questionBody('textbox', { text: 'Why?' })])
    await translate(acme, form, 'de', { title: 'Umfrage' })
    const release = await hold('languages')
    await open(form)
    await page.fill('.text', 'So that')
    await page.getByRole('link', { name: 'Deutsch' }).click()
    expect(await page.locator('h1:visible').textContent()).toBe('Survey')
    release()
    await page.waitForSelector('html[lang=de] #next:enabled')
    expect([await page.locator('h1:visible').textContent(), await page.inputValue('.text')]).toEqual([
      'Umfrage',
      'So that',
    ])
  })

  test('going on later opens once it has come, which is when it is pressed', async () => {
    const form = await createPublished(acme, [questionBody('textbox')])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { later: true }))
    const release = await hold('later')
    await open(form)
    expect(parts).toEqual([])
    await page.fill('.text', 'So far')
    await page.click('#go-on-later')
    await part('later')
    expect(await page.locator('#later').isVisible()).toBe(false)
    release()
    await page.locator('#later').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('later-email')
    await page.click('#later [data-cancel]')
    await page.click('#go-on-later')
    await page.locator('#later').waitFor()
  })

  test('the part of the question that comes next is there before it shows', async () => {
    const form = await createPublished(acme, [questionBody('binary'), questionBody('ranking')])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { mode: 'step' }))
    await open(form)
    await page.locator('.type-ranking:not([data-awaits])').waitFor({ state: 'attached' })
    expect(parts).toEqual(['steps', 'ranking'])
  })

  test('without it nothing is sent, nothing lost, and the next try fetches it anew', async () => {
    const form = await createPublished(acme, [questionBody('textbox'), questionBody('signature', { required: true })])
    await page.route('**/assets/signature.js*', (route) => route.abort())
    await open(form)
    await page.fill('.type-textbox .text', 'Typed')
    await page.fill('.signature .text', 'Ada')
    await page.click('#next')
    await page.getByText('Your answers could not be sent').waitFor()
    expect(await responsesOf(form)).toEqual([])
    await page.unroute('**/assets/signature.js*')
    await page.click('#next')
    await expectThanks(page)
    expect(valuesOf((await responsesOf(form))[0])).toMatchObject(['Typed', { contentType: 'image/png' }])
  })

  test('one that the page cannot begin without is asked for by the page, which says so when it does not come', async () => {
    const form = await createPublished(acme, [questionBody('payment', { required: true })])
    await page.route('**/assets/payment.js*', (route) => route.abort())
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForFunction(() => document.readyState === 'complete')
    expect(await page.locator('#next').isDisabled()).toBe(true)
    expect(await page.locator('#stalled').count()).toBe(1)
    await page.unroute('**/assets/payment.js*')
    await open(form)
    expect(await page.locator('#stalled').count()).toBe(0)
  })
})
