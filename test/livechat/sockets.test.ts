import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { commandCaller } from '../../src/caller.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/index.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { ChatSocket } from '../../src/livechat/socket.ts'
import { startService } from '../../src/service.ts'
import { concludeReply, sendReply } from '../../src/tickets/replies/operations.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { connect, type Frame, openChat } from '../support/chat/chat.ts'
import { until } from '../support/patience.ts'

let app: TestApp
let acme: TestTenant
let chat: Awaited<ReturnType<typeof openChat>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  chat = await openChat(app, acme)
})
afterAll(() => app.close())

const isMessage = ({ type }: Frame) => type === 'message'
const saying = (text: string) => (frame: Frame) => isMessage(frame) && frame.message.text === text
const reply = (ticketId: string, text: string) =>
  acme.perform((tx, caller) => addSentReply(tx, caller, ticketId, { text }))

/** An agent answers as the console and `ticket reply` do. */
async function answer(ticketId: string, text: string): Promise<void> {
  const caller = commandCaller(acme.tenantId, app.clock.now())
  const id = await sendReply(app.deps, caller, ticketId, { html: `<p>${text}</p>` })
  await app.database.transaction((tx) => concludeReply(tx, caller, id))
}

/** A conversation and a socket of its visitor. */
async function connected() {
  const { token } = await chat.visitor({ name: 'Ada' })
  const { conversationId } = (await chat.start(token, 'Hello')).body
  const socket = await chat.connect(token)
  await socket.listening()
  return { token, conversationId, socket }
}

