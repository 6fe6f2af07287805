import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { expectSound, signInAt } from '../../support/pages/pages.ts'
import { type Receiver, reply, startReceiver } from '../../support/webhooks/receiver.ts'
import { addContacts, passWindow, startDelivering, subscribe } from '../../support/webhooks/webhooks.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

describe.skipIf(!hasBrowser)('the pages of webhooks in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let receiver: Receiver
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let id: string
  let failed: string

  beforeAll(async () => {
    app = await startDelivering()
    acme = await app.createTenant()
    receiver = await startReceiver()
    receiver.always(reply(404, { body: '<h1>Not found</h1>' }))
    await subscribe(acme, receiver, { name: 'Resting', active: false })
    await subscribe(acme, receiver, { name: LONG, url: `${receiver.url}/${LONG}?${'x'.repeat(300)}` })
    id = await subscribe(acme, receiver, { name: 'CRM sync', secret: 'hush' })
    await addContacts(acme, 3)
    await passWindow(app)
    for (let i = 0; i < 6; i++) {
      app.clock.advance(1_900_000)
      await app.runDue()
    }
    await addContacts(acme)
    await app.runDue()
    failed = (await acme.get(`/v1/webhooks/${id}/deliveries?status=failed`)).body.items[0].id
    const admin = await createPerson(acme)
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, admin.email)
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await app?.close()
  })

  test('have no violation that axe finds, and nothing that runs out of the page', async () => {
    for (const path of ['', '/new', `/${id}`, `/${id}/edit`, `/${id}/deliveries/${failed}`]) {
      await page.goto(`${app.url}/console/webhooks${path}`)
      for (const details of await page.locator('main details').all()) await details.locator('summary').click()
      await expectSound(page)
    }
    app.clock.advance(5_000)
    await page.goto(`${app.url}/console/webhooks/${id}`)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('heading', { name: 'The receiver did not accept it' }).waitFor()
    expect(await page.getByText('<h1>Not found</h1>').isVisible()).toBe(true)
    await expectSound(page)
    await page.goto(`${app.url}/console/webhooks/new`)
    await page.getByLabel('Name').fill('Fresh')
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('alert').waitFor()
    await expectSound(page)
    await page.getByLabel('A ticket was opened').check()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await expectSound(page)
  })

  test('let a failed delivery be found, mended and made again by keyboard alone', async () => {
    const right = await startReceiver()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${app.url}/console/webhooks`)
    const press = async (role: 'link' | 'button', name: string | RegExp, key = 'Enter') => {
      const target = page.getByRole(role, { name }).first()
      for (let i = 0; i < 80 && !(await target.evaluate((element) => element === document.activeElement)); i++) {
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press(key)
    }
    await press('link', 'CRM sync')
    await page.getByRole('heading', { name: 'Why deliveries fail' }).waitFor()
    await press('link', 'Edit the URL')
    await page.getByRole('heading', { name: 'Edit webhook' }).waitFor()
    await page.getByLabel('URL').focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(right.url)
    await page.keyboard.press('Enter')
    await page.getByText('The webhook was saved.').waitFor()
    await press('button', 'Redeliver')
    await page.getByText('The delivery will be made again').waitFor()
    // It waits behind the batch that collects.
    await passWindow(app)
    expect(right.requests.length).toBeGreaterThan(0)
    await page.reload()
    await page.locator('.badge.good', { hasText: 'Delivered' }).waitFor()
    await right.close()
  })
})
