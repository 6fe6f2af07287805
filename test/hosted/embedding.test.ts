import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { openShop } from '../support/forms/shop.ts'
import { inSteps } from '../support/forms/stepped.ts'
import { hasBrowser } from '../support/pages/browser.ts'
import { setUpPage } from '../support/pages/fixtures.ts'
import { violations } from '../support/pages/pages.ts'

let app: TestApp
let acme: TestTenant
let page: Page
let shop: ReturnType<typeof openShop> | undefined
/** What went wrong in the page: errors and what its policy refused. */
let complaints: string[]

describe.skipIf(!hasBrowser)('on another site', () => {
  setUpPage((fixture) => ({ app, acme, page, complaints } = fixture))
  beforeEach(async () => {
    // What bubbles up to the page of the form's events.
    await page.addInitScript(() => {
      const told: unknown[] = []
      Object.assign(window, { told })
      for (const name of ['ready', 'page', 'complete'])
        document.addEventListener(`frontdesk:${name}`, (event) =>
          told.push([name, (event as CustomEvent).detail, (event.target as HTMLElement).dataset.form]),
        )
    })
  })
  afterEach(() => {
    shop?.close()
    shop = undefined
  })

  const told = () => page.evaluate('window.told') as Promise<unknown[]>
  const toldOf = async (name: string) => {
    await page.waitForFunction(
      (wanted) => JSON.stringify((window as never as { told: [] }).told).includes(wanted),
      name,
    )
    return told()
  }
  const script = ({ launchCode }: TestForm, attributes = '') =>
    `<script src="${app.url}/embed.js" data-form="${launchCode}" ${attributes}></script>`
  const frame = () => page.frameLocator('iframe')
  async function visit(body: string, head = ''): Promise<void> {
    shop = openShop(body, app.url, head)
    await page.goto(shop.url)
  }

  test('the page is told of each screen and of the end, and of no answer', async () => {
    const form = await createPublished(acme, [questionBody('nps'), questionBody('textbox')])
    // Steps are told of as pages are.
    await inSteps(acme, form)
    await visit(script(form))
    await frame().locator('#next:enabled').waitFor()
    app.clock.advance(5000)
    await frame().locator('.step').nth(9).click()
    await frame().locator('#next').press('Enter')
    await frame().locator('.type-textbox input').pressSequentially('Secret')
    await frame().locator('.type-textbox input').press('Enter')
    expect(await toldOf('complete')).toEqual([
      ['ready', null, form.launchCode],
      ['page', { page: 1, count: 2 }, form.launchCode],
      ['page', { page: 2, count: 2 }, form.launchCode],
      ['complete', null, form.launchCode],
    ])
    expect(complaints).toEqual([])
  })

  test('the frame grows with its form, whatever the page has all frames do', async () => {
    const form = await createPublished(acme, [questionBody('textbox', { rows: 20 }), questionBody('textbox')])
    await visit(script(form))
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('iframe { aspect-ratio: 16/9; height: auto !important; min-height: 2000px; max-height: 315px }')
      document.adoptedStyleSheets = [sheet]
    })
    await frame().locator('#next:enabled').waitFor()
    // What the form asked for, once it did.
    await page.waitForFunction(() => {
      const iframe = document.querySelector('iframe')
      return iframe && iframe.style.height !== '600px' && iframe.offsetHeight === Number.parseInt(iframe.style.height)
    })
  })

  describe('a form in the page is light or dark as what is around it', () => {
    const classOf = () => frame().locator('html').getAttribute('class')
    /** What suits the colour of its text. */
    const ground = async () => {
      const colour = await frame()
        .locator('.asked-text')
        .first()
        .evaluate((text) => getComputedStyle(text).color)
      return Number(/^oklch\(([\d.]+)/.exec(colour)?.[1]) > 0.5 ? 'dark' : 'light'
    }

    test.each([
      ['dark', 'on a page that says nothing', '', 'light'],
      ['dark', 'on a page that is light', '<style>body { background: oklch(0.97 0.02 90) }</style>', 'light'],
      ['dark', 'on a page for both', '<style>:root { color-scheme: light dark }</style>', 'dark'],
      ['dark', 'on one that says so in its head', '<meta name="color-scheme" content="light dark">', 'dark'],
      [
        'dark',
        'on a page that is light by a wide gamut',
        '<style>main { background: color(display-p3 0.9 0.9 0.9) }</style>',
        'light',
      ],
      ['light', 'on a page for both', '<style>:root { color-scheme: light dark }</style>', 'light'],
      [
        'light',
        'in a part that is dark',
        '<style>body { background: #fff } main { background: rgb(20 20 30) }</style>',
        'dark',
      ],
      [
        'light',
        'on a dark page, from a part that is seen through',
        '<style>body { background: #111 } main { background: rgb(255 255 255 / 0.1) }</style>',
        'dark',
      ],
    ] as const)('on a %s device %s', async (colorScheme, _where, head, expected) => {
      const form = await createPublished(acme, [questionBody('nps')])
      await page.emulateMedia({ colorScheme })
      shop = openShop(script(form), app.url, head, "'unsafe-inline'")
      await page.goto(shop.url)
      await frame().locator('#next:enabled').waitFor()
      expect([await classOf(), await ground()]).toEqual([expect.stringContaining(` ${expected} `), expected])
      // In one scheme with the page around it, what has no background is seen through.
      expect(await page.locator('iframe').evaluate((element) => getComputedStyle(element).colorScheme)).toBe(expected)
      expect(complaints).toEqual([])
    })

    test('from the head of the page, too, and what its owner chose stands', async () => {
      const form = await createPublished(acme, [questionBody('nps')])
      await page.emulateMedia({ colorScheme: 'dark' })
      await visit('', script(form))
      await frame().locator('#next:enabled').waitFor()
      expect(await ground()).toBe('light')
      await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { scheme: 'dark' }))
      await page.reload()
      await frame().locator('#next:enabled').waitFor()
      expect(await ground()).toBe('dark')
      // An address that asks for something else is that of a form which goes by the device.
      await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { scheme: 'auto' }))
      for (const asked of ['', 'blue', 'light%22onload=alert(1)']) {
        const { status, text } = await app.request('GET', `/f/${form.launchCode}?color-scheme=${asked}`)
        expect([status, text.includes('<meta name="color-scheme" content="light dark">')]).toEqual([200, true])
      }
    })
  })

  test('data-query fills answers in and sets hidden fields, and nothing else of the page does', async () => {
    const form = await createPublished(acme, [questionBody('textbox', { friendlyId: 'NAME' })])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden: ['campaign'] }))
    await visit(script(form, `data-query="NAME=Ada+%26+Bob&amp;campaign=spring&amp;unknown=x"`))
    await frame().locator('#next:enabled').waitFor()
    expect(await frame().locator('.type-textbox input').inputValue()).toBe('Ada & Bob')
    app.clock.advance(5000)
    await frame().locator('#next').click()
    await toldOf('complete')
    const { items } = (await acme.get(`/v1/forms/${form.id}/responses`)).body
    expect(items).toMatchObject([{ hiddenFields: { campaign: 'spring' }, answers: [{ value: 'Ada & Bob' }] }])
    expect(complaints).toEqual([])
  })

  test('it hears its own form only: not the page, nor another frame', async () => {
    const [form, other] = [
      await createPublished(acme, [questionBody('nps')]),
      await createPublished(acme, [questionBody('nps')]),
    ]
    await visit(script(form))
    await toldOf('page')
    // Messages come in order: once the other form has been heard by the page, ours would have told of it.
    await page.evaluate(
      (address) =>
        new Promise<void>((resolve) => {
          postMessage({ frontdesk: 'complete' }, '*')
          const foreign = document.createElement('iframe')
          foreign.src = address
          addEventListener('message', ({ data, source }) => {
            if (source === foreign.contentWindow && data?.frontdesk === 'height') resolve()
          })
          document.body.append(foreign)
        }),
      `${app.url}/f/${other.launchCode}`,
    )
    await page
      .frameLocator('iframe')
      .first()
      .locator('form')
      .evaluate(() => {
        for (const frontdesk of ['toString', '__proto__', null, 7]) parent.postMessage({ frontdesk }, '*')
        parent.postMessage('complete', '*')
        parent.postMessage(null, '*')
        parent.postMessage({ frontdesk: 'page', page: 'x', count: { a: 1 } }, '*')
      })
    expect((await toldOf('null,"count"')).map((told) => (told as unknown[])[0])).toEqual(['ready', 'page', 'page'])
    expect(complaints).toEqual([])
  })

  describe.each(['dialog', 'slide-in'] as const)('as a %s', (mode) => {
    const open = () =>
      page.evaluate(() => {
        const hosts = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
        return hosts.some((root) => root.querySelector('dialog')?.open)
      })

    test('it opens from its button, keeps the focus, and Escape closes it and gives the focus back', async () => {
      const form = await createPublished(acme, [questionBody('multi_dropdown'), questionBody('textbox')])
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      await visit(`${script(form, `data-mode="${mode}" data-label="Tell us"`)}<a href="#x">Elsewhere</a>`)
      const button = page.getByRole('button', { name: 'Tell us' })
      // Nobody who does not open it loads it.
      expect([await page.locator('iframe').count(), requested.some((url) => url.includes('/f/'))]).toEqual([0, false])
      expect(await violations(page)).toEqual([])
      await button.press('Enter')
      await frame().locator('#next:enabled').waitFor()
      app.clock.advance(5000)
      await toldOf('page')
      expect(await page.getByRole('dialog', { name: 'Survey · Acme Roasters' }).count()).toBe(1)
      await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.localName === 'iframe')
      // What is behind it is out of reach, by key and by mouse.
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press('Tab')
        expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('a')
      }
      expect(await violations(page)).toEqual([])

      // A list that is open in the form has Escape first.
      const list = frame().locator('details')
      await frame().locator('summary').press('Enter')
      await frame().locator('summary').press('Escape')
      expect([await list.getAttribute('open'), await open()]).toEqual([null, true])
      await frame().locator('.type-textbox input').fill('Half a')
      await frame().locator('.type-textbox input').press('Escape')
      await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.textContent === 'Tell us')
      expect(await open()).toBe(false)
      // What was filled in is still there.
      await button.press('Enter')
      expect(await frame().locator('.type-textbox input').inputValue()).toBe('Half a')
      await page.getByRole('button', { name: 'Close' }).press('Escape')
      expect(await open()).toBe(false)
      await button.press('Enter')
      await page.getByRole('button', { name: 'Close' }).click()
      expect(await open()).toBe(false)
      await button.click()
      await page.mouse.click(4, 4)
      expect(await open()).toBe(false)
      await button.press('Enter')
      await frame().locator('#next').press('Enter')
      await frame().locator('#done:not([hidden])').waitFor()
      expect((await toldOf('complete')).map((told) => (told as unknown[])[0])).toEqual(['ready', 'page', 'complete'])
      expect(complaints).toEqual([])
    })

    test('it opens from what the page has for it, from its head too, whenever that comes', async () => {
      const form = await createPublished(acme, [questionBody('nps')])
      await visit('<a href="#gone" class="ask"><b>Ask</b></a>', script(form, `data-mode="${mode}" data-open=".ask"`))
      expect(await page.getByRole('button').count()).toBe(0)
      await page.click('b')
      await frame().locator('#next:enabled').waitFor()
      expect([await open(), page.url()]).toEqual([true, `${shop?.url}/`])
      await frame().locator('#next').press('Escape')
      await page.waitForFunction(() => document.activeElement?.matches('.ask'))
      await page.evaluate(() => {
        const late = document.createElement('button')
        late.className = 'ask'
        late.id = 'late'
        document.body.append(late)
      })
      await page.locator('#late').press('Enter')
      expect(await open()).toBe(true)
      expect(complaints).toEqual([])
    })

    test('it is as large on a page whose letters are small to begin with, and takes nothing that the page insists on', async () => {
      const form = await createPublished(acme, [questionBody('textbox')])
      await page.setViewportSize({ width: 1200, height: 800 })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await visit(script(form, `data-mode="${mode}"`))
      const sizes = async () => {
        await page.getByRole('button', { name: 'Form' }).press('Enter')
        await frame().locator('#next:enabled').waitFor()
        const widths = [
          await page.locator('dialog').boundingBox(),
          await page.getByRole('button', { name: 'Close' }).boundingBox(),
        ]
        await page.getByRole('button', { name: 'Close' }).press('Enter')
        const button = await page.getByRole('button', { name: 'Form' }).boundingBox()
        return [...widths, button].map((box) => Math.round(box?.width ?? 0))
      }
      const before = await sizes()
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(
          'html { font-size: 62.5% } div { width: 30px !important; font: 30px cursive !important; zoom: 2 !important; transform: scale(0.5) !important }',
        )
        document.adoptedStyleSheets = [sheet]
      })
      expect(await sizes()).toEqual(before)
      expect(before[0]).toBe(mode === 'dialog' ? 640 : 480)
    })

    test('it takes no looks from the page, and fits a phone', async () => {
      const form = await createPublished(acme, [
        questionBody('textbox', { rows: 20 }),
        questionBody('textbox', { rows: 20 }),
      ])
      await page.setViewportSize({ width: 320, height: 600 })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await visit(script(form, `data-mode="${mode}"`))
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(
          '* { display: none; color: red } html, body, main, div { display: block } dialog, iframe, button { width: 7px }',
        )
        document.adoptedStyleSheets = [sheet]
      })
      await page.getByRole('button', { name: 'Form' }).click()
      await frame().locator('#next:enabled').waitFor()
      app.clock.advance(5000)
      // Once it has slid in.
      await page
        .locator('dialog')
        .evaluate((dialog) => Promise.all(dialog.getAnimations().map(({ finished }) => finished)))
      const box = await page.locator('dialog').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
      expect(box?.height).toBeLessThanOrEqual(600)
      expect(await page.locator('iframe').evaluate(({ offsetWidth }: HTMLElement) => offsetWidth)).toBeGreaterThan(280)
      // The form scrolls in its frame.
      await frame().locator('#next').scrollIntoViewIfNeeded()
      await frame().locator('#next').click()
      await frame().locator('#done:not([hidden])').waitFor()
    })
  })
})
