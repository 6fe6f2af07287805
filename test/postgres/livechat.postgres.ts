import { afterAll, beforeAll, expect, test } from 'bun:test'
import { commandCaller } from '../../src/caller.ts'
import { chatMails } from '../../src/db/schema.ts'
import { findVisitorOfTicket } from '../../src/livechat/read.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import type { TestApp } from '../support/app.ts'
import { type Frame, openChat } from '../support/chat/chat.ts'
import { until } from '../support/patience.ts'
import { startNodes } from '../support/processes/nodes.ts'
import { createEmailInbox } from '../support/tickets/tickets.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
let here: TestApp
let there: TestApp
beforeAll(async () => {
  nodes = await startNodes(2, { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' })
  ;[here, there] = nodes.apps as [TestApp, TestApp]
})
afterAll(() => nodes.close())

const saying = (text: string) => (frame: Frame) => frame.type === 'message' && frame.message.text === text

/** A conversation that began on one node, and a socket of its visitor on the other. */
async function connected(visitor: object = {}) {
  const tenant = await here.createTenant()
  const chat = await openChat(here, tenant)
  const elsewhere = await openChat(there, chat.sourceId)
  const { token } = await chat.visitor(visitor)
  const { conversationId } = (await chat.start(token)).body
  const socket = await elsewhere.connect(token)
  socket.send('{')
  await socket.next(({ type }) => type === 'error')
  return { tenant, chat, elsewhere, token, conversationId, socket }
}

test('what is written on one node reaches a socket on another, each once and in order', async () => {
  const { tenant, chat, token, conversationId, socket } = await connected()
  await chat.write(token, conversationId, { text: 'By request' })
  await socket.next(saying('By request'))
  for (let i = 0; i < 20; i++) {
    await tenant.perform((tx, caller) => addSentReply(tx, caller, conversationId, { text: `Answer ${i}` }))
  }
  await socket.next(saying('Answer 19'))
  const answers = socket.frames.filter(({ message }) => message?.text?.startsWith('Answer'))
  expect(answers.map(({ message }) => message.text)).toEqual(Array.from({ length: 20 }, (_, i) => `Answer ${i}`))
  socket.close()
})

test('that an agent types on one node is seen on another, once; that the visitor does is not theirs to see', async () => {
  const { tenant, chat, token, conversationId, socket } = await connected()
  here.deps.live.type({ tenantId: tenant.tenantId, ticketId: conversationId, by: 'visitor' })
  here.deps.live.type({ tenantId: tenant.tenantId, ticketId: conversationId, by: 'agent' })
  there.deps.presence.write(tenant.tenantId, conversationId, { userId: conversationId, name: 'Anna' })
  await socket.next(({ type }) => type === 'typing')
  await chat.write(token, conversationId, { text: 'Later' })
  await socket.next(saying('Later'))
  expect(socket.frames.filter(({ type }) => type === 'typing')).toEqual([{ type: 'typing', conversationId }])
  socket.close()
})

test('what no event tells is heard on the other node: that a visitor types, and that a message was taken back', async () => {
  const { tenant, conversationId, socket } = await connected()
  const { tenantId } = tenant
  const heard: unknown[] = []
  const end = await here.deps.live.watch(tenantId, (changes) => heard.push(...changes))
  socket.send({ type: 'typing', conversationId })
  await until(() =>
    heard.some((change) => Bun.deepEquals(change, { ...typed(tenantId, conversationId), by: 'visitor' })),
  )
  here.deps.live.remove({ tenantId, ticketId: conversationId, messageId: conversationId })
  const removed = { type: 'removed', conversationId, messageId: conversationId }
  expect(await socket.next(({ type }) => type === 'removed')).toEqual(removed)
  end()
  socket.close()
})

const typed = (tenantId: string, ticketId: string) => ({ type: 'typing', tenantId, ticketId })

test('where a visitor is on one node is known on the other as long as somebody looks', async () => {
  const { tenant, chat, conversationId, token, socket } = await connected()
  const { tenantId } = tenant
  const visitorId = String(await findVisitorOfTicket(here.database.db, tenantId, conversationId))
  const whereabouts = () => here.deps.visitors.of(tenantId, visitorId)
  socket.send({ type: 'page', page: 'https://shop.test/one' })
  const watched = here.deps.visitors.watch(tenantId, visitorId, () => {})
  await until(() => whereabouts()?.page === 'https://shop.test/one')
  socket.send({ type: 'page', page: 'https://shop.test/two?q=secret' })
  await until(() => whereabouts()?.page === 'https://shop.test/two')
  const nearer = await chat.connect(token)
  socket.close()
  await until(() => there.deps.visitors.of(tenantId, visitorId)?.isHere === false)
  expect(whereabouts()?.isHere).toBe(true)
  nearer.close()
  await until(() => whereabouts()?.isHere === false)
  watched.end()
})

test('a visitor who comes while somebody on another node looks at their chat is seen there at once', async () => {
  const tenant = await here.createTenant()
  const chat = await openChat(here, tenant)
  const elsewhere = await openChat(there, chat.sourceId)
  const { token, visitorId } = await chat.visitor()
  await chat.start(token)
  const watched = here.deps.visitors.watch(tenant.tenantId, visitorId, () => {})
  // What was asked has been heard by the time that something told after it has.
  const heard = Promise.withResolvers<void>()
  there.database.talk?.onTold((text) => text === '"after"' && heard.resolve())
  here.database.talk?.tell('"after"')
  await heard.promise
  const socket = await elsewhere.connect(token)
  socket.send({ type: 'page', page: 'https://shop.test/pricing' })
  // Nobody asks again here.
  await until(() => here.deps.visitors.of(tenant.tenantId, visitorId)?.page === 'https://shop.test/pricing')
  socket.close()
  watched.end()
})

test('an event that is committed behind one with a higher number is not missed', async () => {
  const { tenant, conversationId, socket } = await connected()
  const caller = () => commandCaller(tenant.tenantId, here.clock.now())
  const other = (await openChat(here, tenant)).sourceId
  expect(other).toBeString()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>()
  const late = here.database.transaction(async (tx) => {
    const message = await addSentReply(tx, caller(), conversationId, { text: 'Late' })
    held()
    await goOn
    return message
  })
  await isHeld
  // Another conversation's events get higher numbers, and are read first.
  const second = await openChat(there, await there.createTenant())
  const visitor = await second.visitor()
  const watching = await second.connect(visitor.token)
  await second.start(visitor.token, 'Early')
  await watching.next(saying('Early'))
  release()
  await late
  await socket.next(saying('Late'))
  for (const one of [socket, watching]) one.close()
})

test('40 messages under one clientId over both nodes are one', async () => {
  const { chat, elsewhere, token, conversationId, socket } = await connected()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      (i % 2 ? chat : elsewhere).write(token, conversationId, { text: 'Hello?', clientId: 'c1' }),
    ),
  )
  expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect((await chat.read(token, conversationId)).body.items).toHaveLength(2)
  socket.close()
})

test('an answer that a socket on another node got is not mailed; one that nobody saw is, by one node', async () => {
  const { tenant, conversationId, socket } = await connected({ email: 'ada@acme.test' })
  await createEmailInbox(tenant)
  const reply = (text: string) => tenant.perform((tx, caller) => addSentReply(tx, caller, conversationId, { text }))
  const mails = async () =>
    (await here.database.db.select().from(chatMails)).filter(({ ticketId }) => ticketId === conversationId)
  await reply('Seen')
  await socket.next(saying('Seen'))
  await until(async () => (await mails()).length === 0)
  socket.close()
  await socket.closed()
  await reply('Unseen')
  for (const { clock } of nodes.apps) clock.advance(2 * 60_000)
  await Promise.all(nodes.apps.map((app) => app.runDue()))
  expect(await mails()).toMatchObject([{ dueAt: null, error: null, attempts: 1, address: 'ada@acme.test' }])
})
