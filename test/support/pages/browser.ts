import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { PATIENCE } from '../patience.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Shows the same pages without having windows, which takes half the time. */
const WINDOWLESS = '/usr/bin/chromium-headless-shell'

/** Whether pages can be tested here. Without a browser such tests are skipped on a desk, and fail in CI. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === 'true'

if (!hasBrowser) console.error(`no ${CHROMIUM}: tests of pages are skipped (set CHROMIUM to another path)`)

/** By path, one browser for all files of a process: to start one takes longer than most tests. */
const started = new Map<string, Promise<Browser>>()

/** For programs that go on after their last page: tests end with their browser. */
export async function endBrowser(): Promise<void> {
  for (const browser of started.values()) await (await browser).close()
  started.clear()
}

async function browserAt(executablePath: string): Promise<Browser> {
  // A test that takes too long ends what its process has started.
  if (!(await started.get(executablePath))?.isConnected()) started.delete(executablePath)
  const browser = started.get(executablePath) ?? launch(executablePath)
  started.set(executablePath, browser)
  return browser
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    timeout: PATIENCE,
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
}

/**
 * A profile of its own, empty, in a browser that calls nobody of its own accord. Close it when done. `asInstalled`: for
 * what the browser of people does beside showing pages, such as keeping what sites of others store from them.
 */
export async function openBrowser({ asInstalled = false } = {}): Promise<{
  context: BrowserContext
  close(): Promise<void>
}> {
  const isLight = !asInstalled && !process.env.CHROMIUM && existsSync(WINDOWLESS)
  const context = await (await browserAt(isLight ? WINDOWLESS : CHROMIUM)).newContext()
  context.setDefaultTimeout(PATIENCE)
  return { context, close: () => context.close() }
}

/** The same person's phone: signed in where `context` is, with a small screen and a finger. Close it when done. */
export async function openPhone(context: BrowserContext): Promise<BrowserContext> {
  const phone = await (context.browser() as Browser).newContext({
    viewport: { width: 390, height: 800 },
    isMobile: true,
    hasTouch: true,
    storageState: await context.storageState(),
  })
  phone.setDefaultTimeout(PATIENCE)
  return phone
}

/** What goes wrong in a page from now on: errors, and loads that are refused or fail. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  return complaints
}
