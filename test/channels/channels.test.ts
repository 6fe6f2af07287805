import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { callerFor } from '../../src/caller.ts'
import { emailChannel } from '../../src/channels/email/channel.ts'
import type { OutgoingMail } from '../../src/channels/email/mailer.ts'
import { createChannels } from '../../src/channels/index.ts'
import { rule } from '../../src/errors.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { DeliveryError } from '../../src/ports/channel.ts'
import { concludeReply, sendReply } from '../../src/tickets/replies/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { refusal } from '../support/refusal.ts'
import { createChatInbox, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let mails: OutgoingMail[]
let fails: boolean

beforeAll(async () => {
  const send = async (mail: OutgoingMail) => {
    mails.push(mail)
    if (fails) throw new DeliveryError('interrupted', rule('mail_interrupted'))
    return []
  }
  const { deps, close } = await startApp()
  const channels = { ...createChannels(deps), email: emailChannel(() => ({ send })) }
  await close()
  app = await startApp({ replace: { channels } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  mails = []
  fails = false
})
afterAll(() => app.close())

/** What an agent does who has signed in. */
function agent() {
  const { tenantId, userId } = acme
  return callerFor({ type: 'user', tenantId, userId, name: 'Robin', role: 'agent' }, app.clock.now(), null)
}

async function answer(ticketId: string, html = '<p>Here I am.</p>') {
  const sent = await sendReply(app.deps, agent(), ticketId, { html })
  return app.database.transaction((tx) => concludeReply(tx, agent(), sent))
}

describe('an agent’s reply', () => {
  test('to a chat is in the thread at once, addressed to nobody, and no mail goes out', async () => {
    const inbox = await createChatInbox(acme)
    const ticket = await createTicket(acme, { inboxId: inbox.id })
    const message = await answer(ticket.id)
    expect(message).toMatchObject({
      direction: 'outbound',
      source: 'web',
      author: { type: 'agent', id: acme.userId, name: 'Robin' },
      subject: null,
      from: null,
      to: [],
    })
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messages.at(-1)).toEqual(message)
    expect((await acme.events()).at(-1)).toMatchObject({ event: 'ticket.replied', payload: { messageId: message.id } })
    expect(mails).toEqual([])
  })

  test('to a mail goes out as a mail', async () => {
    const ticket = await createTicket(acme)
    await answer(ticket.id)
    expect(mails).toMatchObject([{ to: [{ address: 'ada@acme.test' }], subject: 'Re: Where is my order?' }])
  })

  test('on a channel that nothing carries is refused as undelivered, and kept out of the thread', async () => {
    const inbox = await acme.perform((tx, caller) => createInbox(tx, caller, { name: 'Phone', channel: 'messaging' }))
    const ticket = await createTicket(acme, { inboxId: inbox.id })
    const before = await acme.events()
    const refused = await refusal(answer(ticket.id))
    expect(refused).toEqual(['delivery_failed', 'the reply was not sent: no messenger is connected to this inbox'])
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messages).toHaveLength(1)
    expect(await acme.events()).toEqual(before)
  })
})

test('a key cannot reply to a chat, though a person can', async () => {
  const inbox = await createChatInbox(acme)
  const ticket = await createTicket(acme, { inboxId: inbox.id })
  const { status, body } = await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: '<p>Hi</p>' })
  expect([status, body.error]).toEqual([422, 'unprocessable'])
})

describe('the Message-ID of a reply', () => {
  const reply = (ticketId: string, key?: string, html = '<p>On its way.</p>') =>
    acme.post(`/v1/tickets/${ticketId}/replies`, { html }, key === undefined ? {} : { 'idempotency-key': key })

  test('is the same when it is sent again under its Idempotency-Key, so that it is at least the same mail', async () => {
    const ticket = await createTicket(acme)
    fails = true
    expect((await reply(ticket.id, 'k1')).status).toBe(502)
    fails = false
    app.clock.advance(1_000)
    expect((await reply(ticket.id, 'k1')).status).toBe(201)
    expect(mails).toHaveLength(2)
    expect(mails[0]?.messageId).toBe(mails[1]?.messageId as string)
  })

  test('is another one for another key, ticket, tenant or text, and each time without a key', async () => {
    const [first, second] = [await createTicket(acme), await createTicket(acme)]
    await reply(first.id, 'k1')
    await reply(first.id, 'k2')
    await reply(second.id, 'k3')
    await reply(second.id)
    await reply(second.id)
    acme = await app.createTenant()
    await reply((await createTicket(acme)).id, 'k1')
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(mails.length)
    expect(mails).toHaveLength(6)
  })
})