describe('an open socket', () => {
  test('gets what agents answer, as the plain request shows it, and no note', async () => {
    const { token, conversationId, socket } = await connected()
    await acme.perform((tx, caller) => addNote(tx, caller, conversationId, { text: 'secret' }))
    await answer(conversationId, 'On its way')
    const frame = await socket.next(saying('On its way'))
    const { items } = (await chat.read(token, conversationId)).body
    expect(frame).toEqual({ type: 'message', conversationId, message: items[1] })
    expect(JSON.stringify(socket.frames)).not.toContain('secret')
    socket.close()
  })

  test('gets all of what the visitor writes elsewhere, once, and nothing of others', async () => {
    const { token, conversationId, socket } = await connected()
    const other = await connected()
    await chat.write(token, conversationId, { text: 'By request' })
    await socket.next(saying('By request'))
    const begun = (await chat.start(token, 'Another matter')).body
    expect((await socket.next(saying('Another matter'))).message).toEqual(begun.message)
    for (const text of ['1', '2', '3']) await reply(conversationId, text)
    await socket.next(saying('3'))
    expect(socket.frames.filter(isMessage).map(({ message }) => message.text)).toEqual([
      'By request',
      'Another matter',
      '1',
      '2',
      '3',
    ])
    expect(other.socket.frames.filter((frame) => frame.conversationId === conversationId)).toEqual([])
    socket.close()
    other.socket.close()
  })

  test('takes messages, each once under its clientId, and shows them to the visitor’s other tabs', async () => {
    const { token, conversationId, socket } = await connected()
    const tab = await chat.connect(token)
    await tab.listening()
    const frame = { type: 'message', conversationId, message: { text: 'By socket', clientId: 'c1' } }
    socket.send(frame)
    socket.send(frame)
    const own = await socket.next(saying('By socket'))
    expect((await tab.next(saying('By socket'))).message).toEqual(own.message)
    await chat.write(token, conversationId, { text: 'The end' })
    await Promise.all([socket.next(saying('The end')), tab.next(saying('The end'))])
    // Who wrote it may hear it with the others before it is said which of what they sent it was.
    expect(socket.frames.filter(({ clientId }) => clientId === 'c1')).toHaveLength(1)
    expect(tab.frames.filter(saying('By socket'))).toHaveLength(1)
    const { items } = (await chat.read(token, conversationId)).body
    expect(items.map(({ text }: { text: string }) => text)).toEqual(['Hello', 'By socket', 'The end'])
    socket.close()
    tab.close()
  })

  test('says what is wrong with a frame, and stays open', async () => {
    const { conversationId, socket } = await connected()
    const stranger = await connected()
    const cases: [unknown, string][] = [
      ['{', 'frame: must be JSON as text'],
      ['[]', 'frame: must be an object'],
      [{ type: 'message', message: { text: 'x' } }, 'conversationId: is needed'],
      [{ type: 'message', conversationId, message: { text: ' ' } }, 'text: must not be empty'],
      [
        { type: 'message', conversationId, message: { text: 'x'.repeat(10_001) } },
        'message.text: must be at most 10000 characters',
      ],
      [{ type: 'message', conversationId: stranger.conversationId, message: { text: 'x' } }, 'conversation not found'],
      [{ type: 'typing', conversationId: stranger.conversationId }, 'conversation not found'],
    ]
    for (const [frame, message] of cases) {
      socket.send(frame)
      expect(await socket.next((got) => got.message === message)).toMatchObject({ type: 'error' })
    }
    await reply(conversationId, 'Still there')
    await socket.next(saying('Still there'))
    socket.close()
    stranger.socket.close()
  })

  test('tells of typing both ways', async () => {
    const { conversationId, socket } = await connected()
    const told: unknown[] = []
    const end = await app.deps.live.watch(acme.tenantId, (changes) => told.push(...changes))
    const { tenantId } = acme
    socket.send({ type: 'typing' })
    app.deps.live.type({ tenantId, ticketId: conversationId, by: 'agent' })
    expect(await socket.next(({ type }) => type === 'typing')).toEqual({ type: 'typing', conversationId })
    const ofVisitor = { type: 'typing', tenantId, ticketId: conversationId, by: 'visitor' }
    await until(() => told.length >= 2)
    expect(told).toContainEqual(ofVisitor)
    // Said at most once a second.
    for (let i = 0; i < 5; i++) socket.send({ type: 'typing', conversationId })
    socket.send('{')
    await socket.next(({ message }) => message === 'frame: must be JSON as text')
    expect(told.filter((change) => Bun.deepEquals(change, ofVisitor))).toHaveLength(1)
    expect(socket.frames.filter(({ type }) => type === 'typing')).toHaveLength(1)
    end()
    socket.close()
  })
})

describe('a socket', () => {
  test('of a token that is not known, or another source’s, is closed', async () => {
    const elsewhere = await (await openChat(app, acme)).visitor()
    const { token } = await chat.visitor()
    for (const wrong of [`${token}x`, elsewhere.token, acme.key]) {
      const socket = await chat.connect(wrong)
      expect(await socket.closed()).toEqual({ code: 1008, reason: 'the token is not known' })
    }
    for (const first of ['{', { type: 'message' }, { token: 5 }, 'x'.repeat(1000)]) {
      const socket = await chat.connect()
      socket.send(first)
      expect((await socket.closed()).code).toBe(1008)
    }
  })

  test('that says nothing is closed', async () => {
    const closed = Promise.withResolvers<[number | undefined, string | undefined]>()
    const world = { enter: async () => null, take: async () => {}, seen: () => {}, leave: () => {} }
    const socket = new ChatSocket(world, 10)
    socket.opened({ close: (...why: [number?, string?]) => closed.resolve([why[0], why[1]]) } as never)
    expect(await closed.promise).toEqual([1008, 'no token came'])
  })

  test('that floods is closed', async () => {
    const { socket } = await connected()
    for (let i = 0; i < 200; i++) socket.send({ type: 'typing' })
    expect((await socket.closed()).reason).toBe('too much at once')
  })

  test('of a frame that is too long is closed', async () => {
    const { socket } = await connected()
    socket.send('x'.repeat(200_000))
    await socket.closed()
  })

  test('is only for those who ask for one', async () => {
    const { status, body } = await chat.call('GET', '/socket')
    expect([status, body.message]).toEqual([400, 'this is for WebSockets'])
  })
})

