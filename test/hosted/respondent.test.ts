import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { questionTypeNames } from '../../src/forms/question-types/index.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { createPublished, publishNew, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hasBrowser } from '../support/pages/browser.ts'
import { setUpPage } from '../support/pages/fixtures.ts'
import { everyPart, expectThanks } from '../support/pages/pages.ts'
import { until } from '../support/patience.ts'

let app: TestApp
let acme: TestTenant
let page: Page

/** What people met who filled in forms: on phones, on other sites, with a slow line, with mistakes. */
describe.skipIf(!hasBrowser)('a respondent', () => {
  setUpPage((fixture) => ({ app, acme, page } = fixture))

  async function open(form: Pick<TestForm, 'launchCode'>): Promise<void> {
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    await everyPart(page)
    app.clock.advance(5000)
  }
  const valuesOf = async ({ id }: TestForm) => {
    const { items } = (await acme.get(`/v1/forms/${id}/responses`)).body
    return items.map(({ answers }: { answers: { value: unknown }[] }) => answers.map(({ value }) => value))
  }
  const errors = () => page.locator('.error:visible').allTextContents()
  const boxOf = async (selector: string) =>
    (await page.locator(selector).boundingBox()) as { x: number; y: number; width: number; height: number }
  const phone = (width: number) => page.setViewportSize({ width, height: 700 })

  async function inTwoPages(first: object[], second: object[]): Promise<TestForm> {
    const pages = [
      { title: '<p>First</p><ul><li>of two</li></ul>', questions: first },
      { title: 'Second', questions: second },
    ]
    return publishNew(acme, { title: 'Two pages', pages })
  }

  describe('who makes a mistake', () => {
    test('is told that a file is too large, until another is chosen', async () => {
      const form = await createPublished(acme, [questionBody('file_upload')])
      await open(form)
      const chooser = page.locator('[data-slot="1"] [type=file]')
      const choose = (name: string, size: number) =>
        chooser.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size) })
      await choose('big.txt', 10 * 1024 * 1024 + 1)
      expect(await errors()).toEqual(['big.txt is larger than 10 MB.'])
      expect(await page.locator('[data-slot="1"] .error').count()).toBe(1)
      await choose('empty.txt', 0)
      await page.waitForSelector('[data-slot="1"] .sent:not([hidden])')
      expect(await errors()).toEqual([])
      expect(await page.locator('[data-slot="1"] .file-name').first().textContent()).toBe('empty.txt (0 bytes)')
    })

    test('sees the one contact field that is wrong marked, with the message at it and the focus in it', async () => {
      const fields = ['first_name', 'last_name', 'company', 'address_line_1', 'city', 'email', 'phone_number']
      const contactFields = fields.map((field) => ({ field, visible: true }))
      const form = await createPublished(acme, [questionBody('contact_details', { required: true, contactFields })])
      await open(form)
      const expectWrong = async (field: string, message: string) => {
        await page.click('#next')
        expect(await errors()).toEqual([message])
        expect(await page.locator('[aria-invalid]').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
          `q${form.questionIds[0]}-${field}`,
        ])
        const marked = page.locator('[aria-invalid]')
        expect(await marked.evaluate((input) => input === document.activeElement)).toBe(true)
        expect(await marked.getAttribute('aria-describedby')).toBe(`q${form.questionIds[0]}-error`)
        const [input, error] = [await boxOf('[aria-invalid]'), await boxOf('.error')]
        expect(error.y - (input.y + input.height)).toBeWithin(0, 20)
      }
      expect(await page.locator('[aria-required]').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
        `q${form.questionIds[0]}-email`,
      ])
      await expectWrong('email', 'Please enter an email address.')
      await page.fill('[data-field=first_name]', 'Ada')
      await expectWrong('email', 'Please enter an email address.')
      await page.fill('[data-field=email]', 'ada@')
      await expectWrong('email', 'This must be an email address.')
      await page.fill('[data-field=email]', 'ada@acme.test')
      expect(await errors()).toEqual([])
      await page.fill('[data-field=phone_number]', 'call me')
      await expectWrong('phone_number', 'This must be a telephone number.')
      await page.fill('[data-field=phone_number]', '+44 20 7946 0018')
      expect(await page.locator('[aria-invalid], .wrong, .error:visible').count()).toBe(0)
      await page.click('#next')
      await expectThanks(page)
    })

    test('sees what the server finds at the field that it names', async () => {
      const contactFields = ['first_name', 'email'].map((field) => ({ field, visible: true }))
      await open(await createPublished(acme, [questionBody('contact_details', { contactFields })]))
      await page.route('**/responses', async (route) => {
        const id = await page.locator('.question').getAttribute('data-question')
        const place = `answers[0] (question ${id}): value.email`
        const message = `${place}: must be an email address`
        await route.fulfill({ status: 400, json: { error: 'invalid_request', message, place, word: 'notEmail' } })
      })
      await page.fill('[data-field=first_name]', 'Ada')
      await page.click('#next')
      await page.waitForSelector('.error:visible')
      expect(await errors()).toEqual(['This must be an email address.'])
      expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.field)).toBe('email')
    })

    test('is led to the scale or the row that is missing', async () => {
      const scales = ['Taste', 'Smell', 'Looks'].map((text) => ({ text, opposingText: 'Good' }))
      await open(
        await createPublished(acme, [
          questionBody('likert', { required: true, scales }),
          questionBody('matrix', { required: true }),
        ]),
      )
      await page.locator('[data-scale="0"] .step').first().click()
      await page.locator('[data-row="1"] .cell').first().click()
      await page.click('#next')
      const focused = () => page.evaluate(() => document.activeElement?.closest('.lacking')?.getAttribute('aria-label'))
      expect(await focused()).toBe('Smell to Good')
      expect(await page.locator('.lacking').count()).toBe(2)
      for (const index of [1, 2]) await page.locator(`[data-scale="${index}"] .step`).first().click()
      await page.click('#next')
      expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>('.lacking')?.dataset.row)).toBe('0')
    })

    test('sees faults and their count go as they are mended: by ranking, signing, moving, choosing, typing', async () => {
      const types = ['ranking', 'signature', 'likert_slider', 'nps', 'textbox'] as const
      const form = await createPublished(
        acme,
        types.map((type) => questionBody(type, { required: true })),
      )
      await open(form)
      await page.click('#next')
      const summary = () => page.locator('#summary').textContent()
      expect(await summary()).toBe('5 answers need your attention.')
      await page.locator('[data-move="1"]').first().click()
      expect(await summary()).toBe('4 answers need your attention.')
      await page.locator('.signature [type=text]').pressSequentially('A')
      expect(await summary()).toBe('3 answers need your attention.')
      await page.locator('[type=range]').press('ArrowRight')
      await page.locator('.step').nth(4).click()
      expect(await summary()).toBe('One answer needs your attention.')
      await page.locator('.type-textbox input').pressSequentially('A')
      expect([await summary(), await errors()]).toEqual(['', []])
      await page.click('#next')
      await expectThanks(page)
    })
  })

  describe('on a phone', () => {
    const scale = (fields: object) =>
      questionBody('likert', { scales: [{ text: 'Too quiet', opposingText: 'Too loud' }], ...fields })

    test.each([390, 320])(
      'of %d pixels sees every scale in one row, or as a list that names both ends',
      async (width) => {
        await phone(width)
        const form = await createPublished(acme, [
          scale({ scaleEnd: 7 }),
          questionBody('nps'),
          scale({ scaleStart: -5, scaleEnd: 5 }),
          questionBody('star_rating', { maxStars: 10 }),
          scale({ scaleStart: 0, scaleEnd: 20 }),
          scale({ scaleStart: 100, scaleEnd: 110 }),
        ])
        await open(form)
        const boxes = (index: number) =>
          page.locator(`#q${form.questionIds[index]} :is(.step, .stars label)`).evaluateAll((labels) =>
            labels.map((label) => {
              const { left, right, top, width } = label.getBoundingClientRect()
              return { left, right, top, width }
            }),
          )
        for (const index of [0, 1, 2, 3]) {
          const row = await boxes(index)
          expect(new Set(row.map(({ top }) => top)).size).toBe(1)
          for (const { left, right, width: wide } of row) {
            expect(wide).toBeGreaterThanOrEqual(24)
            expect([left >= 0, right <= width]).toEqual([true, true])
          }
        }
        for (const [index, count] of [
          [4, 21],
          [5, 11],
        ] as const) {
          const list = await boxes(index)
          expect([new Set(list.map(({ top }) => top)).size, new Set(list.map(({ left }) => left)).size]).toEqual([
            count,
            1,
          ])
          const named = page.locator(`#q${form.questionIds[index]} .step:is(:first-child, :last-child) small:visible`)
          expect(await named.allTextContents()).toEqual(['Too quiet', 'Too loud'])
          expect(await page.locator(`#q${form.questionIds[index]} .ends`).isVisible()).toBe(false)
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      },
    )

    test('who goes by key sees what has the focus, clear of the bar at the bottom', async () => {
      await phone(390)
      await open(
        await createPublished(
          acme,
          questionTypeNames.map((type) => questionBody(type, type === 'payment' ? { amount: 1, currency: 'EUR' } : {})),
        ),
      )
      let stops = 0
      for (; stops < 100; stops += 1) {
        await page.keyboard.press('Tab')
        const seen = await page.evaluate(() => {
          const focused = document.activeElement as HTMLElement
          if (focused.id === 'next') return null
          const shown = focused.closest('.step, .side, .stars label') ?? focused
          const bar = document.querySelector('.actions') as HTMLElement
          return { id: focused.id, isClear: shown.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top }
        })
        if (!seen) break
        expect(seen).toEqual({ id: seen.id, isClear: true })
      }
      expect(stops).toBeWithin(30, 100)
    })
  })

  test.each(['light', 'dark'] as const)('sees a slider’s track: %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await open(await createPublished(acme, [questionBody('likert_slider')]))
    const { x, y, width, height } = await boxOf('[type=range]')
    // A quarter of the way, where the thumb is not: the track, and the card above it.
    const clip = { x: Math.round(x + width / 4), y: Math.round(y), width: 1, height: Math.round(height) }
    const picture = `data:image/png;base64,${(await page.screenshot({ clip })).toString('base64')}`
    const contrast = await page.evaluate(async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      const luminance = (line: number) =>
        [...context.getImageData(0, line, 1, 1).data.slice(0, 3)]
          .map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
          .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] as number), 0)
      const [low, high] = [luminance(Math.floor(image.height / 2)), luminance(2)].sort((a, b) => a - b) as [
        number,
        number,
      ]
      return (high + 0.05) / (low + 0.05)
    }, picture)
    expect(contrast).toBeGreaterThanOrEqual(3)
  })

  test('drags a row of a ranking by the mouse anywhere on it, without selecting text; a click is no answer', async () => {
    const form = await createPublished(acme, [questionBody('ranking')])
    await open(form)
    const [label, last] = [await boxOf('li:nth-child(1) .label'), await boxOf('li:nth-child(3)')]
    await page.mouse.click(label.x + 20, label.y + 10)
    expect(await page.locator('[data-untouched]').count()).toBe(1)
    await page.mouse.move(label.x + 20, label.y + 10)
    await page.mouse.down()
    await page.mouse.move(last.x + 150, last.y + last.height - 5, { steps: 8 })
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).toBe('')
    expect(await page.locator('.ranking .label').allTextContents()).toEqual(['Second', 'Third', 'First'])
    await page.click('#next')
    await expectThanks(page)
    expect(await valuesOf(form)).toEqual([[['Second', 'Third', 'First']]])
  })

  test('gives a web address as people write it', async () => {
    const form = await createPublished(acme, [questionBody('textbox', { inputLimitation: 'url' })])
    await open(form)
    await page.fill('.type-textbox input', 'example')
    await page.click('#next')
    expect(await errors()).toEqual(['This must be a web address.'])
    await page.fill('.type-textbox input', 'example.com')
    await page.click('#next')
    await expectThanks(page)
    expect(await valuesOf(form)).toEqual([['https://example.com']])
  })

  test('of an embedded form is taken to the top of its next page, and to a mistake', async () => {
    const form = await inTwoPages(
      [questionBody('textbox', { rows: 20 }), questionBody('textbox', { rows: 20, required: true })],
      [questionBody('textbox', { rows: 20 }), questionBody('nps')],
    )
    const html = `<!doctype html><title>Shop</title><body><div style="height: 1500px">Shop</div>
      <script src="${app.url}/embed.js" data-form="${form.launchCode}"></script><div style="height: 1500px">Shop</div>`
    const shop = Bun.serve({ port: 0, fetch: () => new Response(html, { headers: { 'content-type': 'text/html' } }) })
    try {
      await page.setViewportSize({ width: 800, height: 600 })
      await page.goto(`http://localhost:${shop.port}`)
      const frame = page.frameLocator('iframe')
      await frame.locator('#next:enabled').waitFor()
      // A frame that is out of sight is not painted, and does not grow.
      await page.locator('iframe').scrollIntoViewIfNeeded()
      await page.waitForFunction(() => (document.querySelector('iframe')?.offsetHeight ?? 0) > 1000)
      /** The place of the frame comes to stand in the upper half of the shop's window. */
      const comesUp = async (selector: string) => {
        const isUp = async () => ((await frame.locator(selector).boundingBox())?.y ?? -1) >= -1
        await until(isUp)
        expect((await frame.locator(selector).boundingBox())?.y).toBeWithin(-1, 300)
      }
      await frame.locator('#next').scrollIntoViewIfNeeded()
      await frame.locator('#next').press('Enter')
      await comesUp('.wrong')
      await frame.locator('.type-textbox textarea').nth(1).fill('Much')
      await frame.locator('#next').scrollIntoViewIfNeeded()
      await frame.locator('#next').press('Enter')
      await frame.locator('[data-page="1"]:not([hidden])').waitFor()
      await comesUp('#form')
      // As browsers do that keep a frame from scrolling what is around it: the shop's page does it alone.
      const ask = (top: number) =>
        frame.locator('#form').evaluate((_, at) => parent.postMessage({ frontdesk: 'scroll', top: at }, '*'), top)
      const scrolledTo = (top: number) =>
        page.waitForFunction(
          (at) => Math.abs(scrollY - at) < 2,
          1508 + top, // the shop's margin and what stands above
        )
      for (const top of [300, 0]) {
        await page.evaluate(() => scrollTo(0, 0))
        await ask(top)
        await scrolledTo(top)
      }
      // Nobody else makes it scroll, nor to a place outside the frame.
      await page.evaluate(() => postMessage({ frontdesk: 'scroll', top: 100 }, '*'))
      for (const top of [-100, 100_000, Number.NaN]) await ask(top)
      await ask(400)
      await scrolledTo(400)
    } finally {
      shop.stop(true)
    }
  })

  test('is told when the script does not come, and is not bothered when it does', async () => {
    const form = await createPublished(acme, [questionBody('nps')])
    await page.route('**/form.js*', (route) => route.abort())
    await page.goto(`${app.url}/f/${form.launchCode}`)
    // However long the page took to come here.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = 0
      }
    })
    expect(await page.locator('#stalled').isVisible()).toBe(false)
    const passTime = () =>
      page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish()
      })
    await passTime()
    expect(await page.locator('#stalled').isVisible()).toBe(true)
    expect(await page.locator('#stalled').textContent()).toContain('cannot be sent yet')
    await page.unroute('**/form.js*')
    await page.click('#stalled a')
    await page.waitForSelector('#next:enabled')
    await passTime()
    expect(await page.locator('#stalled').count()).toBe(0)
  })

  test('sees that a slow save is on its way', async () => {
    const form = await createPublished(acme, [questionBody('nps')])
    await open(form)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isFirst = true
    await page.route('**/responses', async (route) => {
      if (!isFirst) return route.continue()
      isFirst = false
      await held
      await route.abort()
    })
    await page.click('#next')
    await page.waitForFunction(() => document.querySelector('#status')?.textContent === 'Sending…')
    expect(await page.locator('#status').isVisible()).toBe(true)
    release()
    await page.waitForFunction(() => document.querySelector('#summary')?.textContent?.includes('could not be sent'))
    expect(await page.locator('#status').textContent()).toBe('')
    await page.click('#next')
    await expectThanks(page)
  })

  test('reads lists and paragraphs in texts: they stand where HTML allows them', async () => {
    const text = '<p>Which?</p><ul><li>tea</li><li>coffee</li></ul>'
    const form = await inTwoPages(
      questionTypeNames.map((type) => questionBody(type, { text, required: true })),
      [questionBody('nps', { text: '<blockquote>Quoted</blockquote>' })],
    )
    await page.goto(`${app.url}/f/${form.launchCode}`)
    const misplaced = await page.evaluate(() => {
      const blocks = 'p, ul, ol, li, div, blockquote, fieldset, section'
      const inline = 'p, span, label, legend, button, a, b, i, em, strong, small, summary, h1, h2, h3'
      return [...document.querySelectorAll(`main :is(${inline}) :is(${blocks})`)].map(({ outerHTML }) => outerHTML)
    })
    expect(misplaced).toEqual([])
    const named = page.getByRole('group', { name: /Which\?\s*tea\s*coffee\s*required/ })
    expect(await named.count()).toBe(questionTypeNames.length)
  })

  describe('who owes something', () => {
    const deposit = questionBody('payment', { text: 'Deposit', amount: 3750, currency: 'EUR' })
    const due = () => page.locator('#due:visible').allTextContents()

    test('is told on the last page and at the end, where nothing takes the money', async () => {
      const form = await inTwoPages([deposit], [questionBody('nps')])
      await open(form)
      await page.locator('.payment [type=checkbox]').check()
      expect(await due()).toEqual([])
      await page.click('#next')
      await page.waitForSelector('[data-page="1"]:not([hidden])')
      expect(await due()).toEqual(['Due €37.50 Acme Roasters will tell you how to pay.'])
      await page.click('#next')
      await expectThanks(page)
      expect(await page.locator('#pay-note').textContent()).toBe('Due: €37.50. Acme Roasters will tell you how to pay.')
    })

    test('sees it follow the answers, of every currency together', async () => {
      await open(
        await createPublished(acme, [
          deposit,
          questionBody('numeric', { friendlyId: 'SEATS' }),
          questionBody('payment', { formula: '{SEATS} * 1200', currency: 'EUR', required: true }),
          questionBody('payment', { formula: '900 / {SEATS}', currency: 'JPY', required: true }),
        ]),
      )
      const sum = () => page.locator('#due:visible strong').allTextContents()
      expect(await sum()).toEqual([])
      await page.fill('.type-numeric input', '3')
      expect(await sum()).toEqual(['€36.00 and ¥300'])
      await page.locator('.payment [type=checkbox]').check()
      expect(await sum()).toEqual(['€73.50 and ¥300'])
      await page.fill('.type-numeric input', '0')
      await page.locator('.payment [type=checkbox]').uncheck()
      expect(await sum()).toEqual([])
    })

    test('nothing is told so neither before nor after', async () => {
      await open(
        await createPublished(acme, [deposit, questionBody('payment', { amount: 0, currency: 'EUR', required: true })]),
      )
      expect(await due()).toEqual([])
      await page.click('#next')
      await expectThanks(page)
      expect(await page.locator('#pay-note').textContent()).toBe('')
    })
  })
})
