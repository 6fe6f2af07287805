import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'
import { createTestSource } from '../support/articles.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { violations } from '../support/pages.ts'
import { emptyFolder, executable, serve, source } from '../support/program.ts'

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

test.skipIf(!hasBrowser)(
  'a chat opens on it',
  async () => {
    sourceId = (await createTestSource(await app.createTenant())).id
    const browser = await openBrowser()
    const page = await browser.context.newPage()
    await page.goto(`${app.url}/demo-site`)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Open chat' }).click()
    await page.frameLocator('iframe').locator('#text').waitFor()
    expect(await violations(page)).toEqual([])
    await browser.close()
  },
  30_000,
)

test.each([
  ['from source', source],
  ['the executable', await executable()],
])(
  'demo %s prints its address, and has all that it loads',
  async (_, program) => {
    const service = await serve(program, { cwd: emptyFolder() }, ['demo'])
    let address: string | undefined
    while (!address) {
      address = /\bhttp\S+\/demo-site$/m.exec(service.output.stdout)?.[0]
      await Bun.sleep(10)
    }
    const page = await (await fetch(address)).text()
    const [, widget = ''] = /src="([^"]+widget\.js)"/.exec(page) ?? []
    for (const path of [widget, '/chat/assets/chat.js', '/chat/assets/chat.css']) {
      const file = await fetch(new URL(path, address))
      expect([path, file.status, (await file.text()).length > 5000]).toEqual([path, 200, true])
    }
    await service.stop()
  },
  60_000,
)
