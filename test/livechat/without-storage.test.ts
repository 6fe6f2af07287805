import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { changeChatSettings, renewChatSecret } from '../../src/livechat/settings.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openChat } from '../support/chat.ts'
import { answerAs, type TestChat, ticketOf, type Visitor, visitSite } from '../support/chat-visitor.ts'

let app: TestApp
let acme: TestTenant
let chat: TestChat
let browser: Awaited<ReturnType<typeof openBrowser>>
let visitors: Visitor[]

describe.skipIf(!hasBrowser)('a visitor whose browser gives the frame no storage', () => {
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  })
  afterAll(() => app?.close())
  beforeEach(async () => {
    browser = await openBrowser({ asInstalled: true })
    visitors = []
    acme = await app.createTenant()
    chat = await openChat(app, acme)
  })
  afterEach(async () => {
    for (const visitor of visitors) await visitor.close()
    await browser.close()
  })

  const visit = async (options: Parameters<typeof visitSite>[3] = {}) => {
    const visitor = await visitSite(browser.context, app, chat, { keepsNothing: true, ...options })
    visitors.push(visitor)
    return visitor
  }
  /** Begins a conversation. */
  const begin = async (site: Visitor, text = 'Where is my order?') => {
    await site.open()
    await site.say(text)
    const { id } = await ticketOf(acme)
    await site.frame.locator('.message[data-state=there]', { hasText: text }).waitFor()
    return id
  }
  const framesStorage = (site: Visitor) =>
    site.frame.locator('html').evaluate(() => {
      try {
        return String(localStorage.length)
      } catch {
        return 'denied'
      }
    })
  const kept = ({ page }: Visitor) => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  /** Resolves once the site keeps the visitor's token. */
  const isKept = ({ page }: Visitor) =>
    page.waitForFunction(() => Object.values(localStorage).some((value) => value.includes('vt_')))
  const isForgotten = ({ page }: Visitor) => page.waitForFunction(() => localStorage.length === 0)
  async function signer() {
    const secret = await acme.perform((tx, caller) => renewChatSecret(tx, caller, chat.sourceId, app.deps.secrets))
    return (email: string) =>
      new SignJWT({ email, name: 'Ada' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(new Date(app.clock.now() + 3_600_000))
        .sign(new TextEncoder().encode(secret))
  }

  test('finds the conversation again on the next page, and nobody else’s site has it', async () => {
    const site = await visit()
    const { page, frame } = site
    await site.open()
    // Nothing is kept of those who only look.
    expect([await framesStorage(site), await kept(site)]).toEqual(['denied', '[]'])
    const id = await begin({ ...site, open: async () => {} })
    await isKept(site)
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([`frontdesk ${app.url}${chat.path}`])
    await frame.getByLabel('Email').fill('ada@acme.test')
    await frame.getByRole('button', { name: 'Save' }).click()
    await frame.locator('#details').waitFor({ state: 'hidden' })
    await page.reload()
    await site.open()
    await site.message('Where is my order?').waitFor()
    // What they left is asked no second time, though it is not the site's to know.
    expect(await frame.locator('#details').isVisible()).toBe(false)
    expect(await kept(site)).not.toContain('ada@acme.test')
    // What came meanwhile is counted before anything is opened.
    await page.goto(`${site.shop.url}/second`)
    await answerAs(acme, 'Maja', id, '<p>On its way.</p>')
    await page.locator('frontdesk-chat .badge', { hasText: '1' }).waitFor()
    await site.open()
    await site.say('Thank you')
    await frame.locator('.message[data-state=there]', { hasText: 'Thank you' }).waitFor()
    expect((await site.messages()).map(([, text]) => text)).toEqual(['Where is my order?', 'On its way.', 'Thank you'])
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(1)
    // What was seen counts no second time.
    await page.reload()
    await frame.locator('#log .message').last().waitFor({ state: 'attached' })
    expect(await site.button.getAttribute('aria-label')).toBe('Open chat')

    const other = await visit()
    await other.open()
    expect([await other.messages(), await kept(other), site.complaints, other.complaints]).toEqual([[], '[]', [], []])
  })

  test('leaves nothing on signing out, whichever page they do it on', async () => {
    const sign = await signer()
    const identity = await sign('ada@acme.test')
    const site = await visit()
    const identify = (given: string | null) => site.page.evaluate((it) => window.frontdesk?.identify(it), given)
    await identify(identity)
    await begin(site, 'My secret')
    await isKept(site)
    await site.page.reload()
    await site.open()
    await site.message('My secret').waitFor()
    // In another tab, which holds the token too.
    const second = await site.page.context().newPage()
    await second.goto(site.shop.url)
    const secondFrame = second.frameLocator('frontdesk-chat iframe')
    await second.locator('frontdesk-chat button').click()
    await secondFrame.locator('.log .message', { hasText: 'My secret' }).waitFor()
    await identify(null)
    await site.message('My secret').waitFor({ state: 'detached' })
    await isForgotten(site)
    await secondFrame.locator('.log .message').waitFor({ state: 'detached' })
    await second.close()
    await site.page.reload()
    await site.open()
    expect([await site.messages(), await kept(site)]).toEqual([[], '[]'])

    // Before the chat is there to hear of it.
    await identify(identity)
    await site.say('Again')
    await site.frame.locator('.message[data-state=there]', { hasText: 'Again' }).waitFor()
    await isKept(site)
    await site.page.reload()
    await site.page.waitForFunction(() => 'frontdesk' in window)
    await identify(null)
    await isForgotten(site)
    await site.open()
    expect([await site.messages(), site.complaints]).toEqual([[], []])
  })

  test('who is anonymous keeps the conversation when a site says that nobody is signed in', async () => {
    const site = await visit()
    await begin(site)
    await isKept(site)
    await site.page.reload()
    await site.page.waitForFunction(() => 'frontdesk' in window)
    await site.page.evaluate(() => window.frontdesk?.identify(null))
    await site.open()
    await site.message('Where is my order?').waitFor()
    await isKept(site)
  })

  test('chats until the page is left where the site has no storage either', async () => {
    const site = await visit()
    const { page } = site
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException('denied', 'SecurityError')
      }
      if (window === window.top) Object.defineProperty(window, 'localStorage', { get })
    })
    await page.reload()
    await begin(site)
    // The frame loads anew as the site exchanges its page.
    await page.evaluate(() => document.documentElement.replaceChildren(document.createElement('body')))
    await site.message('Where is my order?').waitFor()
    await page.reload()
    await site.open()
    expect([await site.messages(), site.complaints]).toEqual([[], []])
  })

  test('takes a token from the page around it alone, and gives it to no other', async () => {
    const site = await visit()
    await begin(site)
    await isKept(site)
    const origin = new URL(site.shop.url).origin
    const frame = site.page.frames().find(
      ({ url }) =>
        () =>
          url().endsWith(chat.path),
    )
    expect(frame).toBeDefined()
    // Another frame of the page, and the frame itself, say what only the page may.
    const forged = { frontdesk: 'kept', kept: JSON.stringify({ token: 'vt_forged' }) }
    await site.frame.locator('html').evaluate((_, message) => postMessage(message, '*'), forged)
    // And what the page hears of others is not kept.
    await site.page.evaluate(() => postMessage({ frontdesk: 'remember', kept: 'vt_forged' }, '*'))
    await site.say('Still me')
    await site.frame.locator('.message[data-state=there]', { hasText: 'Still me' }).waitFor()
    expect(await kept(site)).not.toContain('forged')
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(1)
    // The token is addressed to the page's origin.
    const addressed = await site.frame.locator('html').evaluate(async () => {
      const targets: unknown[] = []
      const { parent } = window
      Object.defineProperty(window, 'parent', {
        value: { postMessage: (_message: unknown, target: unknown) => targets.push(target) },
      })
      document.dispatchEvent(new Event('visibilitychange'))
      Object.defineProperty(window, 'parent', { value: parent })
      return targets
    })
    expect(new Set(addressed)).toEqual(new Set([origin]))
  })

  test('whatever the site keeps under that name, the chat works', async () => {
    for (const value of ['1', '{', 'null', '[]', '{"token":7,"seen":null}', '{"token":"vt_\\n","seen":{"a":1}}']) {
      const site = await visit()
      await site.page.evaluate(
        ([name, it]) => localStorage.setItem(name as string, it as string),
        [`frontdesk ${app.url}${chat.path}`, value],
      )
      await site.page.reload()
      await site.open()
      await site.say(`After ${value}`)
      await site.frame.locator('.message[data-state=there]', { hasText: `After ${value}` }).waitFor()
      expect(site.complaints).toEqual([])
    }
  })

  test('is shown no chat on a site that may not have it, so it is handed no token', async () => {
    await acme.perform((tx, caller) =>
      changeChatSettings(tx, caller, chat.sourceId, { origins: ['https://www.acme.test'] }),
    )
    const site = await visit()
    await site.button.click()
    const isFramed = () => site.page.frames().length > 1
    for (let tries = 0; tries < 100 && !isFramed(); tries++) await Bun.sleep(50)
    expect(site.complaints.join()).toContain('frame-ancestors')
    expect(await kept(site)).toBe('[]')
  })
})
