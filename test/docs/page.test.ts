import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { openApiDocument } from '../../src/app.ts'
import { EXAMPLE_UUID } from '../../src/docs/examples.ts'
import { documentOf, documentOnly, operationsOf } from '../support/api/conformance.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { png } from '../support/forms/hosted.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

describe('files of the docs', () => {
  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/json', 'application/json'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/motion.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/icon.png', 'image/png'],
  ])('%s needs no key, says what it is, and is not sent twice', async (path, type) => {
    const answer = await app.request('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-request-id')).toBeString()
    const etag = answer.headers.get('etag') as string
    const again = await app.request('GET', path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(etag)
    const plain = await app.request('GET', path, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.text).toBe(answer.text)
  })

  test('the page names no other host, runs no inline script and may not be framed', async () => {
    const { text, headers } = await app.request('GET', '/docs')
    expect(text).not.toContain('https:')
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
  })

  test('the document is the same before and after its routes were called', async () => {
    const fresh = await startApp()
    const acme = await fresh.createTenant()
    await acme.get('/v1/me')
    const { id } = (await acme.post('/v1/contacts', { email: 'ada@acme.test' })).body
    await acme.get(`/v1/contacts/${id}`)
    const { paths } = (await fresh.request('GET', '/docs/json')).body
    expect(paths).toEqual(openApiDocument(fresh.deps.config).paths)
    await fresh.close()
  })

  test('under a path of its own, every address starts with it', async () => {
    const moved = await startApp({ environment: { FRONTDESK_BASE_URL: 'https://acme.test/desk' } })
    const { text } = await moved.request('GET', '/docs')
    expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      '/desk/docs/swagger-ui.css',
      '/desk/docs/motion.css',
      '/desk/docs/icon.png',
      '/desk/docs/guide',
      '/desk/docs/changelog',
      '/desk/docs/swagger-ui-bundle.js',
      '/desk/docs/start.js',
    ])
    expect(text).toContain('data-base="/desk"')
    expect((await moved.request('GET', '/docs/json')).body.servers).toMatchObject([{ url: 'https://acme.test/desk' }])
    await moved.close()
  })
})

describe.skipIf(!hasBrowser)('the docs in a browser', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('show every operation, take a key, try it out, and call nobody else', async () => {
    const { key, keyId } = await app.createTenant()
    const document = (await app.request('GET', '/docs/json')).body
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object))
    const webhooks = Object.keys(document.webhooks)

    for (const scheme of ['bearer', 'X-Api-Key']) {
      const { page, hosts, complaints } = await watchedPage()
      if (scheme === 'bearer') {
        await openDocs(page)
        expect(await page.locator('.opblock').count()).toBe(operations.length + webhooks.length)
      } else {
        await openDocs(page, 'getMe')
      }
      await authorise(page, scheme, key)
      const answer = await execute(page, 'operations-Account-getMe')
      expect(answer.status).toBe('200')
      expect(JSON.parse(answer.body ?? '').keyId).toBe(keyId)
      expect([...hosts]).toEqual([new URL(app.url).host])
      expect(complaints).toEqual([])
      await page.close()
    }
  })

  test('keep the key over a reload, fill ids in, and filter by section', async () => {
    const { key } = await app.createTenant()
    const { page, complaints } = await watchedPage()
    await openDocs(page, 'listContacts', 'getContact', 'listTickets')
    await authorise(page, 'bearer', key)
    await page.reload()
    await page.waitForSelector('.opblock')
    expect((await execute(page, 'operations-Contacts-listContacts')).status).toBe('200')
    // It is this tab's: another one has none, and nothing of it outlives the browser.
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    const other = await browser.context.newPage()
    await other.goto(`${app.url}/docs`)
    await other.locator('.btn.authorize.unlocked').first().waitFor()
    await other.close()
    const one = page.locator('#operations-Contacts-getContact')
    await one.locator('.opblock-summary-control').click()
    await one.locator('.try-out__btn').click()
    expect(await one.locator('[data-param-name="id"] input').inputValue()).toBe(EXAMPLE_UUID)

    await page.locator('.operation-filter-input').fill('Tickets')
    await page.waitForSelector('#operations-tag-Contacts', { state: 'detached' })
    expect(await page.locator('.opblock-tag').count()).toBe(1)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('send a form, an upload and what respondents send without a key', async () => {
    const tenant = await app.createTenant()
    const form = await createPublished(tenant, [{ type: 'file_upload', fileUploadSlots: ['Photo'] }])
    const { page, complaints } = await watchedPage()
    await openDocs(page, 'createForm', 'uploadFile')
    await authorise(page, 'bearer', tenant.key)
    expect((await execute(page, 'operations-Forms-createForm')).status).toBe('201')
    const upload = await execute(page, 'operations-Collection-uploadFile', async (block) => {
      await block.locator('[data-param-name="launchCode"] input').fill(form.launchCode)
      await block
        .locator('input[type="file"]')
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png) })
    })
    expect([upload.status, JSON.parse(upload.body ?? '').uploadId]).toEqual(['201', expect.any(String)])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('move nothing for who wants nothing to move', async () => {
    const { page } = await watchedPage()
    await openDocs(page, 'getMe')
    const duration = () =>
      page
        .locator('.btn.authorize')
        .first()
        .evaluate((it) => getComputedStyle(it).transitionDuration)
    expect(await duration()).toBe('0s')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await duration()).not.toBe('0s')
    await page.close()
  })

  /** Without the key that an earlier test left behind. With a few operations alone, each step takes a fraction of the time. */
  async function openDocs(page: Page, ...operationIds: string[]): Promise<void> {
    if (operationIds.length > 0) {
      const document = await documentOf(app)
      const some = operationsOf(document).filter(({ operationId }) => operationIds.includes(operationId))
      expect(some).toHaveLength(operationIds.length)
      await page.route('**/docs/json', (route) => route.fulfill({ json: documentOnly(document, some) }))
    }
    await page.addInitScript(() => {
      if (!sessionStorage.getItem('cleared')) localStorage.clear()
      sessionStorage.setItem('cleared', 'yes')
    })
    await page.goto(`${app.url}/docs`)
    await page.waitForSelector('.opblock')
  }

  async function watchedPage() {
    const page = await browser.context.newPage()
    // What opens by and by is drawn anew at every moment of it.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const hosts = new Set<string>()
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).host)
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    return { page, hosts, complaints }
  }
})

async function authorise(page: Page, scheme: string, key: string): Promise<void> {
  await page.locator('.btn.authorize').first().click()
  // Whoever pastes at once pastes a key.
  await page.locator('.auth-container input:focus').waitFor()
  expect(await page.locator('.auth-container', { has: page.locator('input:focus') }).textContent()).toContain('bearer')
  const form = page.locator('.auth-container', { has: page.getByText(new RegExp(`^${scheme}\\b`)) })
  await form.locator('input').fill(key)
  await form.locator('button.authorize').click()
  await page.locator('.btn-done').first().click()
}

async function execute(
  page: Page,
  operation: string,
  fill: (block: Locator) => Promise<void> = async () => {},
): Promise<{ status: string | null; body: string | null }> {
  const block = page.locator(`#${operation}`)
  await block.locator('.opblock-summary-control').click()
  await block.locator('.try-out__btn').click()
  await fill(block)
  await block.locator('.execute').click()
  const live = block.locator('.live-responses-table')
  await live.waitFor()
  return {
    status: await live.locator('.response-col_status').last().textContent(),
    body: await live.locator('.highlight-code code').first().textContent(),
  }
}
