import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Reader } from '../../src/db/index.ts'
import { findExamples } from '../../src/demo/examples.ts'
import { type Demo, prepareDemo } from '../../src/demo/index.ts'
import type { OpenApiDocument } from '../../src/docs/types.ts'
import { type DocumentedOperation, documentOf, documentOnly, operationsOf } from '../support/api/conformance.ts'
import { startApp } from '../support/app.ts'
import { png } from '../support/forms/hosted.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { LIMIT } from '../support/patience.ts'

/** What is deleted is read before, and what lies within something is deleted before it. */
const ORDER = ['GET', 'POST', 'PUT', 'DELETE']
const depth = ({ method, path }: DocumentedOperation) => (method === 'DELETE' ? path.split('/').length : 0)
const inOrder = (a: DocumentedOperation, b: DocumentedOperation) =>
  ORDER.indexOf(a.method) - ORDER.indexOf(b.method) || depth(b) - depth(a)
/**
 * Swagger UI resolves and renders all that it shows at every step, which takes ten times as long as what is tried. So it
 * shows a few operations at a time, each with what the document says of its request; `page.test.ts` has the whole.
 */
const AT_ONCE = 5

test.skipIf(!hasBrowser)(
  'every operation works in the browser as it stands, in a demo, for who pastes the key and presses Execute',
  async () => {
    let made: Demo | undefined
    const examples = (db: Reader) => findExamples(db, made?.tenantId ?? '', made?.guest ?? null)
    const app = await startApp({ environment: { FRONTDESK_WEBHOOK_TIMEOUT_MS: '200' }, replace: { examples } })
    const { config, files, secrets } = app.deps
    made = await prepareDemo(app.database, { dataDir: config.dataDir, files, secrets }, app.clock.now())
    const document = await documentOf(app)
    const browser = await openBrowser()
    try {
      const page = await browser.context.newPage()
      // What opens and closes by and by is drawn anew at every moment of it.
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const operations = operationsOf(document).toSorted(inOrder)
      const failed = []
      for (let done = 0; done < operations.length; done += AT_ONCE) {
        const some = operations.slice(done, done + AT_ONCE)
        await showOnly(page, app.url, documentOnly(document, some))
        if (done === 0) await authorise(page, made.key)
        for (const { operationId } of some) {
          const status = await execute(page, operationId)
          // What a demo cannot do: it has no payment provider.
          if (operationId === 'payResponse' ? status !== 409 : status >= 300) failed.push({ operationId, status })
        }
      }
      expect(failed).toEqual([])
    } finally {
      await browser.close()
      await app.close()
    }
  },
  LIMIT,
)

/** The page as it is, of a part of the document. The key that was typed in before stays with the tab. */
async function showOnly(page: Page, url: string, part: OpenApiDocument): Promise<void> {
  await page.unrouteAll()
  await page.route('**/docs/json', (route) => route.fulfill({ json: part }))
  await page.goto(`${url}/docs`)
  await page.waitForSelector('.opblock')
}

async function authorise(page: Page, key: string): Promise<void> {
  await page.locator('.btn.authorize').first().click()
  const form = page.locator('.auth-container', { has: page.getByText(/^bearer\b/) })
  await form.locator('input').fill(key)
  await form.locator('button.authorize').click()
  await page.locator('.btn-done').first().click()
}

/** Opens an operation, executes it with what is filled in, and closes it again. */
async function execute(page: Page, operationId: string): Promise<number> {
  const block = page.locator(`.opblock[id$="-${operationId}"]`)
  const summary = block.locator('.opblock-summary-control')
  await summary.click()
  await block.locator('.try-out__btn').click()
  if (/^upload(Chat)?File$/.test(operationId)) {
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png) }
    await block.locator('input[type="file"]').setInputFiles(file)
  }
  await block.locator('.execute').click()
  const status = block.locator('.live-responses-table .response-col_status').last()
  const text = await status.textContent()
  await summary.click()
  return Number.parseInt(text ?? '', 10)
}
