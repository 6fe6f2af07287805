import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { DEFAULT_CHOICES, setAlertChoices } from '../../../src/alerts/choices.ts'
import { assignTicket } from '../../../src/tickets/assignment.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson, type Person } from '../../support/pages/console.ts'
import { expectSound, signInAt } from '../../support/pages/pages.ts'
import { until } from '../../support/patience.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

/** What the page is to tell the test. */
interface Noting {
  /** In place of the browser's own notifications, of which nothing can be seen. */
  shown: { title: string; body: string; press(): void }[]
  /** How often it was asked, and answered, whether any tab is looked at. */
  asked: number
  /** How often it heard that nothing is missed from there on. */
  listens: number
  locks(): Promise<string[]>
}

function noteNotifications(): void {
  const noting = { asked: 0, listens: 0, locks: async () => [] as (string | undefined)[] }
  const { query } = LockManager.prototype
  noting.locks = async () => (await query.call(navigator.locks)).held?.map(({ name }) => name) ?? []
  LockManager.prototype.query = async function () {
    const found = await query.call(this)
    ;(window as unknown as { asked: number }).asked += 1
    return found
  }
  class Listening extends EventSource {
    constructor(path: string) {
      super(path)
      this.addEventListener('listening', () => {
        ;(window as unknown as { listens: number }).listens += 1
      })
    }
  }
  const shown: { title: string; body: string; press: () => void }[] = []
  class Noted extends EventTarget {
    static permission = 'granted'
    constructor(title: string, { body }: { body: string }) {
      super()
      shown.push({ title, body, press: () => this.dispatchEvent(new Event('click')) })
    }
    close() {}
  }
  Object.assign(window, { EventSource: Listening, Notification: Noted, shown, ...noting })
}

describe.skipIf(!hasBrowser)('alerts in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let robin: Person
  let browser: Awaited<ReturnType<typeof openBrowser>>

  beforeAll(async () => {
    app = await startApp()
    browser = await openBrowser()
    acme = await app.createTenant()
    robin = await createPerson(acme, 'agent')
    const assigned = { browser: true, sound: true, mail: 'off' } as const
    await acme.perform((tx, caller) => setAlertChoices(tx, caller, robin.userId, { ...DEFAULT_CHOICES, assigned }))
  })
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  const look = (page: Page, state: 'visible' | 'hidden') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  const shownIn = (page: Page) => page.evaluate(() => (window as unknown as Noting).shown.map(({ body }) => body))
  const askedIn = (page: Page) => page.evaluate(() => (window as unknown as Noting).asked)
  const listensIn = (page: Page) => page.evaluate(() => (window as unknown as Noting).listens)
  const held = (page: Page) => page.evaluate(() => (window as unknown as Noting).locks())
  /** How many tabs say that they are looked at. */
  const lookedAt = async (page: Page) => (await held(page)).filter((name) => name === 'frontdesk-looked-at').length

  test('are shown once where nobody looks, by one tab of all, and counted in the titles until somebody does', async () => {
    const first = await browser.context.newPage()
    await first.addInitScript(noteNotifications)
    await signInAt(first, app, robin.email, '/console/inbox')
    await until(async () => (await held(first)).includes('frontdesk-alerts'))
    await until(async () => (await listensIn(first)) > 0)
    const second = await browser.context.newPage()
    await second.addInitScript(noteNotifications)
    await second.goto(`${app.url}/console/inbox`)
    const title = await second.title()
    const assign = async (subject: string) => {
      const { id } = await createTicket(acme, { subject })
      await acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId: robin.userId }))
      return id
    }
    // One of them is looked at.
    await until(async () => (await lookedAt(first)) === 2)
    await look(first, 'hidden')
    await until(async () => (await lookedAt(first)) === 1)
    await assign('Seen')
    await until(async () => (await askedIn(first)) === 1)
    await until(async () => (await first.title()) === `(1) ${title}`)
    await look(second, 'hidden')
    await until(async () => (await lookedAt(first)) === 0)
    const id = await assign('Missed')
    await until(async () => (await shownIn(first)).length > 0)
    expect(await shownIn(first)).toEqual([expect.stringContaining('Missed')])
    expect(await shownIn(second)).toEqual([])
    await until(async () => (await first.title()) === `(2) ${title}` && (await second.title()) === `(1) ${title}`)
    await look(first, 'visible')
    expect(await first.title()).toBe(title)
    await first.evaluate(() => (window as unknown as Noting).shown[0]?.press())
    await first.locator(`[data-ticket="${id}"]`).waitFor()
    await second.close()
    await first.close()
  })

  test('are chosen at the account page, which says what the browser lets it do', async () => {
    const page = await browser.context.newPage()
    await page.addInitScript(noteNotifications)
    await signInAt(page, app, robin.email, '/console/account')
    await page.getByText('This browser shows notifications').waitFor()
    await page.getByRole('group', { name: 'A note mentions me' }).getByLabel('Sound').check()
    await page.locator('#alerts').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your alerts are saved.').waitFor()
    expect(await page.getByRole('group', { name: 'A note mentions me' }).getByLabel('Sound').isChecked()).toBe(true)
    await expectSound(page)
    await page.close()
  })
})
