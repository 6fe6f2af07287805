import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat.ts'

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

describe('a conversation', () => {
  test('is a ticket of the source’s inbox', async () => {
    const { token } = await chat.visitor({ name: 'Ada', email: 'ada@acme.test' })
    const { status, body, headers } = await chat.start(token)
    expect(status).toBe(201)
    expect(body).toEqual({
      conversationId: expect.any(String),
      message: {
        id: expect.any(String),
        conversationId: body.conversationId,
        direction: 'inbound',
        author: { type: 'contact', name: 'Ada' },
        text: 'Where is my order?',
        html: '<p>Where is my order?</p>',
        createdAt: '2026-03-01T09:00:00.000Z',
      },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const [ticket] = (await acme.get('/v1/tickets')).body.items
    expect(ticket).toMatchObject({ id: body.conversationId, channel: 'livechat', subject: 'Where is my order?' })
  })
})

test('socket', async () => {
  const { token } = await chat.visitor({ name: 'Ada', email: 'ada@acme.test' })
  const socket = await chat.connect(token)
  expect(socket.isOpen).toBe(true)
  const { body } = await chat.start(token)
  const frame = await socket.next(({ type }) => type === 'message')
  expect(frame.message).toEqual(body.message)
})
