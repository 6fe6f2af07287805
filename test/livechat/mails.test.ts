import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import PostalMime from 'postal-mime'
import { receiveMail } from '../../src/channels/email/receiving/receive.ts'
import { createChannels } from '../../src/channels/index.ts'
import { chatMails, visitors } from '../../src/db/schema.ts'
import { rule } from '../../src/errors.ts'
import { DeliveryError } from '../../src/ports/channel.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type Frame, openChat } from '../support/chat/chat.ts'
import { renewSecret, updateSource } from '../support/chat/settings.ts'
import { until } from '../support/patience.ts'
import { createEmailInbox } from '../support/tickets/tickets.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let app: TestApp
let acme: TestTenant
let chat: Awaited<ReturnType<typeof openChat>>

/** How sending fails, while it does. */
let failing: DeliveryError | null = null

beforeEach(async () => {
  failing = null
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  const { email, ...others } = createChannels(app.deps)
  Object.assign(app.deps.channels, others, {
    email: {
      ...email,
      deliver: async (message: Parameters<typeof email.deliver>[0]) => {
        if (failing) throw failing
        await email.deliver(message)
      },
    },
  })
  acme = await app.createTenant()
  await createEmailInbox(acme, { name: 'Support', emailAddress: 'help@acme.test' })
  chat = await openChat(app, acme)
})
afterEach(() => app.close())

const reply = (ticketId: string, text: string) =>
  acme.perform((tx, caller) => addSentReply(tx, caller, ticketId, { text }))

/** Mails in the outbox folder, oldest first. */
function mails(): string[] {
  const folder = join(app.dataDir, 'outbox')
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
  } catch {
    return []
  }
}

async function after(ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.runDue()
}

async function conversation(visitor: object = { name: 'Ada', email: 'ada@acme.test' }) {
  const { token } = await chat.visitor(visitor)
  const { conversationId: id } = (await chat.start(token, 'Free pills at http://evil.test')).body
  return { token, id }
}

describe('an answer to a visitor who left', () => {
  test('runs as its own text does, whatever its writer is called', async () => {
    const { id } = await conversation()
    await reply(id, 'مرحبا، الحجز رقم ABC-123')
    await after(2 * MINUTE)
    const { html = '' } = await new PostalMime().parse(mails().join(''))
    expect(html).toContain('<p dir="auto">مرحبا، الحجز رقم ABC-123</p>')
    expect(html).toMatch(/<p dir="auto"><strong>/)
  })

  test('is mailed after two minutes, with those that came meanwhile', async () => {
    const { id } = await conversation()
    await reply(id, 'First answer')
    await after(MINUTE)
    await reply(id, 'Second answer')
    await after(MINUTE - 1)
    expect(mails()).toEqual([])
    await after(1)
    const [mail = '', ...more] = mails()
    expect(more).toEqual([])
    expect(mail).toContain('From: Support <help@acme.test>')
    expect(mail).toContain('To: ada@acme.test')
    expect(mail).toContain('Subject: Your conversation with Help centre')
    expect(mail.indexOf('First answer')).toBeLessThan(mail.indexOf('Second answer'))
    await after(DAY)
    expect(mails()).toHaveLength(1)
  })

  test('that comes later is in a mail of its own, in the thread of the first', async () => {
    const { id } = await conversation()
    await reply(id, 'First answer')
    await after(2 * MINUTE)
    await reply(id, 'Second answer')
    await after(2 * MINUTE)
    const [first = '', second = ''] = mails()
    const [, messageId] = /^Message-ID: (<.+>)/m.exec(first) ?? []
    expect(second).toContain('Second answer')
    expect(second).not.toContain('First answer')
    expect(second).toContain(`In-Reply-To: ${messageId}`)
  })

  test('repeats nothing that an address nobody verified may have been typed for', async () => {
    const { id } = await conversation({ name: 'Buy at evil.test', email: 'victim@other.test' })
    await reply(id, 'Hello')
    await after(2 * MINUTE)
    expect(mails()[0]).toContain('victim@other.test')
    expect(mails()[0]).not.toContain('evil.test')
  })

  test('has the subject and the name of one whose address is verified', async () => {
    const secret = await renewSecret(app, acme, chat.sourceId)
    const claims = { email: 'ada@acme.test', name: 'Ada', exp: app.clock.now() / 1000 + 60 }
    const identity = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))
    const { id } = await conversation({ identity })
    await reply(id, 'Hello')
    await after(2 * MINUTE)
    expect(mails()[0]).toContain('To: Ada <ada@acme.test>')
    expect(mails()[0]).toContain('Subject: Re: Free pills at http://evil.test')
  })

  test('goes out from the inbox that the source names, in its language', async () => {
    const sales = await createEmailInbox(acme, { name: 'Verkauf', emailAddress: 'sales@acme.test' })
    await updateSource(acme, chat.sourceId, { emailInboxId: sales.id, language: 'de-AT' })
    const { id } = await conversation()
    await reply(id, 'Hallo')
    await after(2 * MINUTE)
    expect(mails()[0]).toContain('From: Verkauf <sales@acme.test>')
    expect(mails()[0]).toContain('=?UTF-8?Q?Ihr_Gespr=C3=A4ch_mit_Help_centre?=')
  })
})

