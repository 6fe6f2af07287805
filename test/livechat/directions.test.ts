import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { updateSource } from '../support/chat/settings.ts'
import { answerAs, beginConversation, visitSite } from '../support/chat/visitor.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'

let app: TestApp
let acme: TestTenant
beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** At which side of its box each line of an element's text begins. */
const beginnings = (element: Locator) =>
  element.evaluate((node) => {
    const box = node.getBoundingClientRect()
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const sides: string[] = []
    while (walker.nextNode()) {
      const text = walker.currentNode as Text
      for (const { index } of text.data.matchAll(/^\S/gm)) {
        const range = new Range()
        range.setStart(text, index)
        range.setEnd(text, index + 1)
        const letter = range.getBoundingClientRect()
        sides.push(letter.left - box.left < box.right - letter.right ? 'left' : 'right')
      }
    }
    return sides
  })

test.skipIf(!hasBrowser).each(['de', 'ar'])(
  'in a chat in %s every message and paragraph runs as its own text does',
  async (language) => {
    const chat = await openChat(app, acme)
    await updateSource(acme, chat.sourceId, { language })
    const browser = await openBrowser()
    const site = await visitSite(browser.context, app, chat)
    const id = await beginConversation(acme, site, 'Ada Lovelace here:\nأين طلبي رقم ABC-123؟')
    await answerAs(
      acme,
      'Maja',
      id,
      '<p>Hello, order ABC:</p><p>مرحبا، ABC-123 في الطريق إليكم اليوم</p><ul><li>شكرا</li><li>Thanks</li></ul>',
    )
    const answer = site.frame.locator('.theirs .bubble')
    await answer.waitFor()
    expect(await beginnings(site.frame.locator('.own .bubble'))).toEqual(['left', 'right'])
    expect(await beginnings(answer)).toEqual(['left', 'right', 'right', 'left'])
    await site.close()
    await browser.close()
  },
)
