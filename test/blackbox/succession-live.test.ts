import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { commandCallerAs } from '../../src/caller.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { type Visitor, visitSite } from '../support/chat/visitor.ts'
import { openDataOf } from '../support/data/postgres.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, faultLines, record, serve } from '../support/processes/program.ts'
import { Succession } from '../support/processes/succession.ts'

/** How many answers come at least before the restart, beside it and behind it. */
const ANSWERS = 5

let browser: Awaited<ReturnType<typeof openBrowser>>
let succession: Succession | undefined
beforeAll(async () => {
  if (hasBrowser) browser = await openBrowser()
})
afterAll(async () => {
  succession?.kill()
  await browser?.close()
})

/** A service with a chat, an agent who can sign in, and a program that answers. */
async function started() {
  const program = await executable()
  const cwd = emptyFolder()
  const make = (...args: string[]) => record(program, args, { cwd })
  const { tenantId } = await make('tenant', 'create', '--name', 'Acme')
  const inbox = await make('inbox', 'create', '--name', 'Chat', '--channel', 'livechat')
  const source = await make('source', 'create', '--name', 'Shop', '--inbox', inbox.id)
  const email = 'agent@acme.test'
  const { userId, password } = await make('user', 'create', '--email', email, '--role', 'agent')
  const { key } = await make('key', 'create', '--name', 'k', '--scopes', 'tickets:read')
  succession = new Succession(await serve(program, { cwd }))
  const { url } = succession.service
  return {
    succession,
    url,
    chat: { path: `/chat/${source.id}` },
    agent: { email, password },
    async tickets(): Promise<{ id: string }[]> {
      const answer = await fetch(`${url}/v1/tickets`, { headers: { authorization: `Bearer ${key}` } })
      return ((await answer.json()) as { items: { id: string }[] }).items
    },
    /** What the agent answers is written by another process, as by a command or another node. */
    async openAnswers() {
      const database = await openDataOf(join(cwd, 'data'))
      const answer = (ticketId: string, html: string) =>
        database.transaction((tx) =>
          addSentReply(tx, commandCallerAs(tenantId, { userId, name: 'Ada' }, Date.now()), ticketId, { html }),
        )
      return { answer, close: () => database.close() }
    },
  }
}

async function signIn(page: Page, url: string, { email, password }: { email: string; password: string }) {
  await page.goto(`${url}/console/sign-in`)
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await Promise.all([page.waitForURL((at) => !at.pathname.endsWith('/sign-in')), page.keyboard.press('Enter')])
}

/** How many sockets, or streams of events, a page has opened. */
function counted(page: Page) {
  const opened = { sockets: 0, streams: 0 }
  page.on('websocket', () => void opened.sockets++)
  page.on('request', (request) => {
    if (request.resourceType() === 'eventsource') opened.streams++
  })
  return opened
}

/** The texts among `sent` that a page shows, each as often as it does. */
const shownOf = (sent: readonly string[], texts: readonly string[]) =>
  texts.flatMap((text) => sent.filter((one) => text.includes(one))).sort()

test.skipIf(!hasBrowser)(
  'open chats and pages of the inbox come over to the process that follows, and show each message once',
  async () => {
    const { url, chat, agent, ...service } = await started()
    const site = await visitSite(browser.context, { url }, chat)
    const visitor = counted(site.page)
    await site.open()
    await site.say('Where is my order?')
    await site.frame.locator('.message[data-state=there]', { hasText: 'Where is my order?' }).waitFor()
    const ticket = await until(async () => (await service.tickets())[0])
    const page = await browser.context.newPage()
    const looking = counted(page)
    await signIn(page, url, agent)
    await page.goto(`${url}/console/tickets/${ticket.id}`)
    await until(() => looking.streams > 0)

    const sent: string[] = []
    const answers = await service.openAnswers()
    const answer = async (text: string) => {
      await answers.answer(ticket.id, `<p>${text}</p>`)
      sent.push(text)
    }
    const over = new AbortController()
    const answering = (async () => {
      for (let count = 1; !over.signal.aborted; count += 1) {
        await answer(`Answer ${count}.`)
        await Bun.sleep(50)
      }
    })()
    const more = async () => {
      const before = sent.length
      await Promise.race([until(() => sent.length >= before + ANSWERS), answering])
    }
    const before = { ...visitor, streams: looking.streams }
    await more()
    const followed = service.succession.follow()
    await site.say('Are you there?')
    sent.push('Are you there?')
    await followed
    await more()
    // Each comes again by itself.
    await until(() => visitor.sockets > before.sockets && looking.streams > before.streams)
    await more()
    over.abort()
    await answering
    await answer('Behind the restart.')
    await answers.close()
    await both(site, page, sent)

    const { stdout, stderr } = await service.succession.stop()
    expect([stderr, faultLines(stdout)]).toEqual(['', []])
    await Promise.all([site.close(), page.close()])
  },
)

async function both(site: Visitor, page: Page, sent: readonly string[]): Promise<void> {
  const inChat = async () =>
    shownOf(
      sent,
      (await site.messages()).map(([, text]) => text ?? ''),
    )
  await until(async () => (await inChat()).length >= sent.length)
  expect(await inChat()).toEqual([...sent].sort())
  // Of a long conversation a ticket shows the newest, until somebody wants the others.
  const answers = sent.filter((text) => text.endsWith('.'))
  const inInbox = async () => shownOf(answers, await page.locator('article.message').allTextContents())
  await until(async () => (await inInbox()).includes(answers.at(-1) as string))
  const shown = await inInbox()
  expect(shown.length).toBeGreaterThan(ANSWERS)
  expect(shown).toEqual(answers.slice(-shown.length).sort())
}
