import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Author } from '../../src/caller.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { refusalOf } from '../support/refusal.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const agent: Author = { type: 'agent', id: '019ca8a0-3e80-74d5-ba4b-86b823507c11', name: 'Maja' }
const answer = (ticketId: string, html: string, tenant = acme) =>
  tenant.perform((tx, caller) => addSentReply(tx, { ...caller, author: agent }, ticketId, { html }))

test('an answer that was sent elsewhere joins the thread with its event, and no mail leaves', async () => {
  const inbox = await createEmailInbox(acme)
  const ticket = await createTicket(acme, { inboxId: inbox.id })
  const before = (await acme.events()).length
  const message = await answer(ticket.id, '<p>It is <b>here</b>.<script>x</script></p>')
  expect(message).toMatchObject({
    direction: 'outbound',
    source: 'web',
    author: agent,
    subject: 'Re: Where is my order?',
    html: '<p>It is <b>here</b>.</p>',
    text: 'It is here.',
    from: inbox.emailAddress,
    to: ['ada@acme.test'],
  })
  const { body } = await acme.get(`/v1/tickets/${ticket.id}`)
  expect(body).toMatchObject({ messageCount: 2, excerpt: 'It is here.', status: 'open' })
  expect(body.messages.at(-1)).toEqual(message)
  expect((await acme.events()).slice(before).map(({ event }) => event)).toEqual(['ticket.replied'])
  expect(existsSync(join(app.dataDir, 'outbox'))).toBe(false)
})

test('a chat is answered, too, without addresses and subject', async () => {
  const ticket = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
  const message = await answer(ticket.id, 'Hello!')
  expect(message).toMatchObject({ subject: null, from: null, to: [], text: 'Hello!' })
})

test("an empty answer and another tenant's ticket are refused, and nothing is written", async () => {
  const ticket = await createTicket(acme)
  const other = await app.createTenant('Other')
  expect(await refusalOf(answer(ticket.id, '<p> </p>'))).toContain('html: must not be empty')
  expect(await refusalOf(answer(ticket.id, 'Hello!', other))).toContain('ticket not found')
  expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messageCount).toBe(1)
  expect(await other.events()).toEqual([])
})