test('nothing is watched any more once every socket is closed', async () => {
  const { socket } = await connected()
  expect(app.deps.live.isWatched).toBe(true)
  socket.close()
  await until(() => !app.deps.live.isWatched)
})

test('what another process writes reaches an open socket', async () => {
  const { conversationId, socket } = await connected()
  const beside = await openDatabase(app.deps.config)
  const caller = commandCaller(acme.tenantId, Date.now())
  await beside.transaction((tx) => addSentReply(tx, caller, conversationId, { text: 'From beside' }))
  await beside.close()
  await socket.next(saying('From beside'))
  socket.close()
})

describe('limits', () => {
  test('of sockets an address: those above 100 are refused until one is closed', async () => {
    const limited = await startApp({ environment: { FRONTDESK_TRUSTED_PROXIES: '127.0.0.1' } })
    const own = await openChat(limited, await limited.createTenant())
    const from = (address: string) => ({ 'x-forwarded-for': address })
    // Those that show no token are closed after a while.
    const { token } = await own.visitor()
    const opened = await Promise.all(Array.from({ length: 250 }, () => own.connect(token, from('203.0.113.1'))))
    const open = opened.filter(({ isOpen }) => isOpen)
    expect(open).toHaveLength(100)
    const plain = await own.call('GET', '/socket', null, undefined, {
      ...from('203.0.113.1'),
      ...{ upgrade: 'websocket', connection: 'Upgrade' },
      ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' },
    })
    expect([plain.status, plain.text]).toEqual([429, ''])
    const other = await own.connect(token, from('203.0.113.2'))
    expect(other.isOpen).toBe(true)
    open[0]?.close()
    await open[0]?.closed()
    // Its end may be heard here before it is counted there.
    await until(async () => (await own.connect(token, from('203.0.113.1'))).isOpen)
    // Opening sockets takes nothing from reading.
    expect((await own.call('GET', '', null, undefined, from('203.0.113.1'))).status).toBe(200)
    await limited.close()
  })

  test('of writes count requests and frames together', async () => {
    const limited = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '5' } })
    const own = await openChat(limited, await limited.createTenant())
    const { token } = await own.visitor()
    const { conversationId } = (await own.start(token)).body
    const socket = await own.connect(token)
    const write = (text: string) => socket.send({ type: 'message', conversationId, message: { text } })
    for (const text of ['1', '2', '3', '4']) write(text)
    expect(await socket.next(({ type }) => type === 'error')).toMatchObject({ error: 'too_soon', retryAfter: 60 })
    expect((await own.write(token, conversationId, { text: '5' })).status).toBe(429)
    expect((await own.call('POST', '/visitors', null, '{')).status).toBe(429)
    expect((await own.read(token, conversationId)).body.items).toHaveLength(4)
    limited.clock.advance(60_000)
    write('6')
    await socket.next(saying('6'))
    await limited.close()
  })
})

test('the service stops at once although sockets are open', async () => {
  const own = await startApp()
  const { sourceId, visitor } = await openChat(own, await own.createTenant())
  const { token } = await visitor()
  const { databaseUrl } = own.deps.config
  const environment = databaseUrl
    ? { FRONTDESK_DATABASE_URL: databaseUrl, FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
    : {}
  const config = loadConfig({ FRONTDESK_PORT: '0', ...environment }, { dataDir: own.dataDir })
  const service = await startService(
    config,
    createLog(() => {}, false),
  )
  const socket = await connect(`http://127.0.0.1:${service.deps.config.port}/chat/${sourceId}`, token)
  expect(socket.isOpen).toBe(true)
  await Promise.all([service.stop(), socket.closed().then(({ code }) => expect(code).toBe(1001))])
  await own.close()
})
