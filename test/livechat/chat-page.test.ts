import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { styleSource } from '../../src/hosted/page/look.ts'
import { chatScript, chatStyleSheet, widgetScript } from '../../src/livechat/client-files.ts'
import { chatLook, chatPage } from '../../src/livechat/page/chat-page.ts'
import { type ChatSettingsChanges, changeChatSettings } from '../../src/livechat/settings.ts'
import { chatWordLists } from '../../src/livechat/words/index.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'

let app: TestApp
let acme: TestTenant
let chat: Awaited<ReturnType<typeof openChat>>

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  chat = await openChat(app, acme)
})
afterAll(() => app.close())

const set = (changes: ChatSettingsChanges) =>
  acme.perform((tx, caller) => changeChatSettings(tx, caller, chat.sourceId, changes))
const read = (path = chat.path, headers: Record<string, string> = {}) => app.request('GET', path, { headers })

describe('the page of a chat', () => {
  test('runs and styles nothing inline, and loads nothing but its own files', async () => {
    const { status, headers, text } = await read()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
    )
    expect(headers.get('set-cookie')).toBeNull()
    expect(text).not.toMatch(/<style| style=| on[a-z]+=/)
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
    expect(files).toHaveLength(2)
    for (const address of files) {
      expect(address).toStartWith('/chat/assets/chat.')
      const file = await read(address)
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  test('may stand on the sites of its source alone', async () => {
    await set({ origins: ['https://acme.test', 'https://shop.acme.test'] })
    expect((await read()).headers.get('content-security-policy')).toEndWith(
      "; frame-ancestors 'self' https://acme.test https://shop.acme.test",
    )
  })

  test('is in the language of its source, and shows its colour in the one style that its policy names', async () => {
    await set({ language: 'ar', accent: '#ffff00' })
    const { headers, text } = await read()
    expect(text).toContain('<html lang="ar" dir="rtl">')
    expect(text).toContain('data-list="ar"')
    expect(text).toContain(`<style>${chatLook('#ffff00')}</style>`)
    expect(headers.get('content-security-policy')).toContain(`style-src 'self' ${styleSource(chatLook('#ffff00'))};`)
  })

  test('says when nobody is there, in the words of its source, as text', async () => {
    await set({ hours: 'Sun 09:00-17:00 UTC', awayText: 'Back <b>on</b> Monday "early"' })
    const inside = await read()
    expect(inside.text).toContain(' data-open')
    expect(inside.text).not.toContain('Monday')
    app.clock.advance(12 * 3_600_000)
    const after = await read()
    expect(after.text).not.toContain(' data-open')
    expect(after.text).toContain('Back &lt;b&gt;on&lt;/b&gt; Monday &quot;early&quot;')
    app.clock.advance(-12 * 3_600_000)
  })

  test('that is not there says so in the language of who looks', async () => {
    for (const id of [crypto.randomUUID(), 'nonsense', '%00', "'--"]) {
      const { status, headers, text } = await read(`/chat/${id}`, { 'accept-language': 'de-AT' })
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('Dieser Chat ist nicht verfügbar')
      expect(text).not.toContain('<script')
    }
  })
})

describe('the widget', () => {
  test('comes for any site, and is kept for minutes only', async () => {
    const { status, headers, text } = await read(`${chat.path}/widget.js`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(text).toContain('"open":"Open chat"')
    expect((await read(`/chat/${crypto.randomUUID()}/widget.js`)).status).toBe(404)
  })

  test('hides its button outside the hours, where the source wants that', async () => {
    const isHidden = async () => (await read(`${chat.path}/widget.js`)).text.includes('"hidesButton":true')
    await set({ hours: 'Mon 01:00-02:00 UTC' })
    expect(await isHidden()).toBe(false)
    await set({ hidesWhenAway: true })
    expect(await isHidden()).toBe(true)
    await set({ hours: null })
    expect(await isHidden()).toBe(false)
  })
})

/** As it travels. */
const size = (text: string) => Bun.gzipSync(text).byteLength

test.each(Object.keys(chatWordLists))('in %s the widget takes at most 3 kB, and the chat 25 kB', (language) => {
  expect(size(widgetScript({ language, accent: '#0f8f80', hidesButton: true }))).toBeLessThanOrEqual(3000)
  const awayText = 'We are back tomorrow morning.'
  const made = { name: 'Acme', language, accent: '#0f8f80', isOpen: false, awayText, base: '', version: 'x'.repeat(12) }
  const page = chatPage({ ...made, path: `/chat/${crypto.randomUUID()}` })
  expect(size(page) + size(chatScript) + size(chatStyleSheet)).toBeLessThanOrEqual(25_000)
})

test('what the source is called stays text', async () => {
  const name = '</title><script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
  const page = chatPage({
    ...{ name, language: 'en', accent: null, isOpen: true, awayText: name, base: '', version: 'v' },
    path: '/chat/x',
  })
  expect(page).not.toContain('<script>')
  expect(page).not.toContain('<img')
})
