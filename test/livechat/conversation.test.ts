import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import type { Route } from 'playwright-core'
import { type ChatSettingsChanges, changeChatSettings, renewChatSecret } from '../../src/livechat/settings.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import {
  answerAs,
  beginConversation,
  type TestChat,
  ticketOf,
  type Visitor,
  visitSite,
  writeInto,
} from '../support/chat/visitor.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { hostileHtml } from '../support/pages/hostile-html.ts'
import { violations } from '../support/pages/pages.ts'
import { until } from '../support/patience.ts'

let app: TestApp
let acme: TestTenant
let chat: TestChat
let browser: Awaited<ReturnType<typeof openBrowser>>
let visitors: Visitor[]

describe.skipIf(!hasBrowser)('a visitor', () => {
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
  beforeEach(async () => {
    visitors = []
    acme = await app.createTenant()
    chat = await openChat(app, acme)
  })
  afterEach(async () => {
    for (const visitor of visitors) await visitor.close()
  })

  const visit = async (options: Parameters<typeof visitSite>[3] = {}, context = browser.context) => {
    const visitor = await visitSite(context, app, chat, options)
    visitors.push(visitor)
    return visitor
  }
  const set = (changes: ChatSettingsChanges) =>
    acme.perform((tx, caller) => changeChatSettings(tx, caller, chat.sourceId, changes))
  const texts = async (id: string) =>
    (await acme.get(`/v1/tickets/${id}`)).body.messages.map(({ text }: { text: string }) => text)
  const begin = (site: Visitor, text?: string) => beginConversation(acme, site, text)

  test('writes, and is answered, by key alone', async () => {
    const site = await visit()
    const { page, button, frame, text } = site
    await button.press('Enter')
    await frame.locator('#text:focus').waitFor()
    await page.keyboard.type('Where is')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('my order?')
    await page.keyboard.press('Enter')
    const { id, subject } = await ticketOf(acme)
    expect([subject, await texts(id)]).toEqual(['Where is my order?', ['Where is\nmy order?']])
    expect(await text.inputValue()).toBe('')
    // Nothing is sent of what is blank.
    await page.keyboard.type('  ')
    await page.keyboard.press('Enter')
    await frame.locator('#details').waitFor()
    await page.keyboard.press('Shift+Tab')
    expect(await frame.locator(':focus').getAttribute('id')).toBe('attach')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await frame.locator(':focus').getAttribute('id')).toBe('not-now')
    await page.keyboard.press('Enter')
    await frame.locator('#text:focus').waitFor()
    expect(await frame.locator('#details').isVisible()).toBe(false)
    await answerAs(
      acme,
      'Maja Lindqvist',
      id,
      '<p>It is <b>on its way</b>: <a href="https://acme.test/t">track it</a>.</p>',
    )
    await site.message('on its way').waitFor()
    expect(await site.messages()).toEqual([
      ['You', 'Where is\nmy order?'],
      ['Maja Lindqvist', 'It is on its way: track it.'],
    ])
    // The service's time counts, whatever the visitor's clock says.
    const times = frame.locator('.log time')
    expect(await times.evaluateAll((all) => all.map((time) => (time as HTMLTimeElement).dateTime))).toEqual(
      Array(2).fill('2026-03-01T09:00:00.000Z'),
    )
    const link = frame.getByRole('link', { name: 'track it' })
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noopener'])
    const log = frame.getByRole('log')
    expect([await log.getAttribute('aria-live'), await log.count()]).toEqual(['polite', 1])
    await page.keyboard.type('Thank you')
    await page.keyboard.press('Enter')
    await site.message('Thank you').waitFor()
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(1)

    // To the list and back.
    await frame.locator('#back').press('Enter')
    await frame.locator('#home-title:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await frame.locator('#text:focus').waitFor()
    expect(await site.messages()).toHaveLength(3)
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.localName === 'button')
  })

  test.each([
    ['light, wide', { colorScheme: 'light', width: 1000, height: 800, zoom: 1 }, 'en'],
    ['dark, wide', { colorScheme: 'dark', width: 1000, height: 800, zoom: 1 }, 'en'],
    ['light, 320 pixels', { colorScheme: 'light', width: 320, height: 568, zoom: 1 }, 'de'],
    ['dark, 320 pixels, from right to left', { colorScheme: 'dark', width: 320, height: 568, zoom: 1 }, 'ar'],
    ['light, from right to left', { colorScheme: 'light', width: 1000, height: 800, zoom: 1 }, 'he'],
    // Twice as large is half the pixels.
    ['at 200 %', { colorScheme: 'light', width: 640, height: 400, zoom: 2 }, 'fr'],
  ] as const)('finds nothing in the way: %s', async (_, { colorScheme, width, height }, language) => {
    await set({ language, accent: '#f5d90a', hours: 'Mon 01:00-02:00 UTC', awayText: 'We are back on Monday.' })
    const site = await visit()
    const { page, frame } = site
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    await site.open()
    await frame.locator('#details').waitFor()
    expect(await violations(page)).toEqual([])
    await site.say('Where is my order? https://acme.test/orders/4711')
    const { id } = await ticketOf(acme)
    await answerAs(acme, 'Maja', id, '<h2>Soon</h2><ul><li>one</li></ul><p><a href="https://acme.test">see</a></p>')
    await site.message('Soon').waitFor()
    await page.route('**/messages', (route) => route.abort())
    await site.say('x'.repeat(200))
    await frame.locator('[data-state=failed]').waitFor()
    await site.text.fill('y'.repeat(10_001))
    expect(await violations(page)).toEqual([])
    // Nothing is wider than its frame.
    const widths = await frame.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth])
    expect(widths[0]).toBe(widths[1] as number)
    const [scrolled, client] = await frame.locator('#scroller').evaluate((e) => [e.scrollWidth, e.clientWidth])
    expect(scrolled).toBe(client as number)
    await frame.locator('#back').click()
    await frame.locator('#home').waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('is shown articles first, and then asks a person without writing anything twice', async () => {
    const site = await visit()
    const { page, frame } = site
    const passage = (slug: string, url: string) => ({
      slug,
      title: `About ${slug}`,
      excerpt: `<b>${slug}</b> **x**`,
      url,
    })
    const passages = [
      passage('refunds', `${app.url}/help/x/refunds`),
      passage('deposits', 'https://acme.test/deposits'),
      passage('evil', 'javascript:alert(1)'),
    ]
    let answer: object | null = null
    const asked: string[] = []
    await page.route('**/ask', (route) => {
      asked.push(route.request().postDataJSON().question)
      return route.fulfill({ json: { passages, answer } })
    })
    await site.open()
    await site.say('How do I get my money back?')
    const links = frame.locator('#asked a')
    await links.first().waitFor()
    expect(await links.evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.textContent]))).toEqual([
      [`${app.url}/help/x/refunds`, 'About refunds<b>refunds</b> **x** (opens in a new tab)'],
      ['https://acme.test/deposits', 'About deposits<b>deposits</b> **x** (opens in a new tab)'],
    ])
    expect(await violations(page)).toEqual([])
    // Nobody is asked yet.
    expect((await acme.get('/v1/tickets')).body.items).toEqual([])
    answer = { text: 'Within <i>five</i> days.', slugs: ['refunds'] }
    await site.say('And when?')
    await frame.getByText('Within <i>five</i> days.').waitFor()
    expect(await frame.locator('.found .articles').allTextContents()).toEqual([
      'FromAbout refunds (opens in a new tab)',
      expect.stringContaining('These articles may helpAbout deposits'),
    ])
    expect(await violations(page)).toEqual([])
    await frame.getByRole('button', { name: 'Talk to a person' }).press('Enter')
    const { id } = await ticketOf(acme)
    expect([asked, await texts(id)]).toEqual([
      ['How do I get my money back?', 'And when?'],
      ['How do I get my money back?\n\nAnd when?'],
    ])
    await frame.locator('#text:focus').waitFor()
    // In a conversation with a person no article comes in between.
    await site.say('Thank you')
    await frame.locator('.message[data-state=there]', { hasText: 'Thank you' }).waitFor()
    expect([asked.length, await texts(id)]).toEqual([2, ['How do I get my money back?\n\nAnd when?', 'Thank you']])
  })

  test('reaches a person within two Tabs of the question, whatever was found', async () => {
    const site = await visit()
    const { page, frame } = site
    const passages = [1, 2, 3].map((n) => ({
      slug: `a${n}`,
      title: `Article ${n}`,
      excerpt: 'A passage.',
      url: `${app.url}/help/x/a${n}`,
    }))
    const answer = { text: 'Within five days.', slugs: ['a1'] }
    await page.route('**/ask', (route) => route.fulfill({ json: { passages, answer } }))
    await site.open()
    await site.say('How do I get my money back?')
    const person = frame.getByRole('button', { name: 'Talk to a person' })
    await person.waitFor()
    // It is heard as what was found is, behind it.
    expect(await frame.getByRole('status').filter({ hasText: /./ }).allTextContents()).toEqual([
      expect.stringContaining('Within five days.'),
      'Did that not answer it? Talk to a person',
    ])
    await frame.locator('#text:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await frame.locator(':focus').textContent()).toBe('Talk to a person')
    const [above, below] = [await site.text.boundingBox(), await person.boundingBox()]
    expect(below?.y).toBeGreaterThan(above?.y as number)
    const { y = 0, height = 0 } = (await page.locator('frontdesk-chat iframe').boundingBox()) ?? {}
    expect((below?.y ?? 0) + (below?.height ?? 0)).toBeLessThanOrEqual(y + height)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    const { id } = await ticketOf(acme)
    expect(await texts(id)).toEqual(['How do I get my money back?'])
    await frame.locator('#text:focus').waitFor()
    expect(await person.isVisible()).toBe(false)
  })

  test('sees the best three of the articles, the first from its beginning', async () => {
    const site = await visit()
    const passages = [1, 2, 3, 4, 5].map((n) => ({
      slug: `a${n}`,
      title: `Article ${n}`,
      excerpt: 'A long passage. '.repeat(20),
      url: `${app.url}/help/x/a${n}`,
    }))
    await site.page.route('**/ask', (route) => route.fulfill({ json: { passages, answer: null } }))
    await site.page.setViewportSize({ width: 400, height: 420 })
    await site.open()
    for (const question of ['How?', `And ${'what of this '.repeat(30)}?`]) {
      await site.say(question)
      await site.frame.locator('#asked .own', { hasText: question.slice(0, 12) }).waitFor()
      const first = site.frame.locator('#asked a').first()
      await first.waitFor()
      expect(await site.frame.locator('#asked a').count()).toBe(3)
      const [top, scrollerTop] = await site.frame
        .locator('#scroller')
        .evaluate((it) => [
          [...it.querySelectorAll('#asked .own')].at(-1)?.getBoundingClientRect().top,
          it.getBoundingClientRect().top,
        ])
      expect(top).toBeGreaterThanOrEqual((scrollerTop ?? 0) - 1)
    }
  })

  test('finds the article that answers, where its page is', async () => {
    const address = `/v1/livechat/sources/${chat.sourceId}/articles/refunds`
    const article = { title: 'Refunds and cancellations', content: 'Cancel 14 days before and we refund all of it.' }
    expect((await acme.put(address, { ...article, format: 'markdown' })).status).toBeLessThan(300)
    const site = await visit()
    await site.open()
    await site.say('How do I get my money back if I cancel?')
    const link = site.frame.getByRole('link', { name: 'Refunds and cancellations' })
    const page = await app.request('GET', new URL((await link.getAttribute('href')) ?? '').pathname)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Refunds and cancellations')])
    await site.say('zxqv')
    // Nothing fits: a person has both.
    const { id } = await ticketOf(acme)
    expect(await texts(id)).toEqual(['How do I get my money back if I cancel?\n\nzxqv'])
  })

  test('leaves an address, before or after the first message', async () => {
    await set({ hours: 'Mon 01:00-02:00 UTC', awayText: 'We are back on Monday.' })
    const site = await visit()
    const { frame } = site
    await site.open()
    expect(await frame.locator('.away').textContent()).toBe('We are back on Monday.')
    await frame.getByLabel('Email').fill('ada')
    await frame.getByRole('button', { name: 'Save' }).click()
    await frame.locator('#details-error', { hasText: 'This must be an email address.' }).waitFor()
    expect(await frame.locator('#email').getAttribute('aria-invalid')).toBe('true')
    await frame.getByLabel('Email').fill('ada@acme.test')
    await frame.getByLabel('Name').fill('Ada')
    await frame.getByRole('button', { name: 'Save' }).click()
    await frame.locator('#details').waitFor({ state: 'hidden' })
    expect(await frame.locator('#said').textContent()).toBe('Our answers also go to ada@acme.test.')
    await site.say('Hello')
    const { id } = await ticketOf(acme)
    const { contactId } = (await acme.get(`/v1/tickets/${id}`)).body
    expect((await acme.get(`/v1/contacts/${contactId}`)).body).toMatchObject({ email: 'ada@acme.test', name: 'Ada' })
    await site.message('Hello').waitFor()
    expect(await frame.locator('#details').isVisible()).toBe(false)
    // What was said is asked no second time.
    await site.page.reload()
    await site.open()
    await site.message('Hello').waitFor()
    expect(await frame.locator('#details').isVisible()).toBe(false)
  })

  test('has several conversations, and sees which has something new', async () => {
    const site = await visit()
    const { frame } = site
    const first = await begin(site, 'About my order')
    await frame.locator('#not-now').click()
    await frame.locator('#back').click()
    await frame.getByRole('button', { name: 'New conversation' }).click()
    await site.say('About my bill')
    await ticketOf(acme, 2)
    await site.frame.locator('.message[data-state=there]', { hasText: 'About my bill' }).waitFor()
    expect(await site.messages()).toEqual([['You', 'About my bill']])
    // What is heard of while the list is on its way is newer than that says.
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = async (route: Route) => {
      const response = await route.fetch()
      asked.resolve()
      await answered.promise
      await route.fulfill({ response })
    }
    await site.page.route('**/conversations', late)
    await frame.locator('html').evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await asked.promise
    await answerAs(acme, 'Maja', first, '<p>It is on its way.</p>')
    await frame.locator('#back.unread').waitFor()
    const listed = site.page.waitForResponse(/\/conversations$/)
    answered.resolve()
    await (await listed).finished()
    await site.page.unroute('**/conversations', late)
    await frame.locator('#back').click()
    const rows = frame.locator('#conversations button')
    expect(await rows.count()).toBe(2)
    expect(await rows.first().textContent()).toContain('1 new message')
    await rows.first().click()
    await site.message('It is on its way.').waitFor()
    await frame.locator('#back:not(.unread)').waitFor()
    await acme.perform((tx, caller) => setStatus(tx, caller, first, { status: 'closed' }))
    await site.page.reload()
    await site.button.click()
    // The newest has ended: they choose.
    const closed = frame.locator('#conversations button', { hasText: 'Closed' })
    await closed.click()
    await frame.locator('#notice', { hasText: 'Write again to take it up.' }).waitFor()
    await site.say('Not yet')
    await frame.locator('#notice').waitFor({ state: 'hidden' })
    expect((await acme.get(`/v1/tickets/${first}`)).body.status).toBe('open')
  })

  test('is led to the conversation that goes on once that is known, however late, and not away from what they write', async () => {
    const site = await visit()
    const { frame, page } = site
    await begin(site)
    const known: PromiseWithResolvers<void>[] = []
    await page.route('**/conversations', async (route) => {
      const late = Promise.withResolvers<void>()
      known.push(late)
      await late.promise
      await route.continue()
    })
    await page.reload()
    await site.open()
    expect(await site.messages()).toEqual([])
    for (const { resolve } of known.splice(0)) resolve()
    await site.message('Where is my order?').waitFor()
    await page.reload()
    await site.open()
    await writeInto(site.text, 'Another')
    const listed = page.waitForResponse(/\/conversations$/)
    for (const { resolve } of known) resolve()
    await (await listed).finished()
    await page.unrouteAll({ behavior: 'wait' })
    await site.say('Another matter')
    await frame.locator('.message[data-state=there]', { hasText: 'Another matter' }).waitFor()
    expect(await site.messages()).toEqual([['You', 'Another matter']])
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(2)
  })

  test('is told of having written too much at once, and it goes on by itself', async () => {
    const { page, frame, open, say } = await visit()
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: '' }
    await page.route('**/visitors', (route) => route.fulfill(busy))
    await open()
    await say('Hello?')
    await frame.locator('#notice', { hasText: 'That was a lot at once.' }).waitFor()
    await page.unroute('**/visitors')
    await frame.locator('.message[data-state=there]', { hasText: 'Hello?' }).waitFor()
    expect(await frame.locator('#notice').isVisible()).toBe(false)
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(1)
  })

  test('sends each message once, whatever happens to the connection', async () => {
    const site = await visit()
    const { page, frame } = site
    // The service begins the conversation, and its answer gets lost.
    let lost = 0
    let isSeen = false
    await page.route('**/conversations', async (route) => {
      // It is tried again by itself, for which it is looked whether the first attempt arrived.
      if (route.request().method() !== 'POST') return isSeen ? route.continue() : route.abort()
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await site.open()
    await site.say('First')
    await frame.getByRole('button', { name: 'Try again' }).waitFor()
    await frame.locator('#notice', { hasText: 'There is no connection.' }).waitFor()
    isSeen = true
    // Whatever is written next takes it along.
    await site.say('Second')
    await frame.locator('.message[data-state=there]', { hasText: 'Second' }).waitFor()
    const { id } = await ticketOf(acme)
    expect(await texts(id)).toEqual(['First', 'Second'])
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(1)
    expect(await frame.locator('#notice').isVisible()).toBe(false)

    // One that arrived is heard of by the socket; one that did not comes through a reload, and by the button.
    await page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await site.say('Third')
    await frame.locator('.message[data-state=there]', { hasText: 'Third' }).waitFor()
    await page.unroute('**/messages')
    const cut = (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.continue())
    await page.route('**/messages', cut)
    await site.say('Fourth')
    await frame.locator('[data-state=failed]', { hasText: 'Fourth' }).waitFor()
    await page.unroute('**/messages')
    await page.reload()
    await site.open()
    await frame.locator('.message[data-state=there]', { hasText: 'Fourth' }).waitFor()
    // Until the button is pressed: by itself it goes as soon as it can.
    const html = frame.locator('html')
    await html.evaluate((it) => addEventListener('click', () => it.setAttribute('data-pressed', ''), true))
    const cutUntilPressed = async (route: Route) =>
      (await html.getAttribute('data-pressed')) === null ? cut(route) : route.continue()
    await page.route('**/messages', cutUntilPressed)
    await site.say('Fifth')
    await frame.getByRole('button', { name: 'Try again' }).click()
    await frame.locator('.message[data-state=there]', { hasText: 'Fifth' }).waitFor()
    const all = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
    expect((await site.messages()).map(([, text]) => text)).toEqual(all)
    expect(await texts(id)).toEqual(all)
  })

  test('hears of answers where there is no socket, and after the connection was gone', async () => {
    const site = await visit()
    const { page } = site
    await page.addInitScript(() => {
      Object.assign(window, {
        WebSocket: class {
          constructor() {
            throw new Error('no sockets here')
          }
        },
      })
    })
    await page.reload()
    const id = await begin(site)
    await answerAs(acme, 'Maja', id, '<p>By asking.</p>')
    await site.message('By asking.').waitFor()
    await site.close()
    visitors = []

    const other = await visit()
    await other.open()
    await other.message('By asking.').waitFor()
    await other.page.context().setOffline(true)
    await answerAs(acme, 'Maja', id, '<p>While you were away.</p>')
    await other.page.context().setOffline(false)
    await other.message('While you were away.').waitFor()
    await answerAs(acme, 'Maja', id, '<p>And now.</p>')
    await other.message('And now.').waitFor()
    expect((await other.messages()).map(([, text]) => text)).toEqual([
      'Where is my order?',
      'By asking.',
      'While you were away.',
      'And now.',
    ])
  })

  test('chats where the browser keeps nothing', async () => {
    const strict = await openBrowser({ asInstalled: true })
    const site = await visit({ keepsNothing: true }, strict.context)
    const { frame } = site
    const id = await begin(site)
    // Before it is opened there is no chat in its frame, which anything is allowed.
    const storage = await frame.locator('html').evaluate(() => {
      try {
        return String(localStorage.length)
      } catch {
        return 'denied'
      }
    })
    expect(storage).toBe('denied')
    await answerAs(acme, 'Maja', id, '<p>On its way.</p>')
    await site.message('On its way.').waitFor()
    await site.say('Thank you')
    await frame.locator('.message[data-state=there]', { hasText: 'Thank you' }).waitFor()
    expect(await texts(id)).toHaveLength(3)
    await site.close()
    visitors = []
    await strict.close()
  })

  test('can follow the addresses in an answer', async () => {
    const site = await visit()
    const id = await begin(site)
    await answerAs(
      acme,
      'Robin',
      id,
      '<p>See https://acme.test/a?b=1&amp;c. <a href="https://x.test/">https://y.test/</a></p>',
    )
    await site.message('acme.test').waitFor()
    const links = await site.frame
      .locator('#log a')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.textContent]))
    expect(links).toEqual([
      ['https://acme.test/a?b=1&c', 'https://acme.test/a?b=1&c'],
      ['https://x.test/', 'https://y.test/'],
    ])
    expect(site.complaints).toEqual([])
  })

  test('sees what others write as text, whatever it is', async () => {
    const site = await visit()
    const { page, frame } = site
    await page.exposeFunction('ran', () => site.complaints.push('something ran'))
    await page.addInitScript(() => {
      Object.assign(window, { alert: () => (window as unknown as { ran(): void }).ran() })
    })
    await page.reload()
    const hostile = `<img src=x onerror=alert(1)><script>alert(1)</script>"'>`
    const id = await begin(site, hostile)
    expect(await site.messages()).toEqual([['You', hostile]])
    // As if nothing had been sanitised on its way in.
    const items = hostileHtml.map((html, index) => ({
      id: Bun.randomUUIDv7(),
      conversationId: id,
      direction: 'outbound',
      author: { type: 'agent', name: hostile },
      text: 'x',
      html: `<p>n ${index}</p>${html}`,
      createdAt: new Date().toISOString(),
    }))
    let isGiven = false
    await page.route('**/messages*', (route) => {
      const answer = route.fulfill({ json: { items: isGiven ? [] : items, nextCursor: null } })
      isGiven = true
      return answer
    })
    await page.reload()
    await site.open()
    await site.message(`n ${hostileHtml.length - 1}`).waitFor()
    const names = await frame.locator('.theirs > .author').allTextContents()
    expect(new Set(names)).toEqual(new Set([hostile]))
    const harm = frame.locator(
      '#log :is(script, iframe, object, embed, form, input, style, link, meta, base, svg, math)',
    )
    expect(await harm.count()).toBe(0)
    const links = await frame
      .locator('#log a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
    for (const protocol of links) expect(['https:', 'http:', 'mailto:']).toContain(protocol)
    // What is parsed may be complained about; nothing of it runs.
    expect(site.complaints).not.toContain('something ran')
  })

  test('is told that somebody writes, and that too much was written', async () => {
    const site = await visit()
    const { frame, text } = site
    const id = await begin(site)
    // A visitor who is not heard yet, or no longer, is not told.
    await until(
      () => frame.locator('#typing', { hasText: 'is writing' }).isVisible(),
      () => app.deps.live.type({ tenantId: acme.tenantId, ticketId: id, by: 'agent' }),
    )
    await answerAs(acme, 'Maja', id, '<p>Here.</p>')
    await site.message('Here.').waitFor()
    await frame.locator('#typing').waitFor({ state: 'hidden' })
    await text.fill('x'.repeat(9500))
    expect(await frame.locator('#count').textContent()).toBe('500 characters left')
    await text.fill('x'.repeat(10_002))
    await frame.locator('#count.wrong', { hasText: '2 characters too many' }).waitFor()
    await text.press('Enter')
    expect(await text.inputValue()).toHaveLength(10_002)
    await text.fill('x'.repeat(10_000))
    await text.press('Enter')
    await frame.locator('.message[data-state=there]', { hasText: 'xxx' }).waitFor()
    expect((await texts(id)).at(-1)).toHaveLength(10_000)
  })

  test('is whom the site says by a signed token, until they sign out', async () => {
    const secret = await acme.perform((tx, caller) => renewChatSecret(tx, caller, chat.sourceId, app.deps.secrets))
    const sign = (email: string) =>
      new SignJWT({ email, name: 'Ada' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(new Date(app.clock.now() + 3_600_000))
        .sign(new TextEncoder().encode(secret))
    const site = await visit({ attributes: `data-identity="${await sign('ada@acme.test')}"` })
    const id = await begin(site, 'My secret')
    const { contactId } = (await acme.get(`/v1/tickets/${id}`)).body
    expect((await acme.get(`/v1/contacts/${contactId}`)).body.email).toBe('ada@acme.test')
    // Their address is known.
    expect(await site.frame.locator('#details').isVisible()).toBe(false)
    await site.page.reload()
    await site.open()
    await site.message('My secret').waitFor()
    await site.text.fill('Half a secret')
    await site.page.evaluate(() => window.frontdesk?.identify(null))
    await site.message('My secret').waitFor({ state: 'detached' })
    expect([await site.frame.locator('#back').isVisible(), await site.text.inputValue()]).toEqual([false, ''])
    expect(await site.frame.locator('#notice').isVisible()).toBe(false)
    const kept = await site.frame
      .locator('html')
      .evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage)))
    const ours = kept.filter(([name]) => name.includes(chat.path))
    expect(ours.length).toBeGreaterThan(0)
    expect(JSON.stringify(ours)).not.toMatch(/secret|vt_|ada@acme\.test/)
    // Nor does somebody else see it who signs in next, and who writes before that has come through.
    const written = Promise.withResolvers<void>()
    await site.page.route('**/visitors', async (route) => {
      await written.promise
      await route.continue()
    })
    await site.page.evaluate((token) => window.frontdesk?.identify(token), await sign('bob@acme.test'))
    await site.say('I am Bob')
    await site.message('I am Bob').waitFor()
    written.resolve()
    const bobs = await ticketOf(acme, 2)
    await site.frame.locator('.message[data-state=there]', { hasText: 'I am Bob' }).waitFor()
    expect(await site.messages()).toEqual([['You', 'I am Bob']])
    const bob = (await acme.get(`/v1/tickets/${bobs.id}`)).body.contactId
    expect((await acme.get(`/v1/contacts/${bob}`)).body.email).toBe('bob@acme.test')
    expect(bob).not.toBe(contactId)
  })
})
