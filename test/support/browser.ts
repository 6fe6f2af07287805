import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether pages can be tested here. Without a browser such tests are skipped on a desk, and fail in CI. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === 'true'

if (!hasBrowser) console.error(`no ${CHROMIUM}: tests of pages are skipped (set CHROMIUM to another path)`)

/** How long a page may take to do one thing, in milliseconds: the machine may have others to do. */
const PATIENCE = 60_000

/** A browser with an empty profile, that calls nobody of its own accord. Close it when done. */
export async function openBrowser(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'frontdesk-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  context.setDefaultTimeout(PATIENCE)
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
