import { expect, test } from 'bun:test'
import { ChatSockets } from '../../src/livechat/sockets.ts'
import { findChatSource } from '../../src/livechat/source.ts'
import { startApp } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { until } from '../support/patience.ts'

test('a visitor is told which of their messages was taken, though it was passed on to them before', async () => {
  const app = await startApp()
  const acme = await app.createTenant()
  const chat = await openChat(app, acme)
  const { token } = await chat.visitor({ name: 'Ada' })
  const { conversationId } = (await chat.start(token)).body
  const frames: { type: string; clientId?: string; message?: { text: string } }[] = []
  const { database } = app.deps
  // As on a machine whose disk takes its time after what was committed is there to be read.
  const slow = Object.assign(Object.create(database) as typeof database, {
    async transaction<T>(work: Parameters<typeof database.transaction<T>>[0]) {
      const result = await database.transaction(work)
      await until(() => frames.some(({ message }) => message?.text === 'Is it there?'))
      return result
    },
  })
  const sockets = new ChatSockets({ ...app.deps, database: slow })
  const client = { address: '127.0.0.1', network: '127.0.0.1' } as Parameters<typeof sockets.open>[1]
  const socket = sockets.open(await findChatSource(database.db, chat.sourceId), client, () => {})
  socket.opened({ send: (frame: string) => frames.push(JSON.parse(frame)), ping: () => {}, close: () => {} } as never)
  socket.received(JSON.stringify({ token }))
  socket.received(
    JSON.stringify({ type: 'message', conversationId, message: { text: 'Is it there?', clientId: 'one' } }),
  )
  await until(() => frames.some(({ clientId }) => clientId === 'one'))
  expect(frames.filter(({ message }) => message?.text === 'Is it there?')).toHaveLength(2)
  socket.closed()
  await app.close()
})
