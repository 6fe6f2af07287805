import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { createPublished } from '../support/collecting.ts'
import { expectThanks, violations } from '../support/pages.ts'
import { type StandInSession, type StripeStandIn, startStripe, stripeError } from '../support/stripe.ts'

const fee = { type: 'payment', text: 'Fee', amount: 500, currency: 'EUR', required: true }

let stripe: StripeStandIn
let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page

describe.skipIf(!hasBrowser)('the page of a form with a payment', () => {
  beforeAll(async () => {
    stripe = await startStripe()
    app = await startApp({ environment: { ...stripe.environment, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    acme = await app.createTenant()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    stripe?.stop()
  })
  beforeEach(async () => {
    page = await browser.context.newPage()
    stripe.requests.length = 0
  })
  afterEach(() => page.close())

  async function send(questions: object[] = [fee]): Promise<void> {
    const form = await createPublished(acme, questions)
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
    await page.click('#next')
  }
  const note = (text: string) =>
    page.waitForFunction((wanted) => document.querySelector('#pay-note')?.textContent === wanted, text)
  const payingAt = async (): Promise<StandInSession> => {
    await page.waitForURL(/\/pay\//)
    return stripe.at(page.url())
  }

  test('says what is due, and that it is paid after sending', async () => {
    const form = await createPublished(acme, [fee])
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#due:visible')
    expect(await page.locator('#due').textContent()).toBe('Due €5.00 You pay after sending.')
  })

  test('leads to the payment page, and thanks whoever comes back', async () => {
    await send()
    const session = await payingAt()
    stripe.pay(session)
    await page.click('#paid')
    await expectThanks(page)
    await note('Your payment has been received.')
    expect(await page.locator('#pay').isVisible()).toBe(false)
    expect(await page.locator('#form').count()).toBe(0)
    await page.goto(page.url().replace(/\?.*/, ''))
    expect(await page.locator('#form').isVisible()).toBe(true)
  })

  test('can be paid by who sent the last response that the form takes', async () => {
    const form = await createPublished(acme, [fee])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { maxResponses: 1 }))
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
    await page.click('#next')
    await payingAt()
    await page.goto(`${app.url}/f/${form.launchCode}?paid=false`)
    await expectThanks(page)
    await note('A payment is still open.')
    expect((await app.request('GET', `/f/${form.launchCode}`)).status).toBe(404)
  })

  test('offers the payment again to whoever turns back, by the link or in the browser’s history', async () => {
    await send()
    const { url } = await payingAt()
    await page.click('#back')
    await note('A payment is still open.')
    expect(await violations(page)).toEqual([])
    await page.click('#pay')
    expect((await payingAt()).url).toBe(url as string)
    // Over the page of turning back and the first visit, to where the answers were sent.
    for (const _ of [1, 2, 3]) await page.goBack()
    expect(page.url()).toEndWith('?paid=false')
    await expectThanks(page)
    expect(stripe.asked()).toHaveLength(1)
  })

  test('offers to try again when the payment page cannot be opened', async () => {
    stripe.fail(() => stripeError(401, 'invalid_request_error'))
    await send()
    await note('The payment page could not be opened.')
    await page.click('#pay')
    await note('A payment is still open.')
    await page.click('#pay')
    await payingAt()
  })

  test('leads nowhere when the payment is not wanted, or nothing is to be paid', async () => {
    for (const question of [
      { ...fee, required: false },
      { ...fee, amount: 0 },
    ]) {
      await send([question])
      await expectThanks(page)
      await note('')
      expect(await page.locator('#pay').isVisible()).toBe(false)
    }
    expect(stripe.requests).toEqual([])
  })

  test('in a frame links to the payment page, in a tab of its own', async () => {
    const form = await createPublished(acme, [fee])
    const html = `<!doctype html><title>Shop</title><script src="${app.url}/embed.js" data-form="${form.launchCode}"></script>`
    const shop = Bun.serve({ port: 0, fetch: () => new Response(html, { headers: { 'content-type': 'text/html' } }) })
    try {
      await page.goto(`http://localhost:${shop.port}`)
      const frame = page.frameLocator('iframe')
      await frame.locator('#next:enabled').waitFor()
      app.clock.advance(5000)
      await frame.locator('#next').click()
      const [tab] = await Promise.all([browser.context.waitForEvent('page'), frame.locator('#pay').click()])
      await tab.waitForURL(/\/pay\//)
      stripe.pay(stripe.at(tab.url()))
      await tab.click('#paid')
      await expectThanks(tab)
      expect(await tab.locator('#pay-note').textContent()).toBe('Thank you for your payment.')
      await tab.close()
    } finally {
      await shop.stop(true)
    }
  })
})
