import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hasBrowser, openBrowser, openPhone } from '../support/pages/browser.ts'
import { createPerson, type Person } from '../support/pages/console.ts'
import { signInAt } from '../support/pages/pages.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

/** Where a part of the page stands, in the window. */
const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((parts) =>
    parts
      .map((part) => part.getBoundingClientRect())
      .filter(({ width, height }) => width > 1 && height > 1)
      .map(({ top, bottom, left, right, width, height }) => ({ top, bottom, left, right, width, height })),
  )

describe.skipIf(!hasBrowser)('the look of the console', () => {
  let app: TestApp
  let acme: TestTenant
  let ada: Person
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let phone: BrowserContext
  let ticketId: string
  let formId: string

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    ada = await createPerson(acme)
    const inboxId = (await createEmailInbox(acme)).id
    for (let number = 0; number < 24; number += 1) {
      ticketId = (await createTicket(acme, { inboxId, subject: `Ticket ${number}` })).id
    }
    const questions = [questionBody('nps', { text: 'How was it?' })]
    formId = (await acme.post('/v1/forms', { title: 'Feedback', questions })).body.id
    browser = await openBrowser()
    page = await browser.context.newPage()
    await page.setViewportSize({ width: 1440, height: 900 })
    await signInAt(page, app, ada.email, '/console/inbox')
    phone = await openPhone(browser.context)
  })
  afterAll(async () => {
    await phone?.close()
    await browser?.close()
    await app.close()
  })

  test('a theme that is chosen applies at once, and on the next page from its beginning', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${app.url}/console/account`)
    const background = () =>
      page.evaluate(() => getComputedStyle(document.body.parentElement as Element).backgroundColor)
    const light = await background()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.locator('.menu.theme summary').press('Enter')
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/account/theme'))
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.locator('html[data-theme="dark"]').waitFor()
    const dark = await background()
    expect([await page.evaluate(() => 'isSamePage' in window), dark === light]).toEqual([true, false])
    await kept
    await page.reload()
    expect(await background()).toBe(dark)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('.menu.theme summary').press('Enter')
    await page.getByRole('button', { name: 'Light' }).click()
    await page.locator('html[data-theme="light"]').waitFor()
    expect(await background()).toBe(light)
  })

  test('twenty tickets stand in a window of 900 pixels', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${app.url}/console/inbox`)
    await page.locator('.bulk.idle').waitFor()
    const rows = await boxesOf(page, '.tickets li')
    expect(rows.filter(({ bottom }) => bottom <= 900).length).toBeGreaterThanOrEqual(20)
    await page.locator('.tickets input').first().check()
    await page.locator('.bulk:not(.idle)').waitFor()
    expect(await boxesOf(page, '.tickets li')).toEqual(rows)
  })

  test('where there is little room the pages are icons with names, and all of it opens over the page', async () => {
    for (const width of [768, 1199]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${app.url}/console/contacts`)
      const link = page.getByRole('link', { name: 'Articles', exact: true })
      expect((await link.boundingBox())?.width).toBeLessThan(48)
      expect(await link.getAttribute('title')).toBe('Articles')
      const [main] = await boxesOf(page, 'main')
      await page.locator('[data-menu] summary').press('Enter')
      await page.locator('[data-menu][open]').waitFor()
      expect((await link.boundingBox())?.width).toBeGreaterThan(120)
      expect(await boxesOf(page, 'main')).toEqual([main as NonNullable<typeof main>])
      await page.keyboard.press('Escape')
      expect((await link.boundingBox())?.width).toBeLessThan(48)
    }
  })

  test('a phone has the tickets first, and where one goes most at the bottom', async () => {
    const own = await phone.newPage()
    await own.goto(`${app.url}/console/inbox`)
    await own.locator('.bulk.idle').waitFor()
    const [first] = await boxesOf(own, '.tickets li')
    expect(first?.top).toBeLessThan(200)
    const bar = await boxesOf(own, '.bar a, [data-menu] summary')
    expect(
      bar.map(({ top, bottom, height, width }) => top > 700 && bottom <= 800 && height >= 44 && width >= 44),
    ).toEqual([true, true, true, true])
    const small = (
      await boxesOf(own, 'main :is(button, select, summary, .new, input:not([type="checkbox"]), .tickets a)')
    ).filter(({ height }) => height < 44)
    expect(small).toEqual([])
    await own.getByRole('link', { name: 'Chats' }).tap()
    await own.locator('.bar a[href$="channel=livechat"][aria-current]').waitFor()
    expect(await own.locator('.tickets').count()).toBe(0)
    await own.locator('[data-menu] summary').tap()
    await own.getByRole('link', { name: 'Settings' }).tap()
    await own.waitForURL('**/console/settings')
    await own.close()
  })

  test('on a phone what applies filters, and what clears them, stand beside their field or beneath it', async () => {
    const own = await phone.newPage()
    for (const path of ['organisations', 'organisations?q=acme', 'audit?action=user.signed_in']) {
      await own.goto(`${app.url}/console/${path}`)
      const fields = await boxesOf(own, '.filters :is(input, select)')
      const lowest = Math.max(...fields.map(({ bottom }) => bottom))
      const actions = await boxesOf(own, '.filters .buttons > *')
      // At its height, or below.
      expect([path, actions.filter(({ bottom }) => bottom < lowest - 2)]).toEqual([path, []])
    }
    await own.close()
  })

  test('on a phone the tab that is shown stands in its row, however far back in it', async () => {
    const own = await phone.newPage()
    for (const path of ['contacts', 'contacts/imports', 'settings', 'settings/rules', 'settings/backups']) {
      await own.goto(`${app.url}/console/${path}`)
      const [[row], [tab]] = [await boxesOf(own, '.tabs ul'), await boxesOf(own, '.tabs [aria-current]')]
      if (!row || !tab) throw new Error(`no tab is shown at ${path}`)
      expect([path, tab.left > row.left - 1, tab.right < row.right + 1]).toEqual([path, true, true])
      expect(await own.evaluate(() => window.scrollY)).toBe(0)
    }
    await own.close()
  })

  test('what a report says in figures leaves no hole, however wide the window', async () => {
    await app.runDue()
    const own = await browser.context.newPage()
    for (const width of [390, 520, 600, 1440]) {
      await own.setViewportSize({ width, height: 900 })
      await own.goto(`${app.url}/console/reports`)
      const [[whole], tiles] = [await boxesOf(own, '.tiles'), await boxesOf(own, '.tile')]
      const lowest = tiles.reduce((last, tile) => (tile.bottom >= last.bottom ? tile : last))
      expect([width, Math.round((whole?.right ?? 0) - lowest.right)]).toEqual([width, 1])
    }
    await own.close()
  })

  test('printed, a page has the whole of the paper, upright or across, and nothing that only a window needs', async () => {
    const paths = ['reports', 'contacts', `forms/${formId}/results`, `tickets/${ticketId}`, 'inbox']
    try {
      for (const path of paths) {
        await page.emulateMedia({ media: 'screen' })
        await page.setViewportSize({ width: 1440, height: 900 })
        await page.goto(`${app.url}/console/${path}`)
        await page.emulateMedia({ media: 'print' })
        for (const [width, height] of [
          [794, 1122],
          [1122, 794],
        ] as const) {
          await page.setViewportSize({ width, height })
          const [main] = await boxesOf(page, 'main')
          expect([path, width, main?.left, main?.right]).toEqual([path, width, 0, width])
          expect([path, await boxesOf(page, '.top')]).toEqual([path, []])
        }
      }
    } finally {
      await page.emulateMedia({ media: null })
      await page.setViewportSize({ width: 1440, height: 900 })
    }
  })

  test('on a phone a ticket has its actions in one row, and its answer at the foot', async () => {
    const own = await phone.newPage()
    await own.goto(`${app.url}/console/tickets/${ticketId}`)
    await own.locator('.editor').waitFor()
    const actions = await boxesOf(own, '.actions > :not(.take), .actions > form button')
    expect(new Set(actions.map(({ top, height }) => Math.round(top + height / 2))).size).toBe(1)
    expect(actions.every(({ height, left, right }) => height >= 44 && left >= 0 && right <= 390)).toBe(true)
    for (const summary of await own.locator('.actions .menu > summary').all()) {
      await summary.tap()
      const [items] = await boxesOf(own, '.actions .menu[open] .menu-items')
      expect([(items?.left ?? -1) >= 0, (items?.right ?? 999) <= 390]).toEqual([true, true])
      await own.keyboard.press('Escape')
    }
    const [editor] = await boxesOf(own, '.editor')
    expect([(editor?.top ?? 0) > 400, (editor?.bottom ?? 900) <= 800]).toEqual([true, true])
    const send = await own.getByRole('button', { name: 'Send', exact: true }).boundingBox()
    expect((send?.y ?? 900) + (send?.height ?? 0)).toBeLessThanOrEqual(800)
    expect(await own.evaluate(() => document.documentElement.scrollHeight)).toBe(800)
    await own.close()
  })

  test('on a phone a question that is chosen in the builder opens itself, and leads back', async () => {
    const own = await phone.newPage()
    await own.goto(`${app.url}/console/forms/${formId}/build`)
    await own.getByText('How was it?').first().tap()
    await own.locator('.pane[data-chosen]').waitFor()
    const [pane] = await boxesOf(own, '#pane')
    expect(await boxesOf(own, '#outline')).toEqual([])
    expect(pane?.left).toBeLessThan(40)
    await own.locator('.to-outline a').tap()
    await own.locator('#outline').waitFor()
    expect(await boxesOf(own, '#pane')).toEqual([])
    await own.close()
  })
})
