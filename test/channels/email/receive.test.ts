import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { readRaw } from '../../../src/channels/email/raw-mail.ts'
import type { ReceivedRow } from '../../../src/channels/email/received.ts'
import type { Received } from '../../../src/channels/email/receiving/take-mail.ts'
import { messages, receivedMails } from '../../../src/db/schema.ts'
import { inboxesOf } from '../../../src/inboxes/recipient.ts'
import { installationId } from '../../../src/installation/id.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { png } from '../../support/forms/hosted.ts'
import { createMailbox, htmlWithImage, type Mailbox, rawMail } from '../../support/mail/mails.ts'
import { createChatInbox, createEmailInbox } from '../../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let inbox: Mailbox

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  inbox = await createMailbox(app, acme)
})
afterAll(() => app.close())

const eventNames = async () => (await acme.events()).map(({ event }) => event)
const ticketOf = async (id: string | null) => (await acme.get(`/v1/tickets/${id}`)).body
const ticketCount = async () => (await acme.get('/v1/tickets')).body.items.length
const rows = () => app.database.db.select().from(receivedMails).where(eq(receivedMails.tenantId, acme.tenantId))

describe('a mail from somebody new', () => {
  test('becomes a ticket with its message, and a contact, and each is told of once', async () => {
    const received = await inbox.deliver({
      to: `${inbox.address}, boss@acme.test`,
      headers: { Cc: 'eve@customer.test' },
    })
    expect(received).toMatchObject({ outcome: 'created', quarantineId: null })
    const ticket = await ticketOf(received.ticketId)
    expect(ticket).toMatchObject({
      teamInboxId: inbox.id,
      channel: 'email',
      status: 'open',
      subject: 'Where is my order?',
      excerpt: 'I ordered a week ago.',
      messageCount: 1,
    })
    expect(ticket.messages).toMatchObject([
      {
        id: received.messageId,
        direction: 'inbound',
        source: 'email',
        author: { type: 'contact', id: ticket.contactId, name: 'Ada Lovelace' },
        subject: 'Where is my order?',
        from: 'ada@customer.test',
        to: [inbox.address, 'boss@acme.test'],
        cc: ['eve@customer.test'],
        attachments: [],
      },
    ])
    const contact = (await acme.get(`/v1/contacts/${ticket.contactId}`)).body
    expect(contact).toMatchObject({ email: 'ada@customer.test', source: 'email' })
    expect(await eventNames()).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test('keeps the whole text, and what was newly written as the excerpt', async () => {
    const text = 'It arrived broken.\r\n\r\nOn Mon, 2 Mar 2026 at 10:00, Help <help@acme.test> wrote:\r\n> How are you?'
    const { ticketId } = await inbox.deliver({ text })
    const ticket = await ticketOf(ticketId)
    expect(ticket.excerpt).toBe('It arrived broken.')
    expect(ticket.messages[0].text).toContain('How are you?')
  })

  test.each([
    'вс, 22 нояб. 2026 г. в 11:52, Help <help@acme.test>:',
    'בתאריך יום א׳, 22 בנוב׳ 2026 ב-11:52 מאת Help \u202a<help@acme.test>\u202c:',
    '2026年11月22日(日) 11:52 Help <help@acme.test>:',
    'Help <help@acme.test>, 22 Kas 2026 Paz, 11:52\r\ntarihinde şunu yazdı:',
    'Dne 22. 11. 26 v 11:52 Help napsal(a):',
    'su 22.11.2026 klo 11.52 Help (help@acme.test) kirjoitti:',
  ])('leaves out of the excerpt what it quotes below “%s”', async (above) => {
    const { ticketId } = await inbox.deliver({
      text: `It broke.\r\n\r\n${above}\r\n\r\n> How are you?\r\n> \r\n> Help`,
    })
    expect((await ticketOf(ticketId)).excerpt).toBe('It broke.')
  })

  test('leaves out of the excerpt what its HTML hides', async () => {
    const hidden =
      '<div style="color:#fff; display : none;max-height:0">Hidden &zwnj;&nbsp;<p>words</p></div><p hidden>x</p>'
    const html = `${hidden}<img style="display:none" src="https://track.test/1"><p style="display:block">Seen <b>words</b></p>`
    const { ticketId } = await inbox.deliver({ body: `Content-Type: text/html\r\n\r\n${html}` })
    expect((await ticketOf(ticketId)).excerpt).toBe('Seen words')
  })

  test('keeps words apart in the excerpt that its HTML puts into lines or cells of their own', async () => {
    const html = '<center>One</center><section>two</section><table><tr><td>three</td><td>four</td></tr></table>five'
    const { ticketId } = await inbox.deliver({ body: `Content-Type: text/html\r\n\r\n${html}` })
    const ticket = await ticketOf(ticketId)
    expect(ticket.excerpt).toBe('One two three four five')
    expect(ticket.messages[0].text.split(/\s+/)).toEqual(['One', 'two', 'three', 'four', 'five'])
  })

  test('keeps in the excerpt what only looks like such a line', async () => {
    const { ticketId } = await inbox.deliver({ text: 'It broke on 22.11.2026 at 11:52:\r\nthe lamp fell.' })
    expect((await ticketOf(ticketId)).excerpt).toBe('It broke on 22.11.2026 at 11:52: the lamp fell.')
  })

  test('is answered at its Reply-To, while the contact is who it is from', async () => {
    const { ticketId } = await inbox.deliver({ headers: { 'Reply-To': 'orders@customer.test' } })
    expect((await acme.get('/v1/contacts')).body.items).toMatchObject([{ email: 'ada@customer.test' }])
    const reply = await acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Soon.</p>' })
    expect(reply.body.to).toEqual(['orders@customer.test'])
  })

  test('whose Reply-To is an address of the tenant itself is answered at its sender’s', async () => {
    const sales = await createEmailInbox(acme)
    const others = await createEmailInbox(await app.createTenant())
    const answeredAt = async (replyTo: string) => {
      const { ticketId } = await inbox.deliver({ headers: { 'Reply-To': replyTo } })
      return (await acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Soon.</p>' })).body.to[0]
    }
    expect(await answeredAt(`Help <${inbox.address.toUpperCase()}>`)).toBe('ada@customer.test')
    expect(await answeredAt(inbox.address.replace('@', '+t.any@'))).toBe('ada@customer.test')
    expect(await answeredAt(sales.emailAddress as string)).toBe('ada@customer.test')
    // Another company's inbox is where that company wants its answers.
    expect(await answeredAt(others.emailAddress as string)).toBe(others.emailAddress as string)
  })

  test('shows its own images in place, and brings files exact to the byte', async () => {
    const html = '<p>Look:</p><img src="cid:logo@customer.test"><img src="cid:gone@x"><img src="https://x.test/a.png">'
    const { ticketId } = await inbox.deliver({ body: htmlWithImage(html, png) })
    const [message] = (await ticketOf(ticketId)).messages
    const [attachment] = message.attachments
    expect(attachment).toMatchObject({ fileName: 'logo.png', contentType: 'image/png', size: png.length })
    expect(message.html).toBe(
      `<p>Look:</p><img src="/v1/attachments/${attachment.id}" /><img src="https://x.test/a.png" />`,
    )
    const file = await fetch(`${app.url}/v1/attachments/${attachment.id}`, {
      headers: { authorization: `Bearer ${acme.key}` },
    })
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array(png))
  })

  test('with HTML that grows too long once it is safe is shown as its text', async () => {
    const html = `<p>${'&'.repeat(200_000)}</p>`
    const { outcome, ticketId } = await inbox.deliver({ body: `Content-Type: text/html\r\n\r\n${html}` })
    expect(outcome).toBe('created')
    const [message] = (await ticketOf(ticketId)).messages
    expect(message.text).toStartWith('&&&&')
    expect(message.html).toStartWith('<p>&amp;&amp;')
  })

  test('without a body is a ticket all the same', async () => {
    expect(await inbox.deliver({ text: '', subject: '' })).toMatchObject({ outcome: 'created' })
  })
})

describe('the same mail again', () => {
  test('changes nothing, and says what it has become', async () => {
    const raw = rawMail({ to: inbox.address })
    const first = await inbox.receive(raw)
    const before = await acme.events()
    expect(await inbox.receive(raw)).toEqual({ ...first, outcome: 'duplicate' })
    expect(await acme.events()).toEqual(before)
    expect(await ticketCount()).toBe(1)
  })

  test('40 times at once is one ticket', async () => {
    const raw = rawMail({ to: inbox.address })
    const logged = app.logged.length
    const received = await Promise.all(Array.from({ length: 40 }, () => inbox.receive(raw)))
    expect(received.map(({ outcome }) => outcome).sort()).toEqual(['created', ...Array(39).fill('duplicate')])
    expect(new Set(received.map(({ ticketId }) => ticketId)).size).toBe(1)
    expect(app.logged.slice(logged)).toEqual([])
    expect(await eventNames()).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test('without a Message-ID is known by its content, and another content is another mail', async () => {
    const nameless = (text: string) => inbox.deliver({ text, headers: { 'Message-ID': null } })
    expect((await nameless('one')).outcome).toBe('created')
    expect((await nameless('one')).outcome).toBe('duplicate')
    expect((await nameless('two')).outcome).toBe('created')
  })

  test('in another inbox makes a ticket there', async () => {
    const other = await createMailbox(app, acme)
    const raw = rawMail({ to: `${inbox.address}, ${other.address}` })
    const received = [await inbox.receive(raw), await other.receive(raw)]
    expect(received.map(({ outcome }) => outcome)).toEqual(['created', 'created'])
    const tickets = await Promise.all(received.map(({ ticketId }) => ticketOf(ticketId)))
    expect(tickets.map(({ teamInboxId }) => teamInboxId)).toEqual([inbox.id, other.id])
  })

  test('is known after its bytes are gone', async () => {
    const raw = rawMail({ to: inbox.address })
    const first = await inbox.receive(raw)
    app.clock.advance(31 * 24 * 60 * 60 * 1000)
    await app.runDue()
    expect(await inbox.receive(raw)).toEqual({ ...first, outcome: 'duplicate' })
  })
})

describe('the raw mail', () => {
  test.each([
    ['small', 10, 'row'],
    ['large', 100_000, 'file'],
  ] as const)('that is %s is kept for 30 days, to the byte', async (_, length, keptIn) => {
    const raw = Buffer.concat([
      rawMail({ to: inbox.address, text: 'x'.repeat(length) }),
      Buffer.from([0, 255, 128, 10]),
    ])
    await inbox.receive(raw)
    const [row] = await rows()
    expect(row).toMatchObject({
      keptIn,
      size: raw.length,
      sha256: new Bun.CryptoHasher('sha256').update(raw).digest('hex'),
    })
    expect(Buffer.from((await readRaw(app.deps.files, row as ReceivedRow)) as Uint8Array)).toEqual(raw)
    app.clock.advance(29 * 24 * 60 * 60 * 1000)
    await app.runDue()
    expect((await rows())[0]?.keptIn).toBe(keptIn)
    app.clock.advance(2 * 24 * 60 * 60 * 1000)
    await app.runDue()
    expect((await rows())[0]).toMatchObject({
      keptIn: null,
      content: null,
      subject: null,
      fromAddress: null,
      outcome: 'created',
    })
    expect(await app.deps.files.read({ kind: 'received_mails', tenantId: acme.tenantId, id: row?.id as string })).toBe(
      null,
    )
  })

  test('of a duplicate leaves no file behind', async () => {
    const raw = rawMail({ to: inbox.address, text: 'x'.repeat(100_000) })
    for (let i = 0; i < 2; i += 1) await inbox.receive(raw)
    const files: string[] = []
    for await (const { tenantId, files: listed } of app.deps.files.list('received_mails')) {
      if (tenantId === acme.tenantId) files.push(...listed.map(({ id }) => id))
    }
    expect(files).toEqual((await rows()).map(({ id }) => id))
  })
})

describe('our own mail', () => {
  test('coming back is acknowledged and ignored', async () => {
    const { ticketId } = await inbox.deliver()
    await acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Soon.</p>' })
    const { mailId } = await sentMail(ticketId)
    const before = await acme.events()
    const nothing: Received = { outcome: 'ignored', ticketId: null, messageId: null, quarantineId: null }
    expect(await inbox.deliver({ from: inbox.address, id: mailId })).toEqual(nothing)
    expect(await acme.events()).toEqual(before)
  })

  test('is known by its mark where a server gave it another Message-ID', async () => {
    const other = await createMailbox(app, acme)
    const headers = { 'X-Frontdesk': await installationId(app.database) }
    expect(await inbox.deliver({ from: `Sales <${other.address}>`, headers })).toMatchObject({ outcome: 'ignored' })
    // Of a stranger, the mark says nothing.
    expect(await inbox.deliver({ headers })).toMatchObject({ outcome: 'created' })
  })

  test('is what an inbox sends to itself, and not what it sends to another', async () => {
    const other = await createMailbox(app, acme)
    expect(await inbox.deliver({ from: inbox.address })).toMatchObject({ outcome: 'ignored' })
    expect(await other.deliver({ from: inbox.address })).toMatchObject({ outcome: 'created' })
  })

  test('is not what a contact form sends under the inbox’s own address', async () => {
    const mail = { from: inbox.address, headers: { 'Reply-To': 'ada@customer.test' } }
    expect(await inbox.deliver(mail)).toMatchObject({ outcome: 'created' })
  })

  test('of another tenant is a customer’s', async () => {
    const other = await createMailbox(app, await app.createTenant())
    const headers = { 'X-Frontdesk': await installationId(app.database) }
    expect(await inbox.deliver({ from: other.address, headers })).toMatchObject({ outcome: 'created' })
  })
})

test('two frontdesks whose programs write to each other stop after five mails, people do not', async () => {
  const automatic = { 'X-Frontdesk': 'another', 'Auto-Submitted': 'auto-generated' }
  const outcomes = []
  for (let i = 0; i < 7; i += 1) {
    outcomes.push((await inbox.deliver({ from: 'bot@other.test', headers: automatic })).outcome)
    app.clock.advance(1000)
  }
  expect(outcomes).toEqual([...Array(5).fill('created'), 'ignored', 'ignored'])
  for (let i = 0; i < 7; i += 1) {
    const headers = { 'X-Frontdesk': 'another' }
    expect((await inbox.deliver({ from: 'robin@other.test', headers })).outcome).toBe('created')
  }
  app.clock.advance(60 * 60 * 1000)
  expect((await inbox.deliver({ from: 'bot@other.test', headers: automatic })).outcome).toBe('created')
})

describe('a recipient', () => {
  const find = async (recipient: string) => (await inboxesOf(app.database.db, recipient))?.id ?? null

  test('is an inbox’s address, in any case, with anything behind a plus', async () => {
    const [name, domain] = inbox.address.split('@')
    for (const recipient of [inbox.address, inbox.address.toUpperCase(), `${name}+a+b@${domain}`]) {
      expect(await find(recipient)).toBe(inbox.id)
    }
    const plus = await createEmailInbox(acme, { emailAddress: `${name}+sales@${domain}` })
    expect(await find(`${name}+sales@${domain}`)).toBe(plus.id)
    expect(await find(`${name}+sales+x@${domain}`)).toBe(plus.id)
  })

  test('names a domain in letters of its own or in ASCII', async () => {
    const umlaut = await createEmailInbox(acme, { emailAddress: 'hilfe@bücher.test' })
    expect(await find('hilfe@xn--bcher-kva.test')).toBe(umlaut.id)
  })

  test('is nobody without an inbox of mail', async () => {
    await createChatInbox(acme)
    for (const recipient of ['nobody@acme.test', 'x', '@acme.test', '', `+@acme.test`]) {
      expect(await find(recipient)).toBe(null)
    }
  })
})

/** What went out last to a ticket's customer. */
async function sentMail(ticketId: string | null): Promise<{ mailId: string }> {
  const sent = await app.database.db
    .select()
    .from(messages)
    .where(eq(messages.ticketId, ticketId as string))
  return { mailId: sent.findLast(({ direction }) => direction === 'outbound')?.mailId as string }
}
