import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Reader } from '../../src/db/index.ts'
import { findExamples } from '../../src/demo/examples.ts'
import { type Demo, prepareDemo } from '../../src/demo/index.ts'
import { startApp } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { documentOf, operationsOf } from '../support/conformance.ts'
import { png } from '../support/hosted.ts'
import { LIMIT } from '../support/patience.ts'

/** What is deleted is read before. */
const ORDER = ['GET', 'POST', 'PUT', 'DELETE']

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
      await page.goto(`${app.url}/docs`)
      await page.waitForSelector('.opblock')
      await authorise(page, made.key)
      const operations = operationsOf(document).toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
      const failed = []
      for (const { operationId } of operations) {
        const status = await execute(page, operationId)
        // What a demo cannot do: it has no payment provider.
        if (operationId === 'payResponse' ? status !== 409 : status >= 300) failed.push({ operationId, status })
      }
      expect(failed).toEqual([])
    } finally {
      await browser.close()
      await app.close()
    }
  },
  LIMIT,
)

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
  if (operationId === 'uploadFile') {
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png) }
    await block.locator('input[type="file"]').setInputFiles(file)
  }
  await block.locator('.execute').click()
  const status = block.locator('.live-responses-table .response-col_status').last()
  const text = await status.textContent()
  await summary.click()
  return Number.parseInt(text ?? '', 10)
}
