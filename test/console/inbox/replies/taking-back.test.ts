import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { type Frame, openChat } from '../../../support/chat/chat.ts'
import { messagesOf } from '../../../support/chat/event-stream.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { createEmailInbox } from '../../../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let chat: Awaited<ReturnType<typeof openChat>>
let token: string
let id: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  app.clock.advance(60_000)
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  await createEmailInbox(acme)
  chat = await openChat(app, acme)
  ;({ token } = await chat.visitor({ name: 'Ada', email: 'ada@acme.test' }))
  id = (await chat.start(token, 'Where is my order?')).body.conversationId
  app.clock.advance(1000)
})
afterAll(() => app.close())

/** Says something as the form of the page does; resolves with the form that takes it back. */
async function say(answer: string, fields: Record<string, string> = {}) {
  const sent = await agent.post(`/console/tickets/${id}/replies`, { answer, ...fields })
  const { text } = await agent.follow(sent)
  const [, path = '', rest = ''] =
    /data-said[^>]*>.*?<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(text) ?? []
  const found = [...rest.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return { path, fields: Object.fromEntries(found.map(([, name = '', value = '']) => [name, value])) }
}

const takeBack = ({ path, fields }: Awaited<ReturnType<typeof say>>, by = agent) =>
  by.csrf().then((csrf) => by.post(path, { ...fields, csrf }))
const said = async () => (await chat.read(token, id)).body.items.map(({ text }: { text: string }) => text.trim())
const ticket = async () => (await acme.get(`/v1/tickets/${id}`)).body
const refusedWith = ({ status, text }: Answer) => [status, /too late to take this message back/.test(text)]

/** Texts of the mails that went out from here on. */
function newMails() {
  const folder = join(app.dataDir, 'outbox')
  const names = () => {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  }
  const before = new Set(names())
  return () =>
    names()
      .filter((name) => !before.has(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
}

describe('what an agent said in a chat a moment ago', () => {
  test('is taken back from the visitor’s page and from the thread, and is being written again', async () => {
    const socket = await chat.connect(token)
    await socket.listening()
    const before = await ticket()
    const form = await say('The wrong answer')
    const { message } = await socket.next(({ message }: Frame) => message?.text.trim() === 'The wrong answer')
    expect(form.path).toBe(`/console/tickets/${id}/messages/${message.id}/undo`)
    const answer = await takeBack(form)
    const { text } = await agent.follow(answer)
    expect(await socket.next(({ type }: Frame) => type === 'removed')).toEqual({
      type: 'removed',
      conversationId: id,
      messageId: message.id,
    })
    expect(await said()).toEqual(['Where is my order?'])
    const [own] = (await chat.conversations(token)).body.items
    expect(own.lastMessage.text).toBe('Where is my order?')
    const { updatedAt: _, ...now } = await ticket()
    expect(before).toMatchObject(now)
    expect(text).not.toContain(`m-${message.id}`)
    expect(/<template data-draft>(.*?)<\/template>/.exec(text)?.[1]).toContain('The wrong answer')
    socket.close()
  })

  test('is gone from a colleague’s page at once', async () => {
    const colleague = await signedIn(app, acme, 'agent')
    const cookie = [...colleague.cookies].map((pair) => pair.join('=')).join('; ')
    const form = await say('The wrong answer')
    const stream = messagesOf(await fetch(`${app.url}/console/tickets/${id}/events?after=~`, { headers: { cookie } }))
    await stream.untilBegun()
    await takeBack(form)
    await stream.upTo(({ event }) => event === 'removed')
    await stream.close()
  })

  test('stays where more than ten seconds are over, and where a colleague asks', async () => {
    const form = await say('For good')
    const colleague = await signedIn(app, acme, 'agent')
    expect((await takeBack(form, colleague)).status).toBe(409)
    app.clock.advance(14_000)
    expect(refusedWith(await takeBack(form))).toEqual([409, true])
    expect(await said()).toEqual(['Where is my order?', 'For good'])
  })

  test('is not what the visitor wrote, nor what was written in a mail', async () => {
    const [own] = (await chat.read(token, id)).body.items
    const answer = await agent.post(`/console/tickets/${id}/messages/${own.id}/undo`)
    expect(answer.status).toBe(409)
    expect(await said()).toEqual(['Where is my order?'])
  })

  test('comes with no mail, and what was said beside it does', async () => {
    const mails = newMails()
    const first = await say('The wrong answer')
    app.clock.advance(1000)
    await say('The right answer')
    app.clock.advance(1000)
    await takeBack(await say('Another wrong answer'))
    await takeBack(first)
    app.clock.advance(120_000)
    await app.runDue()
    expect(mails()).toHaveLength(1)
    expect(mails()[0]).toContain('The right answer')
    expect(mails()[0]).not.toContain('wrong answer')
  })

  test('leaves no mail where it was the only answer', async () => {
    const mails = newMails()
    await takeBack(await say('The wrong answer'))
    app.clock.advance(120_000)
    await app.runDue()
    expect(mails()).toEqual([])
  })

  test('stays once a mail with it has gone out', async () => {
    const mails = newMails()
    await say('First')
    app.clock.advance(119_000)
    const form = await say('Second')
    app.clock.advance(1000)
    await app.runDue()
    expect(mails()[0]).toContain('Second')
    expect(refusedWith(await takeBack(form))).toEqual([409, true])
    expect(await said()).toEqual(['Where is my order?', 'First', 'Second'])
  })

  test('opens again what was closed with it', async () => {
    const form = await say('Good bye', { after: 'close' })
    expect((await ticket()).status).toBe('closed')
    await takeBack(form)
    expect((await ticket()).status).toBe('open')
  })
})
