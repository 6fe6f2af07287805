import type { Page } from 'playwright-core'

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

/** The page shows that the answers have arrived. */
export async function expectThanks(page: Page): Promise<void> {
  await page.waitForSelector('#done:not([hidden])', { timeout: 10_000 })
}
