import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type QuestionType, questionTypeNames } from '../../src/forms/question-types/index.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { createPublished, publishNew, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { inSteps } from '../support/forms/stepped.ts'
import { hasBrowser } from '../support/pages/browser.ts'
import { setUpPage } from '../support/pages/fixtures.ts'
import { everyPart, expectThanks, press, tabTo, violations } from '../support/pages/pages.ts'

/**
 * Has pages note when their layout shifts, and when a click was answered: with the frame after it. The browser's own word for
 * a shift that somebody asked for is half a second, which a busy machine takes to show it.
 */
async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as Seen
    Object.assign(seen, { shifts: [], clicks: [] })
    seen.observer = new PerformanceObserver((list) => seen.shifts.push(...list.getEntries()))
    seen.observer.observe({ type: 'layout-shift', buffered: true })
    const note = () => {
      const click = [performance.now(), Number.POSITIVE_INFINITY] as [number, number]
      seen.clicks.push(click)
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          click[1] = performance.now()
        }),
      )
    }
    addEventListener('click', note, true)
  })
}

interface Seen {
  shifts: PerformanceEntry[]
  /** From when to when what it changes is drawn. */
  clicks: [from: number, to: number][]
  observer: PerformanceObserver
}

/** The shifts since the page began: when those came that no click had asked for, and how many others there were. */
function shiftsOf(page: Page): Promise<{ unasked: number[]; asked: number }> {
  return page.evaluate(async () => {
    // All that has been drawn so far.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    const { shifts, clicks, observer } = window as unknown as Seen
    const times = [...shifts, ...observer.takeRecords()].map(({ startTime }) => startTime)
    const unasked = times.filter((time) => !clicks.some(([from, to]) => time >= from && time <= to))
    return { unasked, asked: times.length - unasked.length }
  })
}

let app: TestApp
let acme: TestTenant
let page: Page
/** What went wrong in the page: errors and refused loads. */
let complaints: string[]

