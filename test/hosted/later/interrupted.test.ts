import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { closeForm, publishForm } from '../../../src/forms/publishing.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { createPublished, publishNew, type TestForm } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { hasBrowser, type openBrowser } from '../../support/pages/browser.ts'
import { setUpPage } from '../../support/pages/fixtures.ts'
import { everyPart, expectThanks, violations } from '../../support/pages/pages.ts'

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page

/** What comes between a respondent and the end of a form: a lost connection, another tab, the form's closing. */
describe.skipIf(!hasBrowser)('a respondent who is interrupted', () => {
  setUpPage((fixture) => ({ app, acme, browser, page } = fixture))

  async function open(form: Pick<TestForm, 'launchCode'>, tab = page): Promise<void> {
    await tab.goto(`${app.url}/f/${form.launchCode}`)
    await tab.waitForSelector('#next:enabled')
    await everyPart(tab)
    app.clock.advance(5000)
  }
  const responsesOf = async (form: Pick<TestForm, 'id'>) =>
    (await acme.get(`/v1/forms/${form.id}/responses?status=all`)).body.items
  const valuesOf = ({ answers }: { answers: { value: unknown }[] }) => answers.map(({ value }) => value)
  const errors = () => page.locator('.error:visible').allTextContents()
  const summary = () => page.locator('#summary').textContent()

  async function inTwoPages(first: object[], second: object[]): Promise<TestForm> {
    const pages = [
      { title: 'First', questions: first },
      { title: 'Second', questions: second },
    ]
    return publishNew(acme, { title: 'Two pages', pages })
  }

  describe('while a file is sent', () => {
    const file = (name: string, size = 5) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') })
    const slot = (index: number) => page.locator(`[data-slot="${index}"]`)

    test('tries again after a lost connection, and it is stored once', async () => {
      const form = await createPublished(acme, [questionBody('file_upload', { required: true })])
      await open(form)
      const keys: (string | undefined)[] = []
      const stored: string[] = []
      await page.route('**/uploads', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        // It arrives, and nobody hears of it.
        const answer = await route.fetch()
        stored.push((await answer.json()).uploadId)
        if (keys.length < 3) await route.abort('connectionreset')
        else await route.fulfill({ response: answer })
      })
      await slot(0).locator('[type=file]').setInputFiles(file('cv.txt'))
      await slot(0).locator('[data-retry]').waitFor()
      expect(await errors()).toEqual(['The file could not be sent: there is no connection. Please try again.'])
      expect(await slot(0).locator('.error').count()).toBe(1)
      expect(await violations(page)).toEqual([])
      // The form does not go without it unnoticed.
      await page.click('#next')
      expect(await errors()).toEqual(['The file could not be sent. Please try again.'])
      expect(await page.evaluate(() => document.activeElement?.matches('[data-slot="0"] [data-retry]'))).toBe(true)
      await page.keyboard.press('Enter')
      await page.waitForFunction(() =>
        document.querySelector('.error:not([hidden])')?.textContent?.includes('connection'),
      )
      // It goes by itself once there is a connection again.
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await slot(0).locator('.sent:visible').waitFor()
      expect(await errors()).toEqual([])
      expect([keys.length, new Set(keys).size, new Set(stored).size]).toEqual([3, 1, 1])
      await slot(1).locator('[type=file]').setInputFiles(file('letter.txt'))
      await slot(1).locator('.sent:visible').waitFor()
      expect([new Set(keys).size, new Set(stored).size]).toEqual([2, 2])
      await page.click('#next')
      await expectThanks(page)
      expect((await responsesOf(form)).map(valuesOf)).toMatchObject([
        [
          [
            { slot: 0, fileName: 'cv.txt', url: `/v1/uploads/${stored[0]}` },
            { slot: 1, fileName: 'letter.txt' },
          ],
        ],
      ])
    })

    test('sees how far it is, can stop it, take it out, and choose the same again', async () => {
      const form = await createPublished(acme, [questionBody('file_upload')])
      await open(form)
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      let sent = 0
      await page.route('**/uploads', async (route) => {
        if (sent++ === 0) await held
        await route.continue().catch(() => {})
      })
      await slot(0).locator('[type=file]').focus()
      await slot(0).locator('[type=file]').setInputFiles(file('cv.txt', 200_000))
      await slot(0).locator('.unsent:visible').waitFor()
      expect(await slot(0).locator('.unsent .file-name').textContent()).toBe('cv.txt (195 kB)')
      expect(await slot(0).locator('.part').textContent()).toMatch(/^\d+%$/)
      expect(await slot(0).locator('progress').isVisible()).toBe(true)
      expect(await violations(page)).toEqual([])
      await page.click('#next')
      expect(await errors()).toEqual(['Please wait until the file has been sent.'])
      await slot(0).getByRole('button', { name: 'Cancel' }).press('Enter')
      release()
      expect([await errors(), await slot(0).locator('.unsent').isVisible()]).toEqual([[], false])
      expect(await page.evaluate(() => document.activeElement?.matches('[data-slot="0"] [type=file]'))).toBe(true)
      for (let time = 0; time < 2; time += 1) {
        await slot(0).locator('[type=file]').setInputFiles(file('cv.txt', 200_000))
        await slot(0).locator('.sent:visible').waitFor()
        if (time === 0) await slot(0).getByRole('button', { name: 'Remove CV' }).click()
      }
      await page.click('#next')
      await expectThanks(page)
      expect((await responsesOf(form)).map(valuesOf)).toMatchObject([[[{ slot: 0, size: 200_000 }]]])
    })

    test('is asked for one at a time', async () => {
      await open(await createPublished(acme, [questionBody('file_upload')]))
      await slot(0)
        .locator('.drop')
        .evaluate((drop) => {
          const dataTransfer = new DataTransfer()
          for (const name of ['a.txt', 'b.txt']) dataTransfer.items.add(new File(['a'], name))
          drop.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
        })
      expect(await errors()).toEqual(['Only one file fits here. Please drop them one at a time.'])
    })

    test('sends several into a slot that takes them, one after the other, and the rest when one fails', async () => {
      const form = await createPublished(acme, [questionBody('file_upload', { maxFiles: 3, required: true })])
      await open(form)
      let attempts = 0
      await page.route('**/uploads', (route) => (attempts++ === 0 ? route.abort('connectionreset') : route.continue()))
      expect(await slot(0).locator('.drop small').textContent()).toBe('Choose up to 3 files or drop them here')
      await slot(0)
        .locator('[type=file]')
        .setInputFiles([file('a.txt'), file('b.txt'), file('c.txt'), file('d.txt')])
      expect(await errors()).toEqual(['Only 3 files fit here.'])
      await slot(0)
        .locator('[type=file]')
        .setInputFiles([file('a.txt'), file('b.txt')])
      await slot(0).locator('.sent:has-text("b.txt")').waitFor()
      await slot(0).locator('[data-retry]:visible').waitFor()
      expect(await slot(0).locator('.file-name').allTextContents()).toEqual(['a.txt (5 bytes)', 'b.txt (5 bytes)'])
      expect(await violations(page)).toEqual([])
      await page.click('#next')
      expect(await page.evaluate(() => document.activeElement?.matches('[data-slot="0"] [data-retry]'))).toBe(true)
      await page.keyboard.press('Enter')
      await slot(0).locator('.sent:has-text("a.txt")').waitFor()
      expect(await errors()).toEqual([])
      await slot(0).locator('[type=file]').setInputFiles(file('c.txt'))
      await slot(0).locator('.sent:has-text("c.txt")').waitFor()
      expect([await slot(0).locator('.drop').isVisible(), await slot(0).locator('.sent').count()]).toEqual([false, 3])
      await slot(1).locator('[type=file]').setInputFiles(file('d.txt'))
      await slot(1).locator('.sent').waitFor()
      // They are there again after a reload, and can go one by one.
      await page.reload()
      await page.waitForSelector('#next:enabled')
      await everyPart(page)
      app.clock.advance(5000)
      await slot(0).getByRole('button', { name: 'Remove b.txt' }).press('Enter')
      expect(await page.evaluate(() => document.activeElement?.matches('[data-slot="0"] [type=file]'))).toBe(true)
      await page.click('#next')
      await expectThanks(page)
      expect((await responsesOf(form)).map(valuesOf)).toMatchObject([
        [
          [
            { slot: 0, fileName: 'a.txt' },
            { slot: 0, fileName: 'c.txt' },
            { slot: 1, fileName: 'd.txt' },
          ],
        ],
      ])
    })

    test('takes a photo on a phone', async () => {
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'pointer', value: 'coarse' }] })
      await page.setViewportSize({ width: 320, height: 700 })
      await open(await createPublished(acme, [questionBody('file_upload')]))
      const asked = page.waitForEvent('filechooser')
      await slot(0).getByRole('button', { name: 'Take a photo' }).click()
      const chooser = await asked
      const input = slot(0).locator('[type=file]')
      await chooser.setFiles(file('photo.jpg'))
      await slot(0).locator('.sent:visible').waitFor()
      expect([await input.getAttribute('capture'), await slot(0).locator('[data-photo]').isVisible()]).toEqual([
        null,
        false,
      ])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    })
  })

  describe('while signing', () => {
    const draw = async () => {
      const pad = await page.locator('canvas').boundingBox()
      if (!pad) throw new Error('there is no pad')
      await page.mouse.move(pad.x + 30, pad.y + 30)
      await page.mouse.down()
      await page.mouse.move(pad.x + 200, pad.y + 80, { steps: 5 })
      await page.mouse.up()
    }
    const picture = () => page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())

    test('keeps the drawing when the phone is turned and the page loaded again', async () => {
      await page.setViewportSize({ width: 390, height: 800 })
      await open(await createPublished(acme, [questionBody('signature')]))
      const empty = await picture()
      await draw()
      await page.waitForFunction(() =>
        document.querySelector<HTMLInputElement>('.signature [type=hidden]')?.value.includes('picture'),
      )
      const drawn = await picture()
      expect(drawn).not.toBe(empty)
      await page.setViewportSize({ width: 800, height: 390 })
      expect(await picture()).toBe(drawn)
      await page.reload()
      await page.waitForFunction((blank) => document.querySelector('canvas')?.toDataURL() !== blank, empty)
      expect(await picture()).toBe(drawn)
      await page.click('[data-erase]')
      expect(await picture()).toBe(empty)
    })

    test('sends a drawing once, however often it is tried', async () => {
      const form = await createPublished(acme, [questionBody('signature', { required: true })])
      await open(form)
      await draw()
      const keys: (string | undefined)[] = []
      await page.route('**/uploads', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        if (keys.length > 1) return route.continue()
        await route.fetch()
        await route.abort('connectionreset')
      })
      await page.click('#next')
      await page.waitForSelector('.error:visible')
      await page.click('#next')
      await expectThanks(page)
      expect([keys.length, new Set(keys).size, (await responsesOf(form)).length]).toEqual([2, 1, 1])
    })
  })

  test('by their other tab is told that the answers were sent already: the first completion stands', async () => {
    const form = await inTwoPages([questionBody('nps')], [questionBody('textbox')])
    await open(form)
    await page.locator('.step').nth(3).click()
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    const other = await browser.context.newPage()
    await open(form, other)
    await other.fill('.type-textbox input', 'Second')
    await page.fill('.type-textbox input', 'First')
    await page.click('#next')
    await expectThanks(page)
    await other.click('#next')
    await other.waitForSelector('#already-sent:not([hidden])')
    expect(await other.locator('h1:visible').allTextContents()).toEqual(['Your answers have been sent already'])
    expect(await other.locator('#done').isVisible()).toBe(false)
    expect((await responsesOf(form)).map(valuesOf)).toEqual([[3, 'First']])
    // The next one to answer begins anew.
    await other.reload()
    await other.waitForSelector('#next:enabled')
    expect([await other.locator('#resumed').isVisible(), await other.locator(':checked').count()]).toEqual([false, 0])
  })

  test('by their other tab is told so in the middle, too', async () => {
    const form = await inTwoPages([questionBody('nps')], [questionBody('textbox')])
    await open(form)
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    const other = await browser.context.newPage()
    await open(form, other)
    await other.click('#back')
    await page.click('#next')
    await expectThanks(page)
    await other.click('#next')
    await other.waitForSelector('#already-sent:not([hidden])')
    expect((await responsesOf(form)).length).toBe(1)
  })

  test('by a lost answer is thanked: it was they who sent it', async () => {
    const form = await inTwoPages([questionBody('nps')], [questionBody('textbox')])
    await open(form)
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    let requests = 0
    await page.route('**/responses/*', async (route) => {
      if (requests++ > 0) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.click('#next')
    await page.waitForFunction(() => document.querySelector('#summary')?.textContent?.includes('could not be sent'))
    await page.click('#next')
    await expectThanks(page)
  })

  test('by the form’s closing is told so and keeps what was entered, for when it opens again', async () => {
    const form = await inTwoPages([questionBody('nps')], [questionBody('textbox')])
    await open(form)
    await page.locator('.step').nth(3).click()
    await page.click('#next')
    await page.waitForSelector('[data-page="1"]:not([hidden])')
    await page.fill('.type-textbox input', 'Much')
    await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
    await page.click('#next')
    await page.waitForFunction(() => document.querySelector('#summary')?.textContent)
    expect(await summary()).toBe(
      'This form has been closed and takes no more answers. What you entered has not been sent; it is kept on this device.',
    )
    expect(await page.inputValue('.type-textbox input')).toBe('Much')
    expect((await responsesOf(form)).map(({ status }: { status: string }) => status)).toEqual(['partial'])
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    await open(form)
    expect(await page.inputValue('.type-textbox input')).toBe('Much')
    await page.click('#next')
    await expectThanks(page)
    expect((await responsesOf(form)).map(valuesOf)).toEqual([[3, 'Much']])
  })
})
