import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishForm } from '../../src/forms/publishing.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../src/forms/settings/read.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { expectThanks, violations } from '../support/pages/pages.ts'
import { type StandInSession, type StripeStandIn, startStripe, stripeError } from '../support/servers/stripe.ts'

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

  async function send(questions: object[] = [fee], settings: SettingsChanges = {}): Promise<TestForm> {
    const form = await createPublished(acme, questions)
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, settings))
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
    await page.click('#next')
    return form
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

  test('has the words of the end that the answers led to, for whoever comes back too', async () => {
    const showIf = { match: 'all', conditions: [{ question: 'WHO', op: 'answered' }] }
    const { body } = await acme.post('/v1/forms', {
      title: 'Fees',
      active: true,
      questions: [{ type: 'textbox', text: 'Who pays?', friendlyId: 'WHO' }, fee],
      ends: [{ showIf, thanks: '<p>Thank you, {WHO}.</p>' }],
    })
    await acme.perform((tx, caller) => publishForm(tx, caller, body.id))
    await page.goto(`${app.url}/f/${body.launchCode}`)
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
    await page.fill('.type-textbox .text', 'Ada & Bo')
    await page.click('#next')
    stripe.pay(await payingAt())
    await page.click('#paid')
    await note('Your payment has been received.')
    expect(await page.textContent('#thanks')).toBe('Thank you, Ada & Bo.')
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

  describe('that leads on to another page', () => {
    const redirect = 'https://shop.test/thanks?from=form'
    const onlyResponse = async ({ id }: TestForm) => (await acme.get(`/v1/forms/${id}/responses`)).body.items[0].id
    beforeEach(() =>
      page
        .context()
        .route('https://shop.test/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Shop</h1>' })),
    )
    afterEach(() => page.context().unroute('https://shop.test/**'))

    test('does so once all is paid, and whoever comes back again is thanked', async () => {
      const form = await send([fee, { ...fee, text: 'Tax', currency: 'USD' }], { redirect })
      stripe.pay(await payingAt())
      await page.click('#paid')
      await expectThanks(page)
      await note('A payment is still open.')
      await page.click('#pay')
      stripe.pay(await payingAt())
      await page.click('#paid')
      await page.waitForURL(`${redirect}&response=${await onlyResponse(form)}`)
      await page.goto(`${app.url}/f/${form.launchCode}?paid=true`)
      await note('Your payment has been received.')
      await expectThanks(page)
      expect(page.url()).toEndWith('?paid=true')
    })

    test('does not when nothing was paid', async () => {
      await send([fee], { redirect })
      await payingAt()
      await page.click('#back')
      await note('A payment is still open.')
      expect(page.url()).toEndWith('?paid=false')
    })

    test('does at once when there is nothing to pay', async () => {
      const form = await send([{ ...fee, amount: 0 }], { redirect })
      await page.waitForURL(/shop\.test/)
      expect(page.url()).toBe(`${redirect}&response=${await onlyResponse(form)}`)
    })
  })

  test('in a frame links to the payment page, in a tab of its own', async () => {
    const form = await createPublished(acme, [fee])
    const html = `<!doctype html><title>Shop</title><script src="${app.url}/embed.js" data-form="${form.launchCode}"></script>`
    const shop = Bun.serve({ port: 0, fetch: () => new Response(html, { headers: { 'content-type': 'text/html' } }) })
    try {
      await page.goto(`http://localhost:${shop.port}`)
      const frame = page.frameLocator('iframe')
      const reopened = async () => {
        await page.reload()
        await frame.locator('#next:enabled').waitFor()
        app.clock.advance(5000)
        await frame.locator('#next').click()
        await frame.locator('#pay').click()
      }
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
      // The tab knows of the response by its address alone.
      await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { redirect: 'https://acme.test/' }))
      await browser.context.route('https://acme.test/**', (route) => route.fulfill({ body: 'Shop' }))
      const [other] = await Promise.all([browser.context.waitForEvent('page'), reopened()])
      await other.waitForURL(/\/pay\//)
      stripe.pay(stripe.at(other.url()))
      await other.click('#paid')
      await other.waitForURL(/acme\.test\/\?response=r_/)
      await other.close()
    } finally {
      await shop.stop(true)
    }
  })
})