describe.skipIf(!hasBrowser)('one question at a time', () => {
  setUpPage((fixture) => ({ app, acme, page, complaints } = fixture))

  async function open(form: Pick<TestForm, 'id' | 'launchCode'>): Promise<void> {
    await inSteps(acme, form)
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    await everyPart(page)
    app.clock.advance(5000)
  }
  const responsesOf = async (form: Pick<TestForm, 'id'>, status = 'all') =>
    (await acme.get(`/v1/forms/${form.id}/responses?status=${status}`)).body.items
  const valuesOf = ({ answers }: { answers: { value: unknown }[] }) => answers.map(({ value }) => value)
  const shown = () => page.locator('.question:visible').evaluateAll((all) => all.map(({ id }) => id))
  const progress = () => page.locator('#progress-text').textContent()
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.closest('.question, .title, .summary')?.id ?? document.activeElement?.id,
    )
  /** Digits as fast as fingers are, whatever else the machine does. */
  const typeAtOnce = (digits: string) =>
    page.evaluate((keys) => {
      for (const key of keys) {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      }
    }, digits)

  async function published(pages: object[]): Promise<TestForm> {
    const body = await publishNew(acme, { title: 'In steps', description: 'Short.', pages })
    const questionIds = body.pages.flatMap(({ questions }: { questions: { id: number }[] }) =>
      questions.map(({ id }) => id),
    )
    return { ...body, questionIds }
  }

  test('every type is answered by key, and Enter goes on', async () => {
    const type = (text: string) => () => page.keyboard.type(text)
    const answered: Record<QuestionType, { keys(): Promise<unknown>; read: unknown }> = {
      choose_one: { keys: () => press(page, 'b'), read: { selected: 'Blue', other: null } },
      // A select has keys of its own.
      dropdown: { keys: () => press(page, 'B'), read: { selected: 'Blue', other: null } },
      choose_any: { keys: () => press(page, 'a', 'b', 'c', 'b'), read: { selected: ['Red', 'Green'], other: null } },
      multi_dropdown: { keys: () => press(page, 'c'), read: { selected: ['Green'], other: null } },
      likert: { keys: () => press(page, '4'), read: [{ scale: 0, value: 4 }] },
      likert_slider: { keys: () => press(page, '2'), read: [{ scale: 0, value: 2 }] },
      nps: { keys: () => typeAtOnce('10'), read: 10 },
      binary: { keys: () => press(page, 'n'), read: false },
      star_rating: { keys: () => press(page, '3'), read: 3 },
      textbox: { keys: type('An 8 by A'), read: 'An 8 by A' },
      matrix: {
        keys: () => press(page, '3', 'Tab', '1'),
        read: [
          { row: 0, column: 2 },
          { row: 1, column: 0 },
        ],
      },
      ranking: {
        keys: () => press(page, 'Tab', 'Tab', 'Space', 'Space', 'Shift+Tab', 'Shift+Tab'),
        read: ['Second', 'Third', 'First'],
      },
      contact_details: {
        keys: async () => {
          await type('Ada')()
          await press(page, 'Tab')
          await type('ada@acme.test')()
        },
        read: { first_name: 'Ada', email: 'ada@acme.test' },
      },
      date: { keys: type('03012026'), read: '2026-03-01' },
      date_range: {
        keys: async () => {
          await type('03012026')()
          await tabTo(page, '[data-end=to]')
          await type('03052026')()
        },
        read: { from: '2026-03-01', to: '2026-03-05' },
      },
      numeric: { keys: type('2.5'), read: 2.5 },
      file_upload: {
        keys: async () => {
          await press(page, 'Tab', 'Enter')
          await page.waitForSelector('[data-slot="0"] .sent:not([hidden])')
        },
        read: [expect.objectContaining({ slot: 0, fileName: 'cv.txt', size: 5 })],
      },
      signature: {
        keys: () => press(page, 'Tab').then(type('Ada Lovelace')),
        read: expect.objectContaining({ contentType: 'image/png' }),
      },
      payment: { keys: () => press(page, 'a'), read: expect.objectContaining({ amount: 3000, currency: 'EUR' }) },
    }
    const form = await createPublished(
      acme,
      questionTypeNames.map((type) =>
        questionBody(type, { text: type, ...(type === 'payment' ? { amount: 3000, currency: 'EUR' } : {}) }),
      ),
    )
    page.on('filechooser', (chooser) =>
      chooser.setFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }),
    )
    await open(form)
    for (const [index, type] of questionTypeNames.entries()) {
      expect(await shown()).toEqual([`q${form.questionIds[index]}`])
      expect(await progress()).toBe(`Step ${index + 1} of 19`)
      await answered[type].keys()
      // On a button Enter presses it.
      if (await page.evaluate(() => document.activeElement?.matches('button, [type=file]'))) {
        while (!(await page.evaluate(() => document.activeElement?.matches('#next')))) await press(page, 'Tab')
      }
      await press(page, 'Enter')
      if (index < 18) expect(await focused()).toBe(`q${form.questionIds[index + 1]}`)
    }
    await expectThanks(page)
    const [response] = await responsesOf(form, 'complete')
    expect(
      Object.fromEntries(response.answers.map(({ type, value }: { type: string; value: unknown }) => [type, value])),
    ).toEqual(Object.fromEntries(questionTypeNames.map((type) => [type, answered[type].read])))
    expect(complaints).toEqual([])
  })

  test('a page is saved at its end, its title shows where it begins, and a reload goes on at the same question', async () => {
    const form = await published([
      { title: 'Welcome', questions: [questionBody('nps', { required: true }), questionBody('textbox', { rows: 3 })] },
      { title: 'Only a title', questions: [] },
      { title: 'The end', questions: [questionBody('choose_one'), questionBody('binary', { required: true })] },
    ])
    const [nps, text, one, binary] = form.questionIds.map((id) => `q${id}`) as [string, string, string, string]
    const titles = () => page.locator('.title:visible').allTextContents()
    await open(form)
    expect([await shown(), await titles(), await progress()]).toEqual([[nps], ['Welcome'], 'Step 1 of 5'])
    expect(await page.locator('#back').isVisible()).toBe(false)
    await press(page, 'Enter')
    expect([await shown(), await page.locator('.error:visible').textContent()]).toEqual([
      [nps],
      'Please answer this question.',
    ])
    await press(page, '7', 'Enter')
    expect([await shown(), await titles(), await focused()]).toEqual([[text], [], text])
    // In a text of several lines Enter and Shift+Enter are its own.
    await page.keyboard.type('A\nB')
    await press(page, 'Shift+Enter')
    await page.keyboard.type('C')
    expect([await shown(), await responsesOf(form)]).toEqual([[text], []])
    await press(page, 'Control+Enter')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    expect([await shown(), await titles(), await focused()]).toEqual([[], ['Only a title'], 'page-1'])
    const [partial] = await responsesOf(form)
    expect([partial.status, valuesOf(partial).slice(0, 2)]).toEqual(['partial', [7, 'A\nB\nC']])

    await press(page, 'Enter')
    await page.waitForSelector('[data-page="2"]:not([hidden])')
    expect([await shown(), await titles(), await focused()]).toEqual([[one], ['The end'], one])
    expect(await page.getByRole('group', { name: /^The end/ }).count()).toBe(1)
    await press(page, 'Enter')
    expect([await shown(), await titles()]).toEqual([[binary], []])
    await press(page, 'ArrowLeft')
    expect(await shown()).toEqual([one])
    await press(page, 'a', 'Shift+Enter', 'Shift+Enter')
    expect(await shown()).toEqual([text])
    await page.click('#back')
    expect([await shown(), await page.locator('.step :checked').inputValue()]).toEqual([[nps], '7'])
    await press(page, 'Enter', 'Control+Enter')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    await press(page, 'Enter')
    await page.waitForSelector('[data-page="2"]:not([hidden])')
    await press(page, 'Enter')
    expect(await shown()).toEqual([binary])

    await page.reload()
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
    expect([await shown(), await progress()]).toEqual([[binary], 'Step 5 of 5'])
    await press(page, 'y', 'Enter')
    await expectThanks(page)
    const responses = await responsesOf(form)
    expect(responses.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      [partial.id, 'complete'],
    ])
    expect(valuesOf(responses[0])).toEqual([7, 'A\nB\nC', { selected: 'Red', other: null }, true])
    expect(complaints).toEqual([])
  })

  test('keys mean nothing with a modifier, in a field or on a button, and Enter held down goes on once', async () => {
    const form = await createPublished(acme, [
      questionBody('choose_any', { otherText: 'Other' }),
      questionBody('nps', { required: true }),
      questionBody('likert', { scales: ['A', 'B'].map((text) => ({ text, opposingText: text })), scaleEnd: 7 }),
    ])
    await open(form)
    const checked = () => page.locator('.question:visible :checked').evaluateAll((all) => all.map(({ id }) => id))
    await press(page, 'Control+a', 'Alt+b')
    expect(await checked()).toEqual([])
    await press(page, 'd')
    await page.keyboard.type('abc')
    expect(await page.locator('.other').inputValue()).toBe('abc')
    expect(await checked()).toEqual([`q${form.questionIds[0]}-other`])
    await page.focus('#next')
    await press(page, 'a')
    expect(await checked()).toHaveLength(1)
    await page.keyboard.down('Enter')
    for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect([await shown(), await page.locator('.error:visible').count()]).toEqual([[`q${form.questionIds[1]}`], 0])
    await press(page, '3', 'Enter')
    // The scale that has the focus, and otherwise the first without an answer.
    await press(page, '2', 'Tab', '6')
    expect(await checked()).toEqual([`q${form.questionIds[2]}-0-2`, `q${form.questionIds[2]}-1-6`])
    await press(page, '9')
    expect(await checked()).toHaveLength(2)
  })

  test('what only the server can tell is shown at its question', async () => {
    const form = await createPublished(acme, [
      questionBody('numeric', { friendlyId: 'SEATS' }),
      questionBody('payment', { formula: '100 / {SEATS}', currency: 'EUR', required: true }),
      questionBody('nps'),
    ])
    await open(form)
    await page.keyboard.type('0')
    await press(page, 'Enter', 'Enter', 'Enter')
    await page.waitForSelector('.error:visible')
    expect([await shown(), await progress()]).toEqual([[`q${form.questionIds[1]}`], 'Step 2 of 3'])
    await press(page, 'Shift+Enter')
    expect(await page.locator('#summary').textContent()).toBe('')
    await page.fill('.type-numeric input', '4')
    await press(page, 'Enter', 'Enter', 'Enter')
    await expectThanks(page)
  })

  test('one page that shows whole goes on where steps were left, and the other way round', async () => {
    const form = await published([
      { title: null, questions: [questionBody('nps'), questionBody('textbox')] },
      { title: null, questions: [questionBody('nps'), questionBody('binary')] },
    ])
    await open(form)
    await press(page, '7', 'Enter')
    await page.keyboard.type('So')
    await press(page, 'Enter')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    await press(page, '3', 'Enter')
    await inSteps(acme, form, 'page')
    await page.reload()
    await page.waitForSelector('#next:enabled')
    expect([await shown(), await progress()]).toEqual([form.questionIds.slice(2).map((id) => `q${id}`), 'Page 2 of 2'])
    await page.click('#back')
    await inSteps(acme, form)
    await page.reload()
    await page.waitForSelector('#next:enabled')
    expect([await shown(), await progress()]).toEqual([[`q${form.questionIds[0]}`], 'Step 1 of 4'])
    expect((await responsesOf(form)).length).toBe(1)
  })

  test.each([
    ['light', 320],
    ['dark', 1100],
  ] as const)(
    'axe finds no violation, before and after a mistake, and nothing moves: %s, %d wide',
    async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await countShifts(page)
      const types = questionTypeNames.map((type) =>
        questionBody(type, {
          text: `About <b>${type}</b>`,
          ...(/^choose|dropdown/.test(type) ? { otherText: 'Other' } : {}),
          ...(type === 'payment' ? { amount: 3000, currency: 'EUR' } : {}),
        }),
      )
      await open(await createPublished(acme, [...types, questionBody('textbox', { rows: 3, required: true })]))
      const buttonAt = () => page.locator('#next').evaluate((next) => Math.round(next.getBoundingClientRect().bottom))
      const place = await buttonAt()
      for (let step = 0; step < 20; step += 1) {
        // Every step in one look; in the other some, since the page of all questions is gone through in each.
        const isSearched = (colorScheme === 'light' && width === 320) || step % 4 === 0
        if (isSearched) expect([step, await violations(page)]).toEqual([step, []])
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
        if (width === 320) expect([step, await buttonAt()]).toEqual([step, place])
        await page.click('#next')
      }
      expect(await page.locator('.error:visible').count()).toBe(1)
      expect(await violations(page)).toEqual([])
      const { unasked, asked } = await shiftsOf(page)
      expect(unasked).toEqual([])
      expect(asked).toBeGreaterThan(0)
    },
  )
})
