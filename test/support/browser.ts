import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

/** Chromium without windows shows the same pages and takes half the time; whole where that is not installed. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const
const CHROMIUM = process.env.CHROMIUM ?? PROGRAMS.find((program) => existsSync(program)) ?? PROGRAMS[1]

/** Whether pages can be tested here. Without a browser such tests are skipped on a desk, and fail in CI. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === 'true'

if (!hasBrowser) console.error(`no ${CHROMIUM}: tests of pages are skipped (set CHROMIUM to another path)`)

/** How long a page may take to do one thing, in milliseconds: the machine may have others to do. */
const PATIENCE = 60_000

/** One browser for all files of a process: to start one takes longer than most tests. */
let started: Promise<Browser> | null = null

/** For programs that go on after their last page: tests end with their browser. */
export async function endBrowser(): Promise<void> {
  await (await started)?.close()
  started = null
}

async function browser(): Promise<Browser> {
  // A test that takes too long ends what its process has started.
  if (!(await started)?.isConnected()) started = null
  started ??= chromium.launch({
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
  return started
}

/** A profile of its own, empty, in a browser that calls nobody of its own accord. Close it when done. */
export async function openBrowser(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const context = await (await browser()).newContext()
  context.setDefaultTimeout(PATIENCE)
  return { context, close: () => context.close() }
}
