import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createOrganisation } from '../../src/organisations/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { createPerson, signedIn } from '../support/pages/console.ts'
import { signInAt, violations } from '../support/pages/pages.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let admin: Awaited<ReturnType<typeof signedIn>>
let ticketId: string

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  const inboxId = (await createEmailInbox(acme)).id
  const text = 'The kettle is cold.'
  ticketId = (await createTicket(acme, { inboxId, subject: 'Café orders', email: 'milan@hotel.test', text })).id
  await createTicket(acme, { inboxId, subject: 'Another', text: 'About the café: nothing.' })
  await acme.post('/v1/contacts', { email: 'zoe@acme.test', name: 'Zoe', lastName: 'Marlow' })
  await acme.post('/v1/forms', { title: 'Überblick der Gäste' })
  await acme.perform((tx, caller) => createOrganisation(tx, caller, { name: 'Hotel Morgenrot' }))
  agent = await signedIn(app, acme, 'agent')
  admin = await signedIn(app, acme, 'admin')
})
afterAll(() => app.close())

/** What is found, as its texts and details, by the names of the kinds. */
async function found(q: string, by = agent): Promise<Record<string, string[]>> {
  const { status, text } = await by.get(`/console/find/list?q=${encodeURIComponent(q)}`)
  expect(status).toBe(200)
  const groups = [...text.matchAll(/<section><h2>([^<]*)<\/h2>(.*?)<\/section>/gs)]
  return Object.fromEntries(
    groups.map(([, name = '', items = '']) => [
      name,
      [...items.matchAll(/<li><a[^>]*>(.*?)<\/a>/g)].map(([, item = '']) =>
        item.replace(/<\/span><small[^>]*>/g, ' | ').replace(/<[^>]*>/g, ''),
      ),
    ]),
  )
}

describe('finding by a few letters', () => {
  test.each([
    ['T-1', { Tickets: ['Café orders | T-1 · Ada Lovelace'] }],
    ['kettl', { Tickets: ['Café orders | T-1 · Ada Lovelace'] }],
    ['zo', { Contacts: ['Zoe Marlow | zoe@acme.test'] }],
    ['HOTEL MORG', { Organisations: ['Hotel Morgenrot'] }],
    ['gas ub', { Forms: ['Überblick der Gäste'] }],
    ['cann', { Pages: ['Canned replies'] }],
    ['nothing-of-that', {}],
  ])('finds by %p', async (q, expected) => {
    expect(await found(q)).toEqual(expected)
  })

  test('has tickets first that are called so, then those that hold the words', async () => {
    const { Tickets } = await found('cafe')
    expect(Tickets?.map((item) => item.split(' |')[0])).toEqual(['Café orders', 'Another'])
  })

  test('offers the pages that one may open, and without a word these alone', async () => {
    const [ofAgent, ofAdmin] = await Promise.all([found('', agent), found('', admin)])
    expect(Object.keys(ofAgent)).toEqual(['Pages'])
    expect(ofAgent.Pages).toContain('Inbox')
    expect(ofAgent.Pages).not.toContain('API keys')
    expect(ofAdmin.Pages).toContain('API keys')
    for (const [, path = ''] of (await admin.get('/console/find')).text.matchAll(/<li><a href="([^"]*)"><span dir/g))
      expect([path, (await admin.get(path)).status]).toEqual([path, 200])
  })

  test('finds nothing of another tenant', async () => {
    const stranger = await signedIn(app, await app.createTenant())
    for (const q of ['T-1', 'kettle', 'zoe', 'hotel', 'uberblick']) expect(await found(q, stranger)).toEqual({})
  })

  test('takes any text, and shows it as text', async () => {
    for (const q of ['"\' OR 1=1 --', '<b>x', 'a'.repeat(5000), '\ud800', '%_*()^', '🙂', 'AND NOT NEAR('])
      expect((await agent.get(`/console/find?q=${encodeURIComponent(q.toWellFormed())}`)).status).toBe(200)
    expect((await agent.get('/console/find?q=%3Cb%3Ex')).text).toContain('value="&lt;b&gt;x"')
  })
})

describe.skipIf(!hasBrowser)('the palette in a browser', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.context.newPage()
    const { email } = await createPerson(acme, 'agent')
    await signInAt(page, app, email, '/console/inbox')
  })
  afterAll(() => browser?.close())

  const active = () => page.locator('.palette [aria-selected="true"]')

  test('opens by its keys, leads to what was found, and offers that first the next time', async () => {
    await page.keyboard.press('Control+k')
    await page.locator('.palette input').waitFor()
    await page.keyboard.type('cafe ord')
    await active().filter({ hasText: 'Café orders' }).waitFor()
    await page.getByText('Found: 1').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.locator(`[data-ticket="${ticketId}"]`).waitFor()
    // Scripts run once it is loaded.
    await page.waitForLoadState()
    await page.keyboard.press('Control+k')
    await active().filter({ hasText: 'Café orders' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await active().filter({ hasNotText: 'Café orders' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.palette input').waitFor({ state: 'hidden' })
  })

  test('does what the page can do, and says by which key it is done, too', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('urg')
    await active().filter({ hasText: 'Urgent' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('The priority was set.').waitFor()
    await page.waitForLoadState()
    expect((await acme.get(`/v1/tickets/${ticketId}`)).body.priority).toBe('urgent')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('write note')
    await active().locator('kbd', { hasText: 'n' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'field-note')
  })

  test('forgets what earlier letters found, however late that comes', async () => {
    const late = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    await page.route(/find\/list\?q=z$/, async (route) => {
      isAsked.resolve()
      await late.promise
      await route.continue().catch(() => {})
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('z')
    await isAsked.promise
    await page.keyboard.type('zz')
    await page.getByText('Nothing found.').waitFor()
    late.resolve()
    await page.evaluate(() => fetch('/console/find/list?q=zzz').then((answer) => answer.text()))
    expect(await page.locator('.palette [role="option"]').count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})
