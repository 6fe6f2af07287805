import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { setPriority } from '../../../src/tickets/assignment.ts'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import { addNote } from '../../../src/tickets/thread/notes.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { editorOf, expectSound, signInAt } from '../../support/pages/pages.ts'
import { until } from '../../support/patience.ts'
import { createTestAttachment, createTicket } from '../../support/tickets/tickets.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

describe.skipIf(!hasBrowser)('the inbox in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let ticketId: string

  const customerWrites = (input: object) =>
    acme.perform((tx, caller) => receiveMessage(tx, caller, ticketId, { ...input } as never))

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant(`Acme ${LONG}`)
    ticketId = (await createTicket(acme, { subject: `${LONG} ${LONG}`, name: LONG, text: LONG })).id
    await acme.perform((tx, caller) => setPriority(tx, caller, ticketId, 'urgent'))
    await createTicket(acme, { subject: 'Another order' })
    await acme.perform((tx, caller) => addNote(tx, caller, ticketId, { text: `A note ${LONG}` }))
    const file = await createTestAttachment(acme, { fileName: `${LONG}.txt` })
    const quote = '<blockquote><p>Old words</p></blockquote>'
    const table = `<table><tr><td>${LONG}</td><td>${LONG}</td></tr></table>`
    const image = '<img src="https://track.test/1.png">'
    await customerWrites({ html: `<h1>Hello</h1>${table}<pre>${LONG}</pre>${image}${quote}`, attachments: [file] })
    const { email } = await createPerson(acme, 'admin')
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, email, '/console/inbox')
  })
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  const paths = ['/console/inbox', '/console/quarantine', '/console/inbox?status=spam', '/console/tickets/:id']
  test.each(paths)('has no violation that axe finds, and nothing that runs out of the page: %s', async (path) => {
    await page.goto(app.url + path.replace(':id', ticketId))
    await page.evaluate(() => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = true
    })
    await expectSound(page)
  })

  test('what is written in Hebrew runs from right to left, and what stands beside it does not', async () => {
    const { id } = await createTicket(acme, {
      name: 'דנה?',
      subject: 'איפה?',
      text: 'מתי?',
      html: '<p>מתי?</p><ul><li>כן.</li></ul><p>When?</p>',
    })
    /** Whether the last letter of an element's own text stands left of its first. */
    const runsLeft = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
          const leftOf = (at: number) => {
            const range = new Range()
            range.setStart(text, at)
            range.setEnd(text, at + 1)
            return range.getBoundingClientRect().left
          }
          return leftOf(text.length - 1) < leftOf(0)
        })
    const long = await createTicket(acme, { name: 'דנה '.repeat(60), subject: 'איפה '.repeat(80), text: 'מתי?' })
    await page.goto(`${app.url}/console/inbox`)
    for (const place of ['.who bdi', '.subject']) {
      const element = page.locator(`.tickets li:has(a[href$="${long.id}"]) ${place}`)
      const isBeginningSeen = await element.evaluate((shown) => {
        const range = new Range()
        range.setStart(shown.firstChild as Node, 0)
        range.setEnd(shown.firstChild as Node, 1)
        const [letter, line] = [range.getBoundingClientRect(), (shown.closest('a') as Element).getBoundingClientRect()]
        return letter.left >= line.left && letter.right <= line.right
      })
      expect([place, isBeginningSeen]).toEqual([place, true])
    }
    const row = `.tickets li:has(a[href$="${id}"])`
    for (const place of ['.who bdi', '.subject', '.excerpt']) expect(await runsLeft(`${row} ${place}`)).toBe(true)
    const left = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? Number.NaN
    expect(await left(`${row} .subject`)).toBeLessThan(await left(`${row} .excerpt`))
    await page.goto(`${app.url}/console/tickets/${id}`)
    for (const place of ['.titles h1', '.message h2', '.said p', '.said li', '.person strong']) {
      expect(await runsLeft(place)).toBe(true)
    }
    expect(await runsLeft('.said p:last-child')).toBe(false)
    const list = page.locator('.said ul')
    expect(await list.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  })

  test('a ticket is opened and answered by keyboard, and snoozed by the reader’s own clock', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${app.url}/console/inbox`)
    await page.getByRole('link', { name: /Another order/ }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/tickets\//)
    await editorOf(page).focus()
    await page.keyboard.type('It is on its way.')
    // Canned replies and files come in between.
    await page.getByRole('button', { name: 'Send', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Your answer goes out in a moment.').waitFor()
    await until(async () => (await editorOf(page).textContent()) === '')
    const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
    expect(await page.locator('.ticket-head input[name="zone"]').first().inputValue()).toBe(zone)
    await page.locator('.ticket-head .menu.snooze > summary').press('Enter')
    await page.locator('#field-until').fill('2099-12-01T09:30')
    const field = await page.locator('#field-until').boundingBox()
    expect(field?.height).toBeLessThan(60)
    await page.locator('.ticket-head').getByRole('button', { name: 'Snooze until then' }).click()
    await page.getByText('The ticket is snoozed.').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    const { snoozedUntil } = (await acme.get(`/v1/tickets/${id}`)).body
    const shown = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    expect(shown.format(Date.parse(snoozedUntil))).toBe('2099-12-01 09:30')
  })

  test('what comes in is told by itself, and showing it keeps what was typed', async () => {
    await page.goto(`${app.url}/console/tickets/${ticketId}`)
    await editorOf(page).fill('Half an ans')
    expect(await page.getByText('new message').isVisible()).toBe(false)
    await customerWrites({ text: 'Are you there?' })
    await page.getByText('1 new message').waitFor()
    await customerWrites({ text: 'Hello?' })
    await page.getByText('2 new messages').waitFor()
    await page.getByRole('link', { name: 'Show', exact: true }).click()
    await page.locator('.thread').getByText('Are you there?').waitFor()
    await until(async () => (await editorOf(page).textContent()) === 'Half an ans')
    await page.getByText('new message').waitFor({ state: 'hidden' })
  })
})
