import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Frame, Locator, Page } from 'playwright-core'
import { PASSWORD } from './console.ts'

/** Presses Tab until the element has the focus: whoever has no mouse must get there too. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    const isThere = await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)
    if (isThere) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${selector}`)
}

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/**
 * Where an answer to a customer is written, once scripts run: until then a plain field has its label, and neither what was
 * kept nor what is typed is in the editor.
 */
export function editorOf(page: Page): Locator {
  return page.getByLabel('Your answer').and(page.locator('.editor'))
}

/**
 * Resolves once something that `selector` finds says `text`, though it may for a moment only. Begins to look before
 * whatever is done next.
 */
export function noticed(page: Page, selector: string, text: string): Promise<void> {
  return page.evaluate(
    ([selector, text]) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if ([...document.querySelectorAll(selector)].some(({ textContent }) => textContent === text)) resolve()
        }
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
        look()
      }),
    [selector, text] as const,
  )
}

/** All that the script of a form's page fetches when it is needed is there; but for what is pressed to be fetched. */
export async function everyPart(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const place of document.querySelectorAll('[data-awaits]')) place.dispatchEvent(new Event('focusin'))
  })
  await page.waitForFunction(() => !document.querySelector('[data-awaits]:not(#go-on-later)'))
}

/** The page shows that the answers have arrived. */
export async function expectThanks(page: Page): Promise<void> {
  await page.waitForSelector('#done:not([hidden])')
}

/** Axe as it is served to browsers: each page that it looks at has to read it anew. */
const AXE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** Of all that axe looked at, the faults alone leave the page: as they are written, without a selector for everything. */
const VIOLATIONS = `axe
  .run(document, { iframes: false, resultTypes: ['violations'], selectors: false })
  .then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))`

/** What axe finds wrong with a page, and with the frames in it, but for those where no script may run. */
export async function violations(page: Page): Promise<unknown[]> {
  const found: unknown[] = []
  for (const frame of page.frames()) {
    const sandbox = frame.parentFrame() && (await (await frame.frameElement()).getAttribute('sandbox'))
    if (sandbox != null && !sandbox.includes('allow-scripts')) continue
    found.push(...(await violationsIn(frame)))
  }
  return found
}

/** What axe finds wrong with one frame. */
export async function violationsIn(frame: Frame): Promise<unknown[]> {
  // A policy against scripts of others is one against axe, too; what the browser evaluates by itself runs all the same.
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE)
  // Colours that are on their way from one scheme to the other are nobody's.
  await frame.evaluate(() => {
    for (const animation of document.getAnimations()) animation.cancel()
  })
  return (await frame.evaluate(VIOLATIONS)) as unknown[]
}

/** Ways to look at a page: colours are axe's to judge in each scheme, and what does not fit is found where it is narrow. */
export const LOOKS = [
  ['light', 360],
  ['dark', 1440],
] as const

/** Axe finds nothing wrong with the page as it is, and nothing runs out of the window: light and narrow, dark and wide. */
export async function expectSound(page: Page): Promise<void> {
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const place = [page.url(), colorScheme]
    expect([...place, await violations(page)]).toEqual([...place, []])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect([...place, Math.max(0, overflow)]).toEqual([...place, 0])
  }
}

/** Somebody signs in to the console, and sees the page at `path`. */
export async function signInAt(page: Page, { url }: { url: string }, email: string, path = '/console'): Promise<void> {
  await page.goto(`${url}/console/sign-in?next=${path}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/console/sign-in'))
}

/** What is told of all that happens on the page, whoever made it listen: by its events, in their order. */
export async function listenersOfDocument(page: Page): Promise<string[]> {
  const inspector = await page.context().newCDPSession(page)
  const { result } = await inspector.send('Runtime.evaluate', { expression: 'document' })
  const { listeners } = await inspector.send('DOMDebugger.getEventListeners', { objectId: result.objectId as string })
  await inspector.detach()
  return listeners.map(({ type }) => type).sort()
}
