import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishForm } from '../../src/forms/publishing.ts'
import { type QuestionType, questionTypeNames } from '../../src/forms/question-types/index.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hasBrowser } from '../support/pages/browser.ts'
import { setUpPage } from '../support/pages/fixtures.ts'
import { hostileHtml } from '../support/pages/hostile-html.ts'
import { everyPart, expectThanks, press, tabTo, violations } from '../support/pages/pages.ts'

let app: TestApp
let acme: TestTenant
let page: Page
/** What went wrong in the page: errors, refused loads, alerts. */
let complaints: string[]

describe.skipIf(!hasBrowser)('in a browser', () => {
  setUpPage((fixture) => ({ app, acme, page, complaints } = fixture))
  beforeEach(() => {
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      dialog.dismiss()
    })
  })

  /** Opens a form, as somebody who takes their time over it. */
  async function open(form: TestForm): Promise<void> {
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    await everyPart(page)
    app.clock.advance(5000)
  }
  const responsesOf = async (form: TestForm, status = 'all') =>
    (await acme.get(`/v1/forms/${form.id}/responses?status=${status}`)).body.items
  const valuesOf = ({ answers }: { answers: { value: unknown }[] }) => answers.map(({ value }) => value)
  const inQuestion = (form: TestForm, index: number, selector: string) => `#q${form.questionIds[index]} ${selector}`

  test('every type is filled in by keyboard alone, sent, and read back', async () => {
    const filled: Record<
      QuestionType,
      { keys(at: (selector: string) => Promise<void>): Promise<void>; read: unknown }
    > = {
      choose_one: {
        keys: (at) => at('input').then(() => press(page, 'Space', 'ArrowDown')),
        read: { selected: 'Blue', other: null },
      },
      dropdown: { keys: (at) => at('select').then(() => press(page, 'B')), read: { selected: 'Blue', other: null } },
      choose_any: {
        keys: (at) => at('input').then(() => press(page, 'Space', 'Tab', 'Tab', 'Space')),
        read: { selected: ['Red', 'Green'], other: null },
      },
      multi_dropdown: {
        keys: (at) => at('summary').then(() => press(page, 'Enter', 'Tab', 'Space', 'Escape')),
        read: { selected: ['Red'], other: null },
      },
      likert: {
        keys: (at) => at('input').then(() => press(page, 'Space', 'ArrowRight', 'ArrowRight', 'ArrowRight')),
        read: [{ scale: 0, value: 4 }],
      },
      likert_slider: {
        keys: (at) => at('[type=range]').then(() => press(page, 'Enter')),
        read: [{ scale: 0, value: 3 }],
      },
      nps: { keys: (at) => at('input').then(() => press(page, 'Space', 'ArrowRight', 'ArrowRight')), read: 2 },
      binary: { keys: (at) => at('input').then(() => press(page, 'Space', 'ArrowRight')), read: false },
      star_rating: { keys: (at) => at('input').then(() => press(page, 'Space', 'ArrowRight')), read: 2 },
      textbox: { keys: (at) => at('input').then(() => page.keyboard.type('It <b>works</b>')), read: 'It <b>works</b>' },
      matrix: {
        keys: async (at) => {
          await at('[data-row="0"] input').then(() => press(page, 'Space', 'ArrowRight', 'ArrowRight'))
          await at('[data-row="1"] input').then(() => press(page, 'Space'))
        },
        read: [
          { row: 0, column: 2 },
          { row: 1, column: 0 },
        ],
      },
      ranking: {
        keys: (at) => at('li:first-child [data-move="1"]').then(() => press(page, 'Enter', 'Space')),
        read: ['Second', 'Third', 'First'],
      },
      contact_details: {
        keys: async (at) => {
          await at('[data-field=first_name]').then(() => page.keyboard.type('Ada'))
          await at('[data-field=email]').then(() => page.keyboard.type('ada@acme.test'))
        },
        read: { first_name: 'Ada', email: 'ada@acme.test' },
      },
      date: { keys: (at) => at('input').then(() => page.keyboard.type('03012026')), read: '2026-03-01' },
      date_range: {
        keys: async (at) => {
          await at('[data-end=from]').then(() => page.keyboard.type('03012026'))
          await at('[data-end=to]').then(() => page.keyboard.type('03052026'))
        },
        read: { from: '2026-03-01', to: '2026-03-05' },
      },
      numeric: { keys: (at) => at('input').then(() => page.keyboard.type('2.5')), read: 2.5 },
      file_upload: {
        keys: async (at) => {
          await at('[data-slot="1"] [type=file]')
          const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Enter')])
          await chooser.setFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
          await page.waitForSelector('[data-slot="1"] .sent:not([hidden])')
        },
        read: [
          {
            slot: 1,
            fileName: 'cv.txt',
            contentType: 'text/plain',
            size: 5,
            url: expect.stringContaining('/v1/uploads/'),
          },
        ],
      },
      signature: {
        keys: (at) => at('[type=text]').then(() => page.keyboard.type('Ada Lovelace')),
        read: { contentType: 'image/png', size: expect.any(Number), url: expect.stringContaining('/v1/uploads/') },
      },
      payment: {
        keys: (at) => at('input').then(() => press(page, 'Space')),
        read: { amount: 3000, currency: 'EUR', status: 'pending', reference: null },
      },
    }
    const questions = questionTypeNames.map((type) =>
      questionBody(type, { text: type, ...(type === 'payment' ? { amount: 3000, currency: 'EUR' } : {}) }),
    )
    const form = await createPublished(acme, questions)
    page.on('filechooser', (chooser) =>
      chooser.setFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }),
    )
    await open(form)
    for (const [index, type] of questionTypeNames.entries()) {
      await filled[type].keys((selector) => tabTo(page, inQuestion(form, index, selector)))
    }
    await tabTo(page, '#next')
    await press(page, 'Enter')
    await expectThanks(page)
    const [response] = await responsesOf(form, 'complete')
    expect(
      Object.fromEntries(response.answers.map(({ type, value }: { type: string; value: unknown }) => [type, value])),
    ).toEqual(Object.fromEntries(questionTypeNames.map((type) => [type, filled[type].read])))
    const picture = await fetch(app.url + response.answers[17].value.url, {
      headers: { authorization: `Bearer ${acme.key}` },
    })
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(complaints).toEqual([])
  })

  describe('axe finds no violation', () => {
    const looks = [
      ['light', 360],
      ['dark', 1100],
    ] as const

    test.each(looks)('on any type, before and after mistakes: %s, %d wide', async (colorScheme, width) => {
      const questions = questionTypeNames.map((type) =>
        questionBody(type, {
          text: `About <b>${type}</b>`,
          required: true,
          ...(/^choose|dropdown/.test(type) ? { otherText: 'Other' } : {}),
          ...(type === 'payment' ? { amount: 3000, currency: 'EUR' } : {}),
        }),
      )
      const form = await createPublished(acme, [
        ...questions,
        questionBody('payment'),
        questionBody('textbox', { rows: 3 }),
      ])
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await open(form)
      expect(await violations(page)).toEqual([])
      await page.click('#next')
      expect(await page.locator('.error:visible').count()).toBe(18)
      for (const radio of ['choose_one', 'likert', 'nps', 'binary', 'star_rating', 'matrix'])
        await page.locator(`.type-${radio} [type=radio]`).first().check({ force: true })
      await page.locator('summary').click()
      await page.locator('.type-choose_any [data-other]').check()
      expect(await violations(page)).toEqual([])
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      expect(overflows).toBe(false)
    })

    test('on the last page, and where no form collects', async () => {
      await open(await createPublished(acme, [questionBody('textbox')]))
      await page.click('#next')
      await expectThanks(page)
      expect(await violations(page)).toEqual([])
      await page.goto(`${app.url}/f/AAAAAAAA`)
      expect(await violations(page)).toEqual([])
    })
  })

  test('hostile texts run nowhere: titles, texts, options, labels, answers', async () => {
    expect(hostileHtml.length).toBeGreaterThanOrEqual(100)
    const label = (text: string, index: number) => `${index} ${text}`.slice(0, 200)
    const labels = hostileHtml.map(label)
    const some = (from: number, count: number) => labels.slice(from, from + count)
    const pages = [
      ...hostileHtml.slice(0, 120).map((text) => ({ title: text.slice(0, 255), questions: [] })),
      {
        questions: [
          ...hostileHtml.slice(0, 150).map((text) => questionBody('nps', { text })),
          questionBody('choose_one', { options: labels, otherText: labels[0] }),
          questionBody('dropdown', { options: labels, otherText: labels[1] }),
          questionBody('multi_dropdown', { options: labels }),
          questionBody('likert', { scales: some(0, 90).map((text) => ({ text, opposingText: text })) }),
          questionBody('likert_slider', { scales: some(0, 90).map((text) => ({ text, opposingText: text })) }),
          ...some(0, 20).map((text) => questionBody('binary', { trueLabel: text, falseLabel: text })),
          questionBody('matrix', { rowHeadings: some(0, 90), columnHeadings: some(30, 5) }),
          questionBody('ranking', { rankOptions: some(0, 90) }),
          questionBody('file_upload', { fileUploadSlots: some(0, 50) }),
          questionBody('date', { datePlaceholder: labels[5] }),
          questionBody('textbox', { rows: 3 }),
        ],
      },
    ]
    const { status, body } = await acme.post('/v1/forms', {
      title: hostileHtml[0],
      description: hostileHtml.join(' ').slice(0, 10_000),
      pages,
    })
    expect([status, body.message]).toEqual([201, undefined])
    await acme.perform((tx, caller) => publishForm(tx, caller, body.id))
    await page.addInitScript(() => {
      const global = window as unknown as { ran: unknown[] }
      global.ran = []
      for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox'])
        Object.defineProperty(window, name, { value: (text: unknown) => global.ran.push(text) })
    })
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(`${app.url}/f/${body.launchCode}`)
    await page.evaluate(() => {
      for (const hidden of document.querySelectorAll('.page')) (hidden as HTMLElement).hidden = false
      for (const details of document.querySelectorAll('details')) details.open = true
      for (const element of document.querySelectorAll('main *'))
        for (const name of ['mouseover', 'mouseenter', 'pointerover', 'focus', 'focusin', 'toggle', 'animationstart'])
          element.dispatchEvent(new Event(name, { bubbles: true }))
      for (const link of document.querySelectorAll<HTMLAnchorElement>('main a[href]')) {
        if (!/^(https?|mailto):$/.test(link.protocol)) throw new Error(link.href)
      }
    })
    // What is typed in comes back after a reload, and is text then too.
    await page.fill('textarea', hostileHtml.join('\n').slice(0, 9_000))
    await page.locator('.type-ranking [data-move="1"]').first().click()
    await page.locator('.type-multi_dropdown summary').click()
    await page.locator('.type-multi_dropdown .option').nth(9).click()
    await page.reload()
    await page.waitForFunction(
      () => (document.querySelector('.type-multi_dropdown .picked')?.textContent ?? '').length > 9,
    )
    expect(await page.evaluate('window.ran')).toEqual([])
    expect(requested.filter((url) => !url.startsWith(app.url))).toEqual([])
    expect(complaints).toEqual([])
  })

  const twoPages = async () => {
    const { body } = await acme.post('/v1/forms', {
      title: 'Two pages',
      pages: [
        {
          title: 'First',
          questions: [questionBody('nps', { required: true }), questionBody('ranking'), questionBody('signature')],
        },
        { title: 'Second', questions: [questionBody('textbox', { required: true, inputLimitation: 'email' })] },
      ],
    })
    await acme.perform((tx, caller) => publishForm(tx, caller, body.id))
    const questionIds = body.pages.flatMap(({ questions }: { questions: { id: number }[] }) =>
      questions.map(({ id }) => id),
    )
    return { ...body, questionIds } as TestForm
  }

  test('a page is saved before the next, a reload goes on from there, and one response is made of it all', async () => {
    const form = await twoPages()
    await open(form)
    await page.click('#next')
    expect(await page.locator('.error:visible').textContent()).toBe('Please answer this question.')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`q${form.questionIds[0]}-0-0`)
    expect(await responsesOf(form)).toEqual([])

    await page.locator('.step').nth(7).click()
    await page.locator('[data-move="1"]').first().click()
    await page.fill('.signature [type=text]', 'Ada')
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    expect(await page.locator('#progress-text').textContent()).toBe('Page 2 of 2')
    const [partial] = await responsesOf(form)
    expect([partial.status, valuesOf(partial).slice(0, 2)]).toEqual(['partial', [7, ['Second', 'First', 'Third']]])

    await page.fill('.type-textbox input', 'ada@')
    await page.reload()
    app.clock.advance(5000)
    expect(await page.locator('#resumed').isVisible()).toBe(true)
    expect(await page.inputValue('.type-textbox input')).toBe('ada@')
    await page.click('#next')
    expect(await page.locator('.error:visible').textContent()).toBe('This must be an email address.')
    await page.click('#back')
    expect(await page.locator('.step :checked').inputValue()).toBe('7')
    await everyPart(page)
    expect(await page.locator('.ranking .label').allTextContents()).toEqual(['Second', 'First', 'Third'])
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    await page.fill('.type-textbox input', 'ada@acme.test')
    await page.keyboard.press('Enter')
    await expectThanks(page)
    const responses = await responsesOf(form)
    expect([responses.length, responses[0].id, responses[0].status]).toEqual([1, partial.id, 'complete'])
    await page.reload()
    expect(await page.locator('#resumed').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('a reload keeps a zero, which is an answer as any: a number, a text, and the start of a slider', async () => {
    const form = await createPublished(acme, [
      questionBody('numeric'),
      questionBody('textbox'),
      questionBody('likert_slider', { scaleStart: 0, scaleEnd: 10 }),
    ])
    await open(form)
    await page.fill('.type-numeric .text', '0')
    await page.fill('.type-textbox .text', '0')
    await page.focus('[type=range]')
    await page.keyboard.press('Home')
    await page.reload()
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
    expect(await page.locator('.slider output').textContent()).toBe('0')
    await page.click('#next')
    await expectThanks(page)
    const [response] = await responsesOf(form)
    expect(valuesOf(response)).toEqual([0, '0', [{ scale: 0, value: 0 }]])
  })

  test('who comes back finds what they chose, wherever it stands by then; what is not offered any more is not chosen', async () => {
    const types = ['choose_one', 'choose_any', 'dropdown', 'multi_dropdown', 'dropdown', 'choose_one'] as const
    const form = await createPublished(
      acme,
      types.map((type) => questionBody(type, { otherText: 'Another' })),
    )
    await open(form)
    await page.check(inQuestion(form, 0, '[value="Red"]'))
    for (const colour of ['Red', 'Green']) await page.check(inQuestion(form, 1, `[value="${colour}"]`))
    await page.selectOption(inQuestion(form, 2, 'select'), 'Blue')
    await page.click(inQuestion(form, 3, 'summary'))
    await page.check(inQuestion(form, 3, '[value="Blue"]'))
    await page.selectOption(inQuestion(form, 4, 'select'), { label: 'Another' })
    await page.fill(inQuestion(form, 4, '.other'), 'Pink')
    await page.check(inQuestion(form, 5, '[data-other]'))
    await page.fill(inQuestion(form, 5, '.other'), 'Grey')

    const options = ['White', 'Blue', 'Red']
    const questions = types.map((type, index) => ({
      id: form.questionIds[index],
      ...questionBody(type, { otherText: 'Another' }),
      options,
    }))
    expect((await acme.put(`/v1/forms/${form.id}`, { title: form.title, questions })).status).toBe(200)
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    await open(form)
    await page.click('#next')
    await expectThanks(page)
    const [response] = await responsesOf(form)
    expect(valuesOf(response)).toEqual([
      { selected: 'Red', other: null },
      { selected: ['Red'], other: null },
      { selected: 'Blue', other: null },
      { selected: ['Blue'], other: null },
      { selected: null, other: 'Pink' },
      { selected: null, other: 'Grey' },
    ])
  })

  test('answers to a form that asks otherwise by then are sent by whoever loads its page again, as it asks now', async () => {
    const form = await twoPages()
    await open(form)
    await page.locator('.step').nth(7).click()
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    const [first, , , last] = form.questionIds
    const pages = [
      {
        title: 'First',
        questions: [{ id: first, ...questionBody('nps', { required: true }) }, questionBody('numeric')],
      },
      { title: 'Second', questions: [{ id: last, ...questionBody('textbox', { inputLimitation: 'email' }) }] },
    ]
    expect((await acme.put(`/v1/forms/${form.id}`, { title: form.title, pages })).status).toBe(200)
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    await open(form)
    await page.click('#back')
    await page.fill('.type-numeric .text', '5')
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    await page.fill('.type-textbox .text', 'ada@acme.test')
    await page.click('#next')
    await expectThanks(page)
    const [newest, before, ...others] = await responsesOf(form)
    expect([newest.status, valuesOf(newest)]).toEqual(['complete', [7, 5, 'ada@acme.test']])
    expect([before.status, others]).toEqual(['partial', []])
  })

  test('a double click and a lost answer make one response', async () => {
    const form = await createPublished(acme, [questionBody('nps')])
    // As on a page without TLS.
    await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
    await open(form)
    let lost = 0
    const clicked = Promise.withResolvers<void>()
    await page.route('**/responses', async (route) => {
      if (lost++ > 0) return route.continue()
      // The answer is lost on its way back: the server has the response.
      await route.fetch()
      // Not between the two clicks, of which the second would send it again then.
      await clicked.promise
      await route.abort()
    })
    await page.locator('.step').nth(3).click()
    await page.dblclick('#next')
    clicked.resolve()
    await page.waitForFunction(() => document.querySelector('#summary')?.textContent?.includes('could not be sent'))
    await page.locator('.step').nth(4).click()
    await page.dblclick('#next')
    await expectThanks(page)
    expect((await responsesOf(form)).map(valuesOf)).toEqual([[3]])
  })

  test('what only the server can tell is shown at the question', async () => {
    const form = await createPublished(acme, [
      questionBody('numeric', { friendlyId: 'SEATS' }),
      questionBody('payment', { formula: '100 / {SEATS}', currency: 'EUR', required: true }),
    ])
    await open(form)
    await page.fill('.type-numeric input', '4')
    expect(await page.locator('.amount').textContent()).toBe('€0.25')
    await page.fill('.type-numeric input', '0')
    await page.click('#next')
    await page.waitForSelector('.error:visible')
    expect(await page.locator(`#q${form.questionIds[1]} .error`).textContent()).toContain('amount cannot be computed')
    await page.fill('.type-numeric input', '8')
    expect(await page.locator('.error:visible').count()).toBe(0)
    expect(await page.locator('#summary').textContent()).toBe('')
    await page.click('#next')
    await expectThanks(page)
    expect((await responsesOf(form))[0].answers[1].value).toMatchObject({ amount: 13, status: 'pending' })
  })

  test('a signature is drawn and a ranking is dragged', async () => {
    const form = await createPublished(acme, [questionBody('signature', { required: true }), questionBody('ranking')])
    await open(form)
    const drag = async (from: [number, number], to: [number, number]) => {
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to, { steps: 8 })
      await page.mouse.up()
    }
    const boxOf = async (selector: string) =>
      (await page.locator(selector).boundingBox()) as { x: number; y: number; width: number; height: number }
    const pad = await boxOf('canvas')
    await drag([pad.x + 50, pad.y + 50], [pad.x + 250, pad.y + 120])
    await page.locator('.ranking').scrollIntoViewIfNeeded()
    const first = await boxOf('li:nth-child(1) .handle')
    const last = await boxOf('li:nth-child(3)')
    await drag([first.x + 10, first.y + 20], [last.x + 10, last.y + last.height - 5])
    await page.click('#next')
    await expectThanks(page)
    const [response] = await responsesOf(form)
    expect(response.answers[1].value).toEqual(['Second', 'Third', 'First'])
    expect(response.answers[0].value).toMatchObject({ contentType: 'image/png' })
    expect(complaints).toEqual([])
  })

  test('on another site, a form grows in its frame and sends its answers', async () => {
    const form = await createPublished(acme, [questionBody('nps'), questionBody('textbox', { rows: 12 })])
    const html = `<!doctype html><title>Shop</title><script src="${app.url}/embed.js" data-form="${form.launchCode}"></script>`
    const shop = Bun.serve({ port: 0, fetch: () => new Response(html, { headers: { 'content-type': 'text/html' } }) })
    try {
      await page.goto(`http://localhost:${shop.port}`)
      const frame = page.frameLocator('iframe')
      await frame.locator('.step').nth(6).click()
      // Only now is the form's page certain to be there: its time to be filled in counts from when it was served.
      app.clock.advance(5000)
      await page.waitForFunction(() => Number.parseInt(document.querySelector('iframe')?.style.height ?? '0', 10) > 650)
      // By key: the frame may still be growing under a mouse.
      await frame.locator('#next').press('Enter')
      await frame.locator('#done:not([hidden])').waitFor()
      expect((await responsesOf(form)).map(valuesOf)).toEqual([[6]])
      await page.waitForFunction(() => Number.parseInt(document.querySelector('iframe')?.style.height ?? '0', 10) < 600)
    } finally {
      shop.stop(true)
    }
    expect(complaints).toEqual([])
  })

  test('without JavaScript the questions are there, and it is said what is missing', async () => {
    const form = await createPublished(acme, [questionBody('nps', { text: 'How likely?' })])
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setScriptExecutionDisabled', { value: true })
    await page.goto(`${app.url}/f/${form.launchCode}`)
    expect(await page.locator('noscript').textContent()).toContain('needs JavaScript')
    expect(await page.locator('.asked-text').isVisible()).toBe(true)
  })
})
