import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import type { Page, Frame as PageFrame } from 'playwright-core'
import { changeChatSettings, renewChatSecret } from '../../src/livechat/settings.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import {
  answerAs,
  beginConversation,
  type TestChat,
  type Visitor,
  visitSite,
  writeInto,
} from '../support/chat/visitor.ts'
import { openShop } from '../support/forms/shop.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { until } from '../support/patience.ts'

/** What a page kept of the messages it heard. */
interface Heard {
  heard: { frontdesk?: string; kept?: string | null }[]
}

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
  const begin = (site: Visitor, text?: string) => beginConversation(acme, site, text)
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
    await writeInto(frame.getByLabel('Email'), 'ada@acme.test')
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
    await writeInto(secondFrame.locator('#text'), 'Half a secret')
    await identify(null)
    await site.message('My secret').waitFor({ state: 'detached' })
    await isForgotten(site)
    await secondFrame.locator('.log .message').waitFor({ state: 'detached' })
    // Nor does whoever comes next read what was not sent, or that there was a conversation.
    expect(await secondFrame.locator('#text').inputValue()).toBe('')
    expect(await secondFrame.locator('#chat').textContent()).not.toContain('no longer there')
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

  test('is signed out at once, though the chat is never there to hear of it', async () => {
    const sign = await signer()
    const site = await visit()
    const { page } = site
    const identify = (given: string | null) => page.evaluate((it) => window.frontdesk?.identify(it), given)
    const reload = async () => {
      await page.reload()
      await page.waitForFunction(() => 'frontdesk' in window)
    }
    await begin(site)
    await isKept(site)
    await page.route(`${app.url}${chat.path}`, (route) => route.abort())
    await reload()
    // Who was never signed in has nothing to leave.
    await identify(null)
    expect(await kept(site)).toContain('vt_')
    await page.unroute(`${app.url}${chat.path}`)
    await reload()
    await identify(await sign('ada@acme.test'))
    await page.waitForFunction(() => Object.values(localStorage).join().includes('"identity":"'))
    await page.route(`${app.url}${chat.path}`, (route) => route.abort())
    await reload()
    await identify(null)
    expect(await kept(site)).toBe('[]')
    // Nor does the next page, which says nothing of who is there, have them back.
    await page.unroute(`${app.url}${chat.path}`)
    await reload()
    await site.open()
    expect([await site.messages(), await kept(site)]).toEqual([[], '[]'])
  })

  test('leaves nothing where the site forgets all that it kept, in the tabs that are open neither', async () => {
    const site = await visit()
    await begin(site)
    await isKept(site)
    const second = await site.page.context().newPage()
    await second.goto(`${site.shop.url}/second`)
    await second.evaluate(() => localStorage.clear())
    await site.message('Where is my order?').waitFor({ state: 'detached' })
    await second.close()
    expect([await site.messages(), await kept(site)]).toEqual([[], '[]'])
  })

  describe('beside a frame of somebody else', () => {
    let other: ReturnType<typeof openShop>
    beforeEach(() => {
      other = openShop('<p>Advertisements.</p>', app.url)
    })
    afterEach(() => other.close())

    const forged = JSON.stringify({ token: 'vt_forged', identity: null, keepsEmail: false, seen: {} })
    const frameAt = (page: Page, url: string) => until(() => page.frames().find((frame) => frame.url().startsWith(url)))
    /** Has `from` say something to the page around it, and resolves once the page has heard it. */
    async function tellPage(page: Page, from: PageFrame, message: object) {
      await page.evaluate(() => {
        addEventListener('message', ({ data }) => data.isLast && document.body.setAttribute('data-heard', ''))
      })
      await from.evaluate((it) => {
        parent.postMessage(it, '*')
        parent.postMessage({ isLast: true }, '*')
      }, message)
      await page.locator('body[data-heard]').waitFor()
      await page.evaluate(() => document.body.removeAttribute('data-heard'))
    }

    test('what that frame wants kept is not kept, and neither is what a page of another site wants in the frame of the chat', async () => {
      const ofSameOrigin = `${app.url}${(await openChat(app, acme)).path}`
      const body = `<iframe src="${other.url}"></iframe><iframe src="${ofSameOrigin}"></iframe>`
      const site = await visit({ body, frames: other.url })
      const { page } = site
      await begin(site)
      await isKept(site)
      const before = await kept(site)
      for (const url of [other.url, ofSameOrigin]) {
        const sibling = await frameAt(page, url)
        for (const wanted of [forged, null]) {
          await tellPage(page, sibling, { frontdesk: 'remember', kept: wanted })
          expect([url, await kept(site)]).toEqual([url, before])
        }
      }
      const own = await frameAt(page, `${app.url}${chat.path}`)
      await own.evaluate((url) => location.replace(url), `${other.url}/elsewhere`)
      const elsewhere = await frameAt(page, `${other.url}/elsewhere`)
      for (const wanted of [forged, null]) {
        await tellPage(page, elsewhere, { frontdesk: 'remember', kept: wanted })
        expect(await kept(site)).toBe(before)
      }
    })

    test('that frame can neither hand the chat a token nor get at the visitor’s', async () => {
      const address = `${app.url}${chat.path}`
      const shop = openShop(
        `<iframe src="${address}"></iframe><iframe src="${other.url}"></iframe>`,
        app.url,
        '',
        "'none'",
        other.url,
      )
      const page = await browser.context.newPage()
      const tokens = new Set<string | undefined>()
      page.on('request', (request) => tokens.add(request.headers().authorization))
      await page.goto(shop.url)
      const sibling = await frameAt(page, other.url)
      const frame = await frameAt(page, address)
      await frame.locator('#chat').waitFor({ state: 'attached' })
      await frame.waitForLoadState()
      const listen = () => {
        const heard: unknown[] = []
        addEventListener('message', ({ data }) => heard.push(data))
        Object.assign(window, { heard })
      }
      for (const listener of [sibling, frame, page]) await listener.evaluate(listen)
      const heardBy = (listener: PageFrame | Page) => listener.evaluate(() => (window as unknown as Heard).heard)
      const start = { frontdesk: 'start', isShown: true }
      await sibling.evaluate(
        (messages) => {
          for (const message of messages) parent.frames[0]?.postMessage(message, '*')
        },
        [
          { ...start, kept: forged },
          { frontdesk: 'kept', kept: forged },
        ],
      )
      await until(async () => (await heardBy(frame)).length === 2)
      // It has begun for nobody: whom the page around it is to be told of, and who is there, it does not know.
      expect(await frame.locator('#text').isVisible()).toBe(false)
      await page.evaluate((message) => frames[0]?.postMessage(message, '*'), { ...start, kept: null })
      await writeInto(frame.locator('#text'), 'Where is my order?')
      await frame.locator('#composer').evaluate((form: HTMLFormElement) => form.requestSubmit())
      await frame.locator('.message[data-state=there]').waitFor()
      const said = await until(async () =>
        (await heardBy(page)).find(({ frontdesk, kept }) => frontdesk === 'remember' && kept?.includes('vt_')),
      )
      expect([...tokens].join()).toContain(JSON.parse(said.kept ?? '').token)
      expect([...tokens].join()).not.toContain('forged')
      expect(await heardBy(sibling)).toEqual([])
      await page.close()
      shop.close()
    })
  })

  test('hands the token to the page around it by its origin', async () => {
    const site = await visit()
    await begin(site)
    await isKept(site)
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
    expect(new Set(addressed)).toEqual(new Set([new URL(site.shop.url).origin]))
  })

  test('whatever the site keeps under that name, the chat works', async () => {
    const site = await visit()
    for (const value of ['1', '{', 'null', '[]', '{"token":7,"seen":null}', '{"token":"vt_\\n","seen":{"a":1}}']) {
      // Before the chat begins: what it kept for the value before stands there no more.
      await site.page.addInitScript(
        ([name, it]) => {
          if (window === top) localStorage.setItem(name as string, it as string)
        },
        [`frontdesk ${app.url}${chat.path}`, value],
      )
      await site.page.reload()
      await site.open()
      await site.say(`After ${value}`)
      await site.frame.locator('.message[data-state=there]', { hasText: `After ${value}` }).waitFor()
      // Whoever is known by nothing that is kept is new.
      expect((await site.messages()).map(([, text]) => text)).toEqual([`After ${value}`])
      expect(site.complaints).toEqual([])
    }
  })

  /** Resolves once the browser's own page stands where the chat would. */
  const isRefused = (page: Page) => until(() => page.frames().some((frame) => frame.url().startsWith('chrome-error:')))

  test('is shown no chat on a site that may not have it, so it is handed no token', async () => {
    await acme.perform((tx, caller) =>
      changeChatSettings(tx, caller, chat.sourceId, { origins: ['https://www.acme.test'] }),
    )
    const site = await visit()
    await site.button.click()
    await isRefused(site.page)
    expect(site.page.frames().map((frame) => new URL(frame.url()).origin)).not.toContain(app.url)
    expect(await kept(site)).toBe('[]')
  })

  test('is shown no chat in a page without an origin, to which nothing could be addressed', async () => {
    const page = await browser.context.newPage()
    const frame = `<iframe src="${app.url}${chat.path}"></iframe>`
    await page.goto(`data:text/html,${frame}`)
    await isRefused(page)
    const shop = openShop(frame, app.url, '', "'none'; sandbox allow-scripts")
    await page.goto(shop.url)
    await isRefused(page)
    await page.close()
    shop.close()
  })
})
