import { type BrowserContext, errors, type Locator } from 'playwright-core'
import { addSentReply } from '../../../src/tickets/replies/sent-replies.ts'
import type { TestApp, TestTenant } from '../app.ts'
import { openShop } from '../forms/shop.ts'
import { complaintsOf } from '../pages/browser.ts'
import { PATIENCE, until } from '../patience.ts'
import type { openChat } from './chat.ts'

/** Somebody of the tenant answers. */
export function answerAs(tenant: TestTenant, name: string, ticketId: string, html: string) {
  return tenant.perform((tx, caller) =>
    addSentReply(tx, { ...caller, author: { type: 'agent', id: tenant.userId, name } }, ticketId, { html }),
  )
}

/** The tenant's newest ticket, once there are as many. */
export async function ticketOf(tenant: TestTenant, count = 1) {
  return until(async () => {
    const { items } = (await tenant.get('/v1/tickets')).body
    return items.length >= count && (items[0] as { id: string; subject: string; messageCount: number })
  })
}

export type TestChat = Awaited<ReturnType<typeof openChat>>

interface Visit {
  /** Attributes of the script element. */
  attributes?: string
  head?: string
  body?: string
  /** Of the site's policy. */
  styles?: string
  /** Sites whose pages its frames may show, beside the chat. */
  frames?: string
  /** The browser lets a frame of ours on a site that is not ours keep nothing. */
  keepsNothing?: boolean
}

/** What a frame is asked as it passes from one process to another may never be answered, and is asked again. */
const ATTEMPT = { timeout: PATIENCE / 40 }

/** Acts again and again until that has worked. */
function untilAnswered(act: () => Promise<boolean>) {
  return until(() =>
    act().catch((error) => {
      if (error instanceof errors.TimeoutError) return false
      throw error
    }),
  )
}

/**
 * Writes into a field without the keyboard, which a browser with several pages may not give to a frame of another
 * process, however often it is clicked: what is typed is lost then. What keys do has tests of its own.
 */
export function writeInto(field: Locator, text: string): Promise<void> {
  const write = (element: HTMLInputElement | HTMLTextAreaElement, value: string) => {
    element.value = value
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return field.evaluate(write, text, ATTEMPT)
}

/** A visitor of another site, which has the chat in its page under a strict policy. Close it when done. */
export async function visitSite(
  context: BrowserContext,
  app: Pick<TestApp, 'url'>,
  chat: Pick<TestChat, 'path'>,
  visit: Visit = {},
) {
  const page = await context.newPage()
  const complaints = complaintsOf(page)
  const script = `<script src="${app.url}${chat.path}/widget.js" async ${visit.attributes ?? ''}></script>`
  const { body = '<p>Coffee.</p>', head = '', styles, frames } = visit
  const inHead = `<meta name="viewport" content="width=device-width">${head}${script}`
  const shop = openShop(body, app.url, inHead, styles, frames)
  // Two ports of one host are two origins of one site, whose frames may keep things.
  const url = visit.keepsNothing ? shop.url : shop.url.replace('localhost', new URL(app.url).hostname)
  await page.goto(url)
  const button = page.locator('frontdesk-chat button')
  const frame = page.frameLocator('frontdesk-chat iframe')
  const text = frame.locator('#text')
  return {
    page,
    shop,
    button,
    frame,
    text,
    /** What went wrong in the page: errors and what its policy refused. */
    complaints,
    async open() {
      await button.click()
      await untilAnswered(() => text.waitFor(ATTEMPT).then(() => true))
    },
    async say(message: string) {
      await untilAnswered(async () => {
        await writeInto(text, message)
        return (await text.inputValue(ATTEMPT)) === message
      })
      await untilAnswered(async () => {
        await text.evaluate((field: HTMLTextAreaElement) => field.form?.requestSubmit(), undefined, ATTEMPT)
        return (await text.inputValue(ATTEMPT)) === ''
      })
    },
    /** The messages that show, as their authors and texts. */
    messages: () =>
      frame
        .locator('.log .message')
        .evaluateAll((items) =>
          items.map((item) => [item.querySelector('.author')?.textContent, item.querySelector('.bubble')?.textContent]),
        ),
    message: (content: string) => frame.locator('.log .message', { hasText: content }),
    async close() {
      await page.close()
      shop.close()
    },
  }
}

export type Visitor = Awaited<ReturnType<typeof visitSite>>

/** Has the visitor begin a conversation with the tenant, and resolves with its id once they see it arrived. */
export async function beginConversation(tenant: TestTenant, site: Visitor, text = 'Where is my order?') {
  await site.open()
  await site.say(text)
  // Once it has arrived: before, the tenant's newest ticket is of another conversation.
  await site.frame.locator('.message[data-state=there]', { hasText: text }).waitFor()
  return (await ticketOf(tenant)).id
}
