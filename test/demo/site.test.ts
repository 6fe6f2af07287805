import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { violations } from '../support/pages/pages.ts'

let app: TestApp
let sourceId: string | null

beforeAll(async () => {
  app = await startApp({ replace: { demoSource: async () => sourceId } })
})
afterAll(() => app.close())

test('the demo’s site has the chat on it, and runs nothing but that', async () => {
  sourceId = (await createTestSource(await app.createTenant())).id
  const { status, headers, text } = await app.request('GET', '/demo-site')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('content-security-policy')).toContain("script-src 'self'; frame-src 'self';")
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
  expect(files).toContain(`/chat/${sourceId}/widget.js`)
  for (const path of files) {
    // Of people who have not signed in the console asks that first.
    expect((await app.request('GET', path)).status).toBe(path.startsWith('/console') ? 303 : 200)
  }
  sourceId = null
  expect((await app.request('GET', '/demo-site')).status).toBe(404)
})

test('only a demo has such a site', async () => {
  const plain = await startApp()
  for (const path of ['/demo-site', '/demo-site.css']) expect((await plain.request('GET', path)).status).toBe(404)
  await plain.close()
})

test.skipIf(!hasBrowser)('a chat opens on it', async () => {
  sourceId = (await createTestSource(await app.createTenant())).id
  const browser = await openBrowser()
  const page = await browser.context.newPage()
  await page.goto(`${app.url}/demo-site`)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.frameLocator('iframe').locator('#text').waitFor()
  expect(await violations(page)).toEqual([])
  await browser.close()
})
