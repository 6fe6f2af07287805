import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { conversations, visitors } from '../../src/db/schema.ts'
import { visitedPage } from '../../src/livechat/visitor-page.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { messagesOf } from '../support/chat/event-stream.ts'
import { signedIn } from '../support/pages/console.ts'
import { until } from '../support/patience.ts'
import { createEmailInbox } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let chat: Awaited<ReturnType<typeof openChat>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  chat = await openChat(app, acme)
})
afterAll(() => app.close())

async function begin(visitor: object = {}) {
  const { token, visitorId } = await chat.visitor(visitor)
  const { conversationId: id } = (await chat.start(token, 'Hello')).body
  return { token, visitorId, id }
}

/** A socket of theirs, which has said all of this. */
async function arrive(token: string, ...frames: object[]) {
  const socket = await chat.connect(token)
  for (const frame of frames) socket.send(frame)
  await socket.listening()
  return socket
}

const text = (markup: string) => markup.replace(/<[^>]*>/g, '')
/** What stands above the answer. */
async function line(id: string): Promise<string> {
  const page = await agent.get(`/console/tickets/${id}`)
  return text(/<p class="whereabouts"[^>]*>(.*?)<\/p>/.exec(page.text)?.[1] ?? '')
}

describe('beside a chat an agent reads', () => {
  test('on which page its visitor is and for how long, and how answers reach those who left', async () => {
    const { token, id } = await begin()
    expect(await line(id)).toBe('Not here, no address: your answer waits for their return')
    const socket = await arrive(token, { type: 'page', page: 'https://shop.test/pricing?token=secret#top' })
    app.clock.advance(4 * 60_000)
    expect(await line(id)).toBe('On /pricing4 min')
    socket.close()
    await until(async () => (await line(id)).startsWith('Left'))
    app.clock.advance(2 * 60_000)
    expect(await line(id)).toBe('Left 2 minutes ago, no address: your answer waits for their return')
  })

  test('that answers go by mail, where there is an address and an inbox to send them from', async () => {
    const { id } = await begin({ email: 'ada@acme.test' })
    expect(await line(id)).toBe('Not here, no address: your answer waits for their return')
    await createEmailInbox(acme)
    expect(await line(id)).toBe('Not here: your answer goes by mail')
  })

  test('that they are still there while one of their tabs is, or the next page loads', async () => {
    const { token, id } = await begin()
    const first = await arrive(token, { type: 'page', page: 'https://shop.test/one' })
    app.clock.advance(1000)
    const second = await arrive(token, { type: 'page', page: 'https://shop.test/two' })
    expect(await line(id)).toStartWith('On /two')
    second.close()
    await second.closed()
    const third = await arrive(token, { type: 'page', page: 'https://shop.test/three' })
    first.close()
    expect(await line(id)).toStartWith('On /three')
    third.close()
  })

  test('all of that as it happens', async () => {
    const { token, id } = await begin()
    const cookie = [...agent.cookies].map((pair) => pair.join('=')).join('; ')
    const stream = messagesOf(await fetch(`${app.url}/console/tickets/${id}/events?after=~`, { headers: { cookie } }))
    await stream.upTo(({ data }) => data.state === 'gone')
    const socket = await arrive(token, { type: 'page', page: 'https://shop.test/cart' })
    await stream.upTo(({ data }) => data.text === 'On /cart')
    const answer = await acme.perform((tx, caller) => addSentReply(tx, caller, id, { text: 'Hello Ada' }))
    socket.send({ type: 'seen', conversationId: id, messageId: answer.id })
    await stream.upTo(({ event }) => event === 'read')
    socket.close()
    await stream.upTo(({ data }) => String(data.text).startsWith('Left '))
    await stream.close()
  })

  test('which answer was read last, and when', async () => {
    const { token, id } = await begin()
    const say = (words: string) => acme.perform((tx, caller) => addSentReply(tx, caller, id, { text: words }))
    const first = await say('First')
    const second = await say('Second')
    const socket = await arrive(
      token,
      { type: 'seen', conversationId: id, messageId: second.id },
      { type: 'seen', conversationId: id, messageId: first.id },
    )
    const { text: page } = await agent.get(`/console/tickets/${id}`)
    expect(page.match(/class="read"/g)).toHaveLength(1)
    expect(
      /aria-labelledby="m-([^"]*)"(?:(?!<\/article>).)*class="read"/s.exec(
        page.slice(page.lastIndexOf('<article')),
      )?.[1],
    ).toBe(second.id)
    socket.close()
  })

  test('where somebody began to chat whose name nobody knows, in the list too', async () => {
    const { token, id } = await begin()
    expect((await agent.get('/console/inbox')).text).toContain('<bdi>Visitor</bdi>')
    const socket = await arrive(
      token,
      { type: 'page', page: 'https://shop.test/pricing' },
      { type: 'page', page: 'https://shop.test/cart' },
    )
    expect((await agent.get('/console/inbox')).text).toContain('<bdi>Visitor on /pricing</bdi>')
    const { text: page } = await agent.get(`/console/tickets/${id}`)
    expect(page).toContain('<strong>Visitor on /pricing</strong>')
    expect(page).not.toContain('Unknown')
    const named = await begin({ name: 'Ada' })
    expect((await agent.get(`/console/tickets/${named.id}`)).text).toContain('<strong>Ada</strong>')
    socket.close()
  })
})