test('a mail that answers it joins the conversation', async () => {
  const { token, id } = await conversation()
  await reply(id, 'First answer')
  await after(2 * MINUTE)
  const [, replyTo] = /^Reply-To: (.+)/m.exec(mails()[0] ?? '') ?? []
  const raw = [
    'From: Ada <ada@acme.test>',
    `To: ${replyTo}`,
    'Subject: Re: Your conversation with Help centre',
    'Message-ID: <1@acme.test>',
    '',
    'Thank you',
  ].join('\r\n')
  const [inbox] = (await acme.get('/v1/inboxes')).body.items.filter(({ channel }: Frame) => channel === 'email')
  const taken = await receiveMail(app.deps, {
    raw: new TextEncoder().encode(raw),
    at: app.clock.now(),
    inbox: { tenantId: acme.tenantId, id: inbox.id },
    envelope: null,
    connection: null,
  })
  expect(taken).toMatchObject({ outcome: 'threaded', ticketId: id })
  const { items } = (await chat.read(token, id)).body
  expect(items.at(-1)).toMatchObject({ direction: 'inbound', text: 'Thank you', author: { name: 'Ada' } })
})

describe('no answer is mailed', () => {
  const waiting = () => app.database.db.select().from(chatMails)

  test('that was read by a plain request, but what comes after it is', async () => {
    const { token, id } = await conversation()
    const { id: seen } = await reply(id, 'Seen')
    await after(MINUTE)
    expect((await chat.read(token, id)).body.items).toHaveLength(2)
    await after(MINUTE)
    expect([mails(), await waiting()]).toEqual([[], []])
    await reply(id, 'Seen too')
    await chat.read(token, id, seen)
    await reply(id, 'Unseen')
    await after(2 * MINUTE)
    expect(mails()).toHaveLength(1)
    expect(mails()[0]).toContain('Unseen')
    expect(mails()[0]).not.toContain('Seen')
  })

  test('that an open socket got', async () => {
    const { token, id } = await conversation()
    const socket = await chat.connect(token)
    socket.send('{')
    await socket.next(({ type }: Frame) => type === 'error')
    await reply(id, 'Hello')
    await socket.next(({ type }: Frame) => type === 'message')
    // The browser's own word that it came.
    await until(async () => (await waiting()).length === 0)
    await after(2 * MINUTE)
    expect([mails(), await waiting()]).toEqual([[], []])
    socket.close()
  })

  test('to one who left no address, nor where there is no inbox to send it from', async () => {
    const { id } = await conversation({ name: 'Ada' })
    await reply(id, 'Hello')
    expect(await waiting()).toEqual([])
    const other = await app.createTenant()
    const theirs = await openChat(app, other)
    const { token } = await theirs.visitor({ email: 'ada@acme.test' })
    const { conversationId } = (await theirs.start(token)).body
    await other.perform((tx, caller) => addSentReply(tx, caller, conversationId, { text: 'Hello' }))
    await after(2 * MINUTE)
    expect([mails(), await waiting()]).toEqual([[], []])
  })

  test('above ten, each tenant’s counted for itself', async () => {
    const email = 'shared@other.test'
    for (let i = 0; i < 10; i++) {
      const { id } = await conversation({ email })
      await reply(id, 'Hello')
      await after(2 * MINUTE)
    }
    expect(mails()).toHaveLength(10)
    const other = await app.createTenant()
    await createEmailInbox(other, { name: 'Support', emailAddress: 'help@other-tenant.test' })
    const theirs = await openChat(app, other)
    const { token } = await theirs.visitor({ email })
    const { conversationId } = (await theirs.start(token)).body
    await other.perform((tx, caller) => addSentReply(tx, caller, conversationId, { text: 'Hello' }))
    await after(2 * MINUTE)
    expect(mails()).toHaveLength(11)
  })

  test('above ten in a day to an address that nobody verified', async () => {
    for (let i = 0; i < 12; i++) {
      const { id } = await conversation({ email: 'Victim@other.test' })
      await reply(id, 'Hello')
      await after(2 * MINUTE)
    }
    expect(mails()).toHaveLength(10)
    const { id } = await conversation({ email: 'somebody@other.test' })
    await reply(id, 'Hello')
    await after(2 * MINUTE)
    expect(mails()).toHaveLength(11)
    await after(DAY)
    const later = await conversation({ email: 'victim@other.test' })
    await reply(later.id, 'Hello')
    await after(2 * MINUTE)
    expect(mails()).toHaveLength(12)
    expect(await waiting()).toHaveLength(1)
  })
})

describe('a mail that cannot be sent', () => {
  test('is tried again, as one mail', async () => {
    const { id } = await conversation()
    await reply(id, 'Hello')
    failing = new DeliveryError('unreachable', rule('mail_unreachable'))
    await after(2 * MINUTE)
    failing = null
    await reply(id, 'And more')
    await after(MINUTE - 1)
    expect(mails()).toEqual([])
    await after(1)
    expect(mails()).toHaveLength(1)
    expect(mails()[0]).toContain('And more')
    await after(DAY)
    expect(mails()).toHaveLength(1)
  })

  test('is given up in the end, or at once when it is refused', async () => {
    const { id } = await conversation()
    failing = new DeliveryError('refused', rule('mail_refused', { said: 'no such address' }))
    await reply(id, 'Hello')
    await after(2 * MINUTE)
    failing = null
    await after(60 * MINUTE)
    expect(mails()).toEqual([])
    expect(app.logged.some((line) => line.includes('no such address'))).toBe(true)
  })
})

describe('visitors', () => {
  const known = async () => (await app.database.db.select({ id: visitors.id }).from(visitors)).map(({ id }) => id)

  test('who never wrote are forgotten after 30 days; who wrote keep their token', async () => {
    const silent = await chat.visitor({ name: 'Silent' })
    const { token, id } = await conversation()
    await after(30 * DAY - 1)
    expect(await known()).toContain(silent.visitorId)
    await after(1)
    expect(await known()).toHaveLength(1)
    expect((await chat.conversations(silent.token)).status).toBe(401)
    expect((await chat.conversations(token)).body.items[0].id).toBe(id)
  })
})
