import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { messages } from '../../../src/db/schema.ts'
import { replyAddress, ticketOfReplyAddress } from '../../../src/tickets/addressing/reply-address.ts'
import { setInbox } from '../../../src/tickets/filing.ts'
import { setStatus } from '../../../src/tickets/status.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createMailbox, deliveryReport, type Mailbox, type TestMail } from '../../support/mail/mails.ts'
import { createChatInbox, createTicket } from '../../support/tickets/tickets.ts'

const DAY = 24 * 60 * 60 * 1000

let app: TestApp
let acme: TestTenant
let inbox: Mailbox
/** Names in the domain name system, as the tests want them. */
let zone: Record<string, string>

beforeAll(async () => {
  const resolver = async (name: string, type: string) => {
    const record = zone[`${type} ${name}`]
    if (record === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    return [[record]]
  }
  app = await startApp({ replace: { resolver } })
})
beforeEach(async () => {
  zone = {}
  acme = await app.createTenant()
  inbox = await createMailbox(app, acme)
})
afterAll(() => app.close())

const newEvents = async (since: number) => (await acme.events()).slice(since).map(({ event }) => event)
const ticketOf = async (id: string | null) => (await acme.get(`/v1/tickets/${id}`)).body
const mailIdsOf = async (ticketId: string) =>
  (await app.database.db.select().from(messages).where(eq(messages.ticketId, ticketId)).orderBy(messages.id)).map(
    ({ mailId }) => mailId,
  )

/** A ticket by Ada, with Eve in Cc, that was answered once. `references` are the mails of it, as hers to that would say. */
async function answered(mail: TestMail = {}) {
  const { ticketId } = await inbox.deliver({ headers: { Cc: 'Eve <eve@customer.test>' }, ...mail })
  await acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Soon.</p>' })
  const ids = await mailIdsOf(ticketId as string)
  const ticket = await ticketOf(ticketId)
  return {
    id: ticketId as string,
    references: ids.join(' '),
    address: replyAddress(app.deps.secrets, { ...ticket, tenantId: acme.tenantId }, inbox.address),
    events: (await acme.events()).length,
    status: (status: 'open' | 'closed' | 'pending' | 'spam') =>
      acme.perform((tx, caller) => setStatus(tx, caller, ticketId as string, { status })),
  }
}

describe('a mail that refers to mails of a thread', () => {
  test('that was moved to another inbox finds it, whichever of the two it comes to, by a reply address too', async () => {
    const ticket = await answered()
    const other = await createMailbox(app, acme)
    const [first, answer] = ticket.references.split(' ') as [string, string]
    await acme.perform((tx, caller) => setInbox(tx, caller, ticket.id, other.id))
    for (const reference of [first, answer]) {
      for (const box of [inbox, other]) {
        const received = await box.deliver({ text: 'Thank you!', headers: { References: reference } })
        expect(received).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
      }
    }
    const received = await inbox.deliver({ from: 'new@customer.test', to: ticket.address })
    expect(received).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
    // A third one has never had anything to do with it.
    const third = await createMailbox(app, acme)
    const elsewhere = await third.deliver({ headers: { References: ticket.references } })
    expect(elsewhere).toMatchObject({ outcome: 'created' })
  })

  test.each(['References', 'In-Reply-To'])('by %s joins it when its requester sends it', async (header) => {
    const ticket = await answered()
    const value = header === 'References' ? ticket.references : (ticket.references.split(' ').at(-1) as string)
    const received = await inbox.deliver({ text: 'Thank you!', headers: { [header]: value } })
    expect(received).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
    expect(await newEvents(ticket.events)).toEqual(['ticket.replied'])
    const { excerpt, messageCount, messages: thread } = await ticketOf(ticket.id)
    expect([excerpt, messageCount]).toEqual(['Thank you!', 3])
    expect(thread.at(-1)).toMatchObject({ id: received.messageId, source: 'email', direction: 'inbound' })
  })

  test('joins it when somebody in Cc of an earlier mail sends it, as a contact of their own', async () => {
    const ticket = await answered()
    const mail = { from: 'Eve <EVE@Customer.test>', headers: { References: ticket.references } }
    expect(await inbox.deliver(mail)).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
    const { contactId, messages: thread } = await ticketOf(ticket.id)
    expect(thread.at(-1).author).toMatchObject({ type: 'contact', name: 'Eve' })
    expect(thread.at(-1).author.id).not.toBe(contactId)
  })

  test('opens a ticket when a stranger sends it, who only knows a Message-ID', async () => {
    const ticket = await answered()
    const received = await inbox.deliver({ from: 'mallory@evil.test', headers: { References: ticket.references } })
    expect(received.outcome).toBe('created')
    expect(received.ticketId).not.toBe(ticket.id)
    expect((await ticketOf(ticket.id)).messageCount).toBe(2)
    expect(await newEvents(ticket.events)).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test('opens a ticket when it claims to be from the inbox itself', async () => {
    const ticket = await answered()
    const headers = { References: ticket.references, 'Reply-To': 'mallory@evil.test' }
    expect((await inbox.deliver({ from: inbox.address, headers })).outcome).toBe('created')
  })

  test('joins by the mails it names that we know, whatever programs in between have added', async () => {
    const ticket = await answered()
    const headers = { References: `<a@x> ${ticket.references} <b@x>`, 'In-Reply-To': '<b@x>' }
    expect(await inbox.deliver({ headers })).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
  })

  test('of another inbox, or of another tenant, opens a ticket', async () => {
    const ticket = await answered()
    const headers = { References: ticket.references }
    const elsewhere = [await createMailbox(app, acme), await createMailbox(app, await app.createTenant())]
    for (const other of elsewhere) expect((await other.deliver({ headers })).outcome).toBe('created')
  })

  const forged = { connection: { address: '203.0.113.9', hello: 'mx.evil.test' } }

  test('opens a ticket when DMARC says that its sender is somebody else', async () => {
    zone = { 'TXT _dmarc.customer.test': 'v=DMARC1; p=none', 'TXT customer.test': 'v=spf1 -all' }
    const ticket = await answered()
    // Public addresses of the tests are reserved ones: 9.9.9.9 is not.
    const connection = { address: '9.9.9.9', hello: 'mx.evil.test' }
    const envelope = { from: 'ada@customer.test', recipients: [inbox.address] }
    const mail = { headers: { References: ticket.references } }
    expect((await inbox.deliver(mail, { connection, envelope })).outcome).toBe('created')
    zone['TXT customer.test'] = 'v=spf1 ip4:9.9.9.9 -all'
    expect((await inbox.deliver(mail, { connection, envelope })).outcome).toBe('threaded')
    // From a server of our own network nobody knows where it began.
    zone['TXT customer.test'] = 'v=spf1 -all'
    expect((await inbox.deliver(mail, { ...forged, envelope })).outcome).toBe('threaded')
  })
})

describe('a reply address', () => {
  test('joins its ticket, whoever sends it and however it is spelt', async () => {
    const ticket = await answered()
    for (const to of [ticket.address, ticket.address.toUpperCase(), `"Help" <${ticket.address}>`]) {
      const mail = { from: 'mallory@evil.test', to }
      expect(await inbox.deliver(mail)).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
    }
    const envelope = { from: 'x@y.test', recipients: [ticket.address] }
    expect(await inbox.deliver({ to: 'undisclosed@y.test' }, { envelope })).toMatchObject({ ticketId: ticket.id })
  })

  test('joins a chat by mail: the message says which way it came', async () => {
    const chat = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    const to = replyAddress(app.deps.secrets, { ...chat, tenantId: acme.tenantId }, inbox.address)
    expect(await inbox.deliver({ to, subject: 'Re: Our chat' })).toMatchObject({ ticketId: chat.id })
    const { channel, messages: thread } = await ticketOf(chat.id)
    expect([channel, thread.at(-1).source, thread.at(-1).subject]).toEqual(['livechat', 'email', 'Re: Our chat'])
  })

  test('that is forged joins nothing', async () => {
    const ticket = await answered()
    const [name, domain] = ticket.address.split('@') as [string, string]
    const changed = `${name.slice(0, -1)}${name.endsWith('a') ? 'b' : 'a'}@${domain}`
    const other = await createTicket(acme, { inboxId: inbox.id })
    const number = (n: number) => n.toString(36)
    const moved = ticket.address.replace(/\+t\../, `+t.${number(other.sequentialNumber)}`)
    for (const to of [changed, moved, `${name}a@${domain}`, ticket.address.replace('+t.', '+t.9')]) {
      const { outcome } = await inbox.deliver({ from: 'mallory@evil.test', to })
      expect([to, outcome]).toEqual([to, 'created'])
    }
  })

  test('of another inbox or tenant joins nothing', async () => {
    const ticket = await answered()
    for (const other of [await createMailbox(app, acme), await createMailbox(app, await app.createTenant())]) {
      expect((await other.deliver({ from: 'mallory@evil.test', to: ticket.address })).outcome).toBe('created')
    }
  })

  test('fits into the part before the @, or is the inbox’s own', async () => {
    const ticket = { tenantId: acme.tenantId, id: acme.userId, sequentialNumber: 2 ** 40 }
    const address = replyAddress(app.deps.secrets, ticket, 'help@acme.test')
    expect(address).toMatch(/^help\+t\.[0-9a-z]+@acme\.test$/)
    expect((address.split('@')[0] as string).length).toBeLessThanOrEqual(64)
    const long = `${'a'.repeat(60)}@acme.test`
    expect(replyAddress(app.deps.secrets, ticket, long)).toBe(long)
    const inboxOf = { tenantId: acme.tenantId, emailAddress: 'help@acme.test' }
    expect(await ticketOfReplyAddress(app.database.db, app.deps.secrets, inboxOf, address)).toBe(null)
  })
})

describe('a ticket that a mail joins', () => {
  test.each(['pending', 'closed'] as const)('opens when it was %s', async (status) => {
    const ticket = await answered()
    await ticket.status(status)
    await inbox.deliver({ to: ticket.address })
    expect((await ticketOf(ticket.id)).status).toBe('open')
    expect((await newEvents(ticket.events)).slice(1)).toEqual(['ticket.replied', 'ticket.status_changed'])
  })

  test('stays spam', async () => {
    const ticket = await answered()
    await ticket.status('spam')
    expect(await inbox.deliver({ to: ticket.address })).toMatchObject({ ticketId: ticket.id })
    expect((await ticketOf(ticket.id)).status).toBe('spam')
  })

  test('and has been closed for over 30 days gets a new one instead', async () => {
    const ticket = await answered()
    await ticket.status('closed')
    app.clock.advance(30 * DAY)
    const mail = { to: ticket.address, headers: { References: ticket.references } }
    const last = await inbox.deliver(mail)
    expect(last).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
    await ticket.status('closed')
    app.clock.advance(30 * DAY + 1)
    const late = await inbox.deliver(mail)
    expect(late.outcome).toBe('created')
    expect((await ticketOf(ticket.id)).status).toBe('closed')
    expect(late.ticketId).not.toBe(ticket.id)
  })

  test.each([
    ['says so', { headers: { 'Auto-Submitted': 'auto-replied' } }, 'x@customer.test'],
    ['is bulk', { headers: { Precedence: 'bulk' } }, 'x@customer.test'],
    ['has an empty return path', {}, ''],
    ['has no return path', {}, null],
  ])('stays closed when the mail is automatic: it %s', async (_, { headers }: TestMail, from) => {
    const ticket = await answered()
    await ticket.status('closed')
    const since = (await acme.events()).length
    const envelope = { from, recipients: [inbox.address] }
    const mail: TestMail = { to: ticket.address, ...(headers ? { headers } : {}) }
    expect(await inbox.deliver(mail, { envelope })).toMatchObject({ outcome: 'threaded' })
    expect(await ticketOf(ticket.id)).toMatchObject({ status: 'closed', messageCount: 3 })
    expect(await newEvents(since)).toEqual(['ticket.replied'])
  })
})

describe('a bounce', () => {
  const sentBy = async (ticketId: string) => {
    const isSent = and(eq(messages.ticketId, ticketId), eq(messages.direction, 'outbound'))
    const [sent] = await app.database.db.select().from(messages).where(isSent)
    return sent as typeof messages.$inferSelect
  }
  const emptySender = () => ({ envelope: { from: '', recipients: [inbox.address] } })

  test('is noted on the message that came back, and opens its ticket', async () => {
    const ticket = await answered()
    await ticket.status('closed')
    const since = (await acme.events()).length
    const sent = await sentBy(ticket.id)
    const bounced = await inbox.deliver(deliveryReport(sent.mailId), emptySender())
    expect(bounced).toEqual({ outcome: 'bounce', ticketId: ticket.id, messageId: sent.id, quarantineId: null })
    const { state, error } = await sentBy(ticket.id)
    expect(state).toBe('public')
    expect(error).toContain('ada@customer.test')
    expect(error).toContain('550 5.1.1 No such user here')
    expect(await ticketOf(ticket.id)).toMatchObject({ status: 'open', messageCount: 2 })
    expect(await newEvents(since)).toEqual(['ticket.status_changed'])
    expect((await acme.get('/v1/contacts')).body.items).toHaveLength(1)
  })

  test.each(['open', 'spam'] as const)('leaves a ticket that is %s as it is', async (status) => {
    const ticket = await answered()
    await ticket.status(status)
    const since = (await acme.events()).length
    const { mailId } = await sentBy(ticket.id)
    for (let i = 0; i < 2; i += 1) await inbox.deliver(deliveryReport(mailId), emptySender())
    expect((await ticketOf(ticket.id)).status).toBe(status)
    expect(await newEvents(since)).toEqual([])
    // Said twice, it is noted once.
    expect((await sentBy(ticket.id)).error?.match(/550 5\.1\.1/g)).toHaveLength(1)
  })

  test('that is the server’s first try of many changes nothing', async () => {
    const ticket = await answered()
    await ticket.status('closed')
    const since = (await acme.events()).length
    const sent = await sentBy(ticket.id)
    const delayed = deliveryReport(sent.mailId, { action: 'delayed', status: '4.4.1' })
    expect(await inbox.deliver(delayed, emptySender())).toMatchObject({ outcome: 'bounce', messageId: sent.id })
    expect((await sentBy(ticket.id)).error).toBe(null)
    expect(await newEvents(since)).toEqual([])
  })

  test('of another tenant’s mail, of none that we know, or without saying which is a mail like any other', async () => {
    const ticket = await answered()
    const other = await createMailbox(app, await app.createTenant())
    const { mailId } = await sentBy(ticket.id)
    expect((await other.deliver(deliveryReport(mailId))).outcome).toBe('created')
    expect((await inbox.deliver(deliveryReport('<unknown@acme.test>'))).outcome).toBe('created')
    expect((await inbox.deliver(deliveryReport(null))).outcome).toBe('created')
    expect((await sentBy(ticket.id)).error).toBe(null)
  })

  test('of a notification of ours is acknowledged', async () => {
    const id = `<notification.${crypto.randomUUID()}@acme.test>`
    expect(await inbox.deliver(deliveryReport(id))).toMatchObject({
      outcome: 'bounce',
      ticketId: null,
      messageId: null,
    })
    expect((await acme.get('/v1/tickets')).body.items).toEqual([])
  })
})