describe('what a visitor’s browser reports', () => {
  test.each([
    ['https://user:pass@shop.test:8443/a/b?c=d#e', 'https://shop.test:8443/a/b'],
    ['https://shop.test/%C3%BCber-uns', 'https://shop.test/über-uns'],
    ['https://shop.test/%E2%80%AEgnp.exe', 'https://shop.test/gnp.exe'],
    ['https://shop.test/%zz', 'https://shop.test/%zz'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['/pricing', null],
    ['', null],
  ])('%p is kept as %p', (reported, kept) => {
    expect(visitedPage(reported)).toBe(kept)
  })

  test('is cut where it is long', () => {
    expect(visitedPage(`https://shop.test/${'x'.repeat(7000)}`)).toHaveLength(300)
  })

  test('is refused where it is no text, and stays text on the page', async () => {
    const { token, id } = await begin()
    const socket = await arrive(
      token,
      { type: 'page', page: { href: 'https://shop.test' } },
      { type: 'page', page: 'x'.repeat(8001) },
      { type: 'page', page: 'https://shop.test/"><img src=x onerror=alert(1)>' },
    )
    expect(socket.frames.map(({ message }) => message)).toEqual([
      'page: must be a string',
      'page: must be at most 8000 characters',
    ])
    const { text: page } = await agent.get(`/console/tickets/${id}`)
    expect(page).not.toContain('<img src=x')
    socket.close()
  })

  test('is not taken for another’s conversation, nor for what is no answer in it', async () => {
    const { token, id } = await begin()
    const other = await begin()
    const [own] = (await chat.read(token, id)).body.items
    const answer = await acme.perform((tx, caller) => addSentReply(tx, caller, other.id, { text: 'Theirs' }))
    const socket = await arrive(
      token,
      { type: 'seen', conversationId: other.id, messageId: answer.id },
      { type: 'seen', conversationId: id, messageId: answer.id },
      { type: 'seen', conversationId: id, messageId: own.id },
      { type: 'seen', conversationId: id, messageId: 'zzz' },
    )
    expect(socket.frames[0]).toMatchObject({ error: 'not_found' })
    const rows = await app.database.db
      .select({ readId: conversations.readId })
      .from(conversations)
      .innerJoin(visitors, eq(visitors.id, conversations.visitorId))
      .where(eq(visitors.sourceId, chat.sourceId))
    expect(rows).toEqual([{ readId: null }, { readId: null }])
    socket.close()
  })

  test('is written once for a conversation, however often they go to another page', async () => {
    const { token } = await begin()
    const socket = await arrive(token, { type: 'page', page: 'https://shop.test/1' })
    // What has been committed is told of later, and of what others have, too.
    const writing = spyOn(app.database, 'transaction')
    for (let i = 2; i < 12; i++) socket.send({ type: 'page', page: `https://shop.test/${i}` })
    socket.send({ type: 'last' })
    await socket.next(({ message }) => message?.startsWith('type:'))
    expect(writing).not.toHaveBeenCalled()
    writing.mockRestore()
    socket.close()
  })
})
