import { afterAll, beforeAll, expect, test } from 'bun:test'
import { takeBackReply } from '../../src/tickets/replies/pending-replies.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { answerAs, beginConversation, visitSite } from '../support/chat/visitor.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>> | undefined

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  if (hasBrowser) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app.close()
})

test.skipIf(!hasBrowser)('what was taken back leaves the visitor’s page, whether that hears of it or not', async () => {
  const chat = await openChat(app, acme)
  const { tenantId, userId } = acme
  const site = await visitSite((browser as NonNullable<typeof browser>).context, app, chat)
  const conversationId = await beginConversation(acme, site)
  const answered = async (text: string) => {
    const { id } = await answerAs(acme, 'Anna', conversationId, `<p>${text}</p>`)
    await site.message(text).waitFor()
    return id
  }
  const takeBack = (messageId: string) =>
    acme.perform((tx, caller) =>
      takeBackReply(tx, { ...caller, author: { type: 'agent', id: userId, name: 'Anna' } }, messageId),
    )
  await answered('It stays')
  const heard = await answered('It goes at once')
  await takeBack(heard)
  app.deps.live.remove({ tenantId, ticketId: conversationId, messageId: heard })
  await site.message('It goes at once').waitFor({ state: 'detached' })
  await takeBack(await answered('It goes unheard'))
  // The network was gone for a moment.
  await site.frame.locator('html').evaluate(() => dispatchEvent(new Event('online')))
  await site.message('It goes unheard').waitFor({ state: 'detached' })
  expect((await site.messages()).map(([, text]) => text)).toEqual(['Where is my order?', 'It stays'])
  expect(site.complaints).toEqual([])
  await site.close()
})
