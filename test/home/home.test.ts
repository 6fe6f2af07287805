import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'

describe('the page at /', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app.close())

  test('leads to the documentation, needs no key, and offers nothing that is not there', async () => {
    const page = await app.request('GET', '/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path as string)
    expect(links).toContain('/docs')
    expect(links).toContain('/console')
    for (const link of links) expect((await app.request('GET', link)).status).toBe(link === '/console' ? 303 : 200)
  })

  test('loads its own style sheet and nothing else, runs nothing, and stands in no frame', async () => {
    const { text, headers } = await app.request('GET', '/')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "style-src 'self'",
    ])
    expect(text).not.toMatch(/<script|<style|style=|:\/\//)
    const style = await app.request('GET', /"(\/home\.css[^"]*)"/.exec(text)?.[1] ?? '')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(style.text).not.toMatch(/url\(|@import/)
  })

  test('has an icon, which browsers ask for on every page', async () => {
    const icon = await app.request('GET', '/favicon.ico')
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
    expect(icon.text).toContain('PNG')
    const { text } = await app.request('GET', '/console/sign-in')
    expect(text).toContain('<link rel="icon" href="/favicon.ico">')
  })

  test('is no operation of the API', async () => {
    const document = (await app.request('GET', '/docs/json')).body as { paths: object }
    expect(Object.keys(document.paths)).not.toContain('/')
    expect(Object.keys(document.paths)).not.toContain('/home.css')
  })
})

test('under a path of the proxy the page at / names that path', async () => {
  const app = await startApp({ environment: { FRONTDESK_BASE_URL: 'https://acme.test/desk/' } })
  const { text } = await app.request('GET', '/')
  expect([...text.matchAll(/href="([^"?]+)/g)].map(([, path]) => path)).toEqual([
    '/desk/home.css',
    '/desk/console',
    '/desk/docs',
    '/desk/docs/json',
  ])
  await app.close()
})
