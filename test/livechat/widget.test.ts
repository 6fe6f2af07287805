import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type ChatSettingsChanges, changeChatSettings } from '../../src/livechat/settings.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { answerAs, type TestChat, ticketOf, type Visitor, visitSite } from '../support/chat/visitor.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { violations } from '../support/pages/pages.ts'

let app: TestApp
let acme: TestTenant
let chat: TestChat
let browser: Awaited<ReturnType<typeof openBrowser>>
let visitor: Visitor | undefined

describe.skipIf(!hasBrowser)('the chat on a site', () => {
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
  beforeEach(async () => {
    acme = await app.createTenant()
    chat = await openChat(app, acme)
  })
  afterEach(async () => {
    await visitor?.close()
    visitor = undefined
  })

  const visit = async (options: Parameters<typeof visitSite>[3] = {}) => {
    visitor = await visitSite(browser.context, app, chat, options)
    return visitor
  }
  const set = (changes: ChatSettingsChanges) =>
    acme.perform((tx, caller) => changeChatSettings(tx, caller, chat.sourceId, changes))
  /** What has the focus, through shadow roots. */
  const focused = ({ page }: Visitor) =>
    page.evaluate(() => {
      let element = document.activeElement
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
      return element?.localName
    })

  test('opens and closes by key under the strictest policy, and gives the focus back', async () => {
    const site = await visit()
    const { page, button, frame, text, complaints } = site
    await button.waitFor()
    // Nobody who does not open it loads it.
    expect(await page.locator('frontdesk-chat iframe').count()).toBe(0)
    expect([await button.getAttribute('aria-label'), await button.getAttribute('aria-expanded')]).toEqual([
      'Open chat',
      'false',
    ])
    expect(await violations(page)).toEqual([])
    await button.press('Enter')
    await text.waitFor()
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.localName === 'iframe')
    expect(await frame.locator(':focus').getAttribute('id')).toBe('text')
    expect([await button.getAttribute('aria-label'), await button.getAttribute('aria-expanded')]).toEqual([
      'Close chat',
      'true',
    ])
    expect(await page.locator('frontdesk-chat iframe').getAttribute('title')).toBe('Help centre')
    expect(await violations(page)).toEqual([])

    await text.press('Escape')
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.localName === 'button')
    expect(await button.getAttribute('aria-expanded')).toBe('false')
    await button.press('Enter')
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.localName === 'iframe')
    await frame.locator('#text:focus').waitFor()
    await button.press('Escape')
    expect([await button.getAttribute('aria-expanded'), await focused(site)]).toEqual(['false', 'button'])
    await button.press('Space')
    await frame.locator('#close').click()
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.localName === 'button')
    expect(complaints).toEqual([])
    expect(await page.context().cookies()).toEqual([])
  })

  test('is there once, however often its script comes, and stays when the site writes its page anew', async () => {
    const again = `<script src="${app.url}${chat.path}/widget.js" async></script>`
    const site = await visit({ body: again + again })
    await site.open()
    await site.text.fill('Half a')
    const { page } = site
    // As sites do that change their page by script: another body, with the same script in it.
    await page.evaluate((src) => {
      const body = document.createElement('body')
      const script = document.createElement('script')
      script.src = src
      const loaded = new Promise((resolve) => script.addEventListener('load', resolve))
      body.append('Another page', script)
      document.documentElement.replaceChild(body, document.body)
      return loaded
    }, `${app.url}${chat.path}/widget.js`)
    expect(await page.locator('frontdesk-chat').count()).toBe(1)
    expect([await site.text.inputValue(), await site.button.getAttribute('aria-expanded')]).toEqual(['Half a', 'true'])
    // Even where nothing is left: what was typed comes back.
    await page.evaluate(() => document.documentElement.replaceChildren(document.createElement('body')))
    await site.text.waitFor()
    expect([await page.locator('frontdesk-chat').count(), await site.text.inputValue()]).toEqual([1, 'Half a'])
  })

  test('stays as it is whatever the site’s styles say', async () => {
    const looks = async ({ button, page }: Visitor) => ({
      box: await button.boundingBox(),
      style: await button.evaluate((element) => {
        const { color, backgroundColor, fontSize, opacity, textTransform } = getComputedStyle(element)
        return { color, backgroundColor, fontSize, opacity, textTransform }
      }),
      frame: await page.locator('frontdesk-chat').evaluate((host) => {
        const { position, zIndex, display, visibility, opacity } = getComputedStyle(host)
        return { position, zIndex, display, visibility, opacity }
      }),
    })
    const plain = await visit()
    await plain.button.waitFor()
    const expected = await looks(plain)
    await plain.close()
    const hostile = `<style>
      * { all: unset; display: none !important; color: red !important; font-size: 40px !important; opacity: .1 !important;
          visibility: hidden !important; position: static !important; transform: scale(3) !important; --light: red; --dark: red }
      html, body { display: block !important; visibility: visible !important; opacity: 1 !important; transform: none !important }
      button, iframe, frontdesk-chat { z-index: -1 !important; width: 1px !important; height: 1px !important; margin: 90px !important }
    </style>`
    const site = await visit({ head: hostile, styles: "'unsafe-inline'" })
    await site.button.waitFor()
    expect(await looks(site)).toEqual(expected)
    await site.open()
    const { width = 0, height = 0 } = (await site.page.locator('frontdesk-chat iframe').boundingBox()) ?? {}
    expect([width >= 380, height >= 500]).toEqual([true, true])
  })

  test('counts what waits to be read, on the next page too, and says so', async () => {
    const site = await visit()
    await site.open()
    await site.say('Where is my order?')
    const { id } = await ticketOf(acme)
    await site.message('Where is my order?').waitFor()
    await site.text.press('Escape')
    await answerAs(acme, 'Maja', id, '<p>On its way.</p>')
    const { page } = site
    await page.locator('frontdesk-chat [role=status]', { hasText: '1 new message' }).waitFor({ state: 'attached' })
    expect(await site.button.getAttribute('aria-label')).toBe('Open chat, 1 new message')
    expect(await page.locator('frontdesk-chat .badge').textContent()).toBe('1')
    await page.reload()
    await page.locator('frontdesk-chat .badge', { hasText: '1' }).waitFor()
    await answerAs(acme, 'Maja', id, '<p>It arrives tomorrow.</p>')
    await page.locator('frontdesk-chat .badge', { hasText: '2' }).waitFor()
    expect(await violations(page)).toEqual([])
    await site.open()
    await site.message('It arrives tomorrow.').waitFor()
    await page.locator('frontdesk-chat [role=status]', { hasText: /^$/ }).waitFor({ state: 'attached' })
    expect(await site.button.getAttribute('aria-label')).toBe('Close chat')
    await page.reload()
    await site.frame.locator('#log').waitFor({ state: 'attached' })
    expect(await site.button.getAttribute('aria-label')).toBe('Open chat')
  })

  test('has no button while nobody is there, if its source wants that, but for who has a conversation', async () => {
    await set({ hours: 'Mon 01:00-02:00 UTC', hidesWhenAway: true })
    const site = await visit()
    await site.page.waitForFunction(() => 'frontdesk' in window)
    await site.page.locator('frontdesk-chat').waitFor({ state: 'attached' })
    expect(await site.button.isVisible()).toBe(false)
    // A site may still have a way to it of its own.
    await site.page.evaluate(() => window.frontdesk?.open())
    await site.text.waitFor()
    await site.say('Hello')
    await ticketOf(acme)
    await site.message('Hello').waitFor()
    // The site's own memory says that there is a conversation, a moment after its message shows.
    await site.page.waitForFunction(() => Object.values(localStorage).includes('1'))
    await site.page.reload()
    await site.button.waitFor()
  })

  test('stands on the side that the page reads towards, or that it says', async () => {
    const sideOf = async (options: Parameters<typeof visitSite>[3]) => {
      const site = await visit(options)
      await site.page.locator('frontdesk-chat').waitFor({ state: 'attached' })
      const { x = 0 } = (await site.button.boundingBox()) ?? {}
      await site.close()
      return x < 200 ? 'left' : 'right'
    }
    const turned = { body: '<script></script>', head: '<meta charset="utf-8"></head><body dir="rtl">' }
    expect([
      await sideOf({}),
      await sideOf({ attributes: 'data-position="left"' }),
      await sideOf(turned),
      await sideOf({ ...turned, attributes: 'data-position="right"' }),
    ]).toEqual(['right', 'left', 'left', 'right'])
  })

  test('stands above what a site has at the foot of its pages, where that says so', async () => {
    const bottomOf = async (options: Parameters<typeof visitSite>[3]) => {
      const site = await visit(options)
      await site.button.waitFor()
      const { y = 0, height = 0 } = (await site.button.boundingBox()) ?? {}
      const below = (site.page.viewportSize()?.height ?? 0) - y - height
      await site.close()
      return below
    }
    const head = '<style>:root { --frontdesk-chat-bottom: 80px }</style>'
    expect([await bottomOf({}), await bottomOf({ head, styles: "'unsafe-inline'" })]).toEqual([20, 80])
  })

  test('fills a phone', async () => {
    const site = await visit()
    await site.page.emulateMedia({ reducedMotion: 'reduce' })
    await site.page.setViewportSize({ width: 360, height: 640 })
    await site.open()
    expect(await site.page.locator('frontdesk-chat iframe').boundingBox()).toEqual({
      x: 0,
      y: 0,
      width: 360,
      height: 640,
    })
    expect(await site.button.isVisible()).toBe(false)
    await site.frame.locator('#close').click()
    await site.button.waitFor()
  })

  test('hears its own frame only, and tells another site nothing', async () => {
    const site = await visit()
    await site.open()
    await site.page.evaluate(() => {
      for (const frontdesk of ['close', 'unread', 'toString', '__proto__', null, 7])
        postMessage({ frontdesk, count: 9, text: 'Evil' }, '*')
      postMessage('close', '*')
      postMessage(null, '*')
    })
    await site.say('Hello')
    await site.message('Hello').waitFor()
    expect(await site.button.getAttribute('aria-label')).toBe('Close chat')
    expect(site.complaints).toEqual([])
  })
})
