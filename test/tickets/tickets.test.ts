import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openTicket } from '../../src/tickets/incoming/opening.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { addMessage } from '../../src/tickets/thread/messages.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { refusalOf } from '../support/refusal.ts'
import { createChatInbox, createEmailInbox, createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

const DAY = 24 * 60 * 60 * 1000

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const at = () => new Date(app.clock.now()).toISOString()

describe('a ticket that comes in', () => {
  test('is read as it was written, with its opening message, and fires ticket.created alone', async () => {
    const tenant = await app.createTenant()
    const inbox = await createEmailInbox(tenant, { name: 'Help', emailAddress: 'first@acme.test' })
    const { id } = await createTicket(tenant, { inboxId: inbox.id.toUpperCase(), mailId: '<one@acme.test>' })
    const contacts = await tenant.get('/v1/contacts')
    const contactId = contacts.body.items[0].id
    expect(contacts.body.items[0]).toMatchObject({ email: 'ada@acme.test', name: 'Ada Lovelace', source: 'email' })

    const answer = await tenant.get(`/v1/tickets/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id,
      ticketReference: 'T-1',
      sequentialNumber: 1,
      teamInboxId: inbox.id,
      channel: 'email',
      status: 'open',
      priority: 'normal',
      tags: [],
      assignee: null,
      team: null,
      contactId,
      subject: 'Where is my order?',
      excerpt: 'I ordered a week ago.',
      messageCount: 1,
      snoozedUntil: null,
      lastMessageAt: at(),
      closedAt: null,
      dueAt: null,
      createdAt: at(),
      updatedAt: at(),
      messages: [
        {
          id: expect.any(String),
          ticketId: id,
          direction: 'inbound',
          source: 'email',
          author: { type: 'contact', id: contactId, name: 'Ada Lovelace' },
          subject: 'Where is my order?',
          html: '<p>I ordered a week ago.</p>',
          text: 'I ordered a week ago.',
          from: 'ada@acme.test',
          to: ['first@acme.test'],
          cc: [],
          attachments: [],
          createdAt: at(),
        },
      ],
    })
    const events = await tenant.events()
    expect(events.map(({ event }) => event)).toEqual(['contact.created_or_updated', 'ticket.created'])
    expect(events[1]?.payload).toEqual({
      ticketId: id,
      ticketReference: 'T-1',
      sequentialNumber: 1,
      teamInboxId: inbox.id,
      status: 'open',
      priority: 'normal',
      contactId,
      subject: 'Where is my order?',
      createdAt: at(),
    })
  })

  test('counts up within its tenant and keeps to a known contact', async () => {
    const tenant = await app.createTenant()
    const contact = await tenant.post('/v1/contacts', { email: 'Ada@acme.test', name: 'Ada', lastName: 'King' })
    const first = await createTicket(tenant, { name: null })
    const second = await createTicket(tenant)
    expect([first.ticketReference, second.ticketReference]).toEqual(['T-1', 'T-2'])
    expect([first.contactId, second.contactId]).toEqual([contact.body.id, contact.body.id])
    const { messages } = (await tenant.get(`/v1/tickets/${first.id}`)).body
    expect(messages[0].author.name).toBe('Ada King')
    expect((await tenant.events()).map(({ event }) => event)).toEqual([
      'contact.created_or_updated',
      'ticket.created',
      'ticket.created',
    ])
  })

  test('on a chat has neither a subject line nor an address on its message', async () => {
    const inbox = await createChatInbox(acme)
    const { id } = await createTicket(acme, { inboxId: inbox.id, email: 'chat@acme.test' })
    const { body } = await acme.get(`/v1/tickets/${id}`)
    expect(body).toMatchObject({ channel: 'livechat', messages: [{ source: 'livechat', subject: null, to: [] }] })
    const contact = await acme.get(`/v1/contacts/${body.contactId}`)
    expect(contact.body.source).toBe('livechat')
  })

  test('keeps attachments, priority and copies; drops a Message-ID that could break a header', async () => {
    const stored = await createTestAttachment(acme, { fileName: 'a.csv', contentType: 'text/csv' })
    const { sha256: _, isText: __, ...attachment } = stored
    const { id } = await createTicket(acme, {
      priority: 'urgent',
      to: ['help@acme.test', 'boss@acme.test'],
      cc: ['c@acme.test'],
      mailId: '<a@b>\r\nBcc: x@evil.test',
      attachments: [stored],
    })
    const { body } = await acme.get(`/v1/tickets/${id}`)
    expect(body.priority).toBe('urgent')
    expect(body.messages[0]).toMatchObject({
      to: ['help@acme.test', 'boss@acme.test'],
      cc: ['c@acme.test'],
      attachments: [attachment],
    })
  })

  test.each([
    ['an unknown inbox', { inboxId: crypto.randomUUID() }, 'inboxId: there is no such inbox'],
    ['a bad address', { email: 'nobody' }, 'email: must be an email address'],
  ])('with %s is refused and leaves nothing behind', async (_, input, message) => {
    const tenant = await app.createTenant()
    expect(await refusalOf(createTicket(tenant, input))).toContain(message)
    expect(await tenant.events()).toEqual([])
    expect((await tenant.get('/v1/tickets')).body.items).toEqual([])
  })

  test('cannot use another tenant’s inbox', async () => {
    const other = await app.createTenant()
    const theirs = await createEmailInbox(other)
    expect(await refusalOf(createTicket(acme, { inboxId: theirs.id }))).toContain('inboxId: there is no such inbox')
  })

  test.each([
    ['script', '<p>Hi</p><script>alert(1)</script><img src=x onerror=alert(1)>', '<p>Hi</p>', 'Hi'],
    ['text in markup', '<b>1 < 2</b>', '<b>1 &lt; 2</b>', '1 < 2'],
  ])('has its HTML made safe: %s', async (_, html, expectedHtml, expectedText) => {
    const { id } = await createTicket(acme, { html, text: null })
    const { body } = await acme.get(`/v1/tickets/${id}`)
    expect(body.messages[0]).toMatchObject({ html: expectedHtml, text: expectedText })
  })

  test('has its text escaped where HTML is made of it', async () => {
    const { id } = await createTicket(acme, { text: '<script>alert(1)</script>\r\nline\n\n\nnext\u0000' })
    const { body } = await acme.get(`/v1/tickets/${id}`)
    expect(body.messages[0].html).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;<br />line</p><p>next</p>')
    expect(body.messages[0].text).toBe('<script>alert(1)</script>\nline\n\n\nnext')
  })

  test.each([
    ['runs of white space', ` a \r\n\t b${' '.repeat(300)}`, 'a b'],
    ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
    ['201 characters', 'x'.repeat(201), 'x'.repeat(200)],
    ['a pair across the edge', `${'x'.repeat(199)}😀😀`, 'x'.repeat(199)],
    ['only pairs', '😀'.repeat(150), '😀'.repeat(100)],
    ['half a pair', 'a\ud83d b', 'a\ufffd b'],
  ])('has an excerpt of at most 200 whole characters: %s', async (_, text, excerpt) => {
    expect((await createTicket(acme, { text })).excerpt).toBe(excerpt)
  })

  test.each([
    ['', '(no subject)'],
    [' \r\n ', '(no subject)'],
    ['Hello\r\nBcc: x@evil.test', 'Hello Bcc: x@evil.test'],
    ['x'.repeat(600), 'x'.repeat(500)],
  ])('has its subject in one line: %j', async (subject, kept) => {
    expect((await createTicket(acme, { subject })).subject).toBe(kept)
  })
})

describe('a message that comes in', () => {
  const receive = (tenant: TestTenant, id: string, input: Parameters<typeof receiveMessage>[3] = { text: 'And?' }) =>
    tenant.perform((tx, caller) => receiveMessage(tx, caller, id, input))

  test('joins the thread, moves the ticket’s times and fires ticket.replied', async () => {
    const ticket = await createTicket(acme)
    const before = await acme.events()
    app.clock.advance(60_000)
    const message = await receive(acme, ticket.id, { html: '<p>And <b>now</b>?</p>' })
    expect(message).toMatchObject({
      direction: 'inbound',
      source: 'email',
      author: { type: 'contact', id: ticket.contactId, name: 'Ada Lovelace' },
      subject: 'Re: Where is my order?',
      text: 'And now?',
      from: 'ada@acme.test',
    })
    const { body } = await acme.get(`/v1/tickets/${ticket.id}`)
    expect(body).toMatchObject({
      status: 'open',
      messageCount: 2,
      excerpt: 'And now?',
      lastMessageAt: at(),
      updatedAt: at(),
      createdAt: ticket.createdAt,
    })
    expect(body.messages.map(({ id }: { id: string }) => id)).toEqual([expect.any(String), message.id])
    const events = (await acme.events()).slice(before.length)
    expect(events.map(({ event, payload }) => [event, payload])).toEqual([
      [
        'ticket.replied',
        {
          ticketId: ticket.id,
          ticketReference: ticket.ticketReference,
          sequentialNumber: ticket.sequentialNumber,
          teamInboxId: ticket.teamInboxId,
          status: 'open',
          priority: 'normal',
          contactId: ticket.contactId,
          subject: ticket.subject,
          createdAt: ticket.createdAt,
          messageId: message.id,
          direction: 'inbound',
          source: 'email',
          excerpt: 'And now?',
        },
      ],
    ])
  })

  test.each([
    ['pending', undefined, 'open', 'pending'],
    ['closed', undefined, 'open', 'closed'],
    ['open', DAY, 'open', 'snoozed'],
    ['pending', DAY, 'open', 'snoozed'],
    ['open', undefined, 'open', null],
    ['spam', undefined, 'spam', null],
    ['spam', DAY, 'spam', null],
  ])('on a ticket that is %s (snoozed for %p) leaves it %s', async (status, snooze, after, previousStatus) => {
    const { id } = await createTicket(acme)
    const snoozedUntil = snooze && new Date(app.clock.now() + snooze).toISOString()
    await acme.put(`/v1/tickets/${id}/status`, { status, snoozedUntil })
    const before = await acme.events()
    await receive(acme, id)
    const { body } = await acme.get(`/v1/tickets/${id}`)
    expect(body).toMatchObject({ status: after, closedAt: null, messageCount: 2 })
    expect(body.snoozedUntil).toBe(status === 'spam' ? (snoozedUntil ?? null) : null)
    const events = (await acme.events()).slice(before.length)
    expect(events.map(({ event, payload }) => [event, payload.status, payload.previousStatus ?? null])).toEqual([
      ['ticket.replied', after, null],
      ...(previousStatus ? [['ticket.status_changed', 'open', previousStatus]] : []),
    ])
  })

  test('of somebody else makes a contact of them and leaves the ticket with its requester', async () => {
    const ticket = await createTicket(acme)
    const message = await receive(acme, ticket.id, { email: 'boss@acme.test', text: 'Me too' })
    expect(message.from).toBe('boss@acme.test')
    expect(message.author.id).not.toBe(ticket.contactId)
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.contactId).toBe(ticket.contactId)
  })

  test('of a requester whose contact was deleted links the ticket again', async () => {
    const tenant = await app.createTenant()
    const ticket = await createTicket(tenant)
    await tenant.delete(`/v1/contacts/${ticket.contactId}`)
    expect((await tenant.get(`/v1/tickets/${ticket.id}`)).body.contactId).toBeNull()
    const message = await receive(tenant, ticket.id)
    expect((await tenant.get(`/v1/tickets/${ticket.id}`)).body.contactId).toBe(message.author.id)
  })

  test('for another tenant’s ticket is refused', async () => {
    const other = await app.createTenant()
    const { id } = await createTicket(acme)
    expect(await refusalOf(receive(other, id))).toContain('ticket not found')
    expect(await other.events()).toEqual([])
  })
})

describe('an internal note', () => {
  test('is seen in no answer, event or count', async () => {
    const ticket = await createTicket(acme)
    const before = await acme.events()
    app.clock.advance(1000)
    const noteId = await acme.perform((tx, caller) => addNote(tx, caller, ticket.id, { text: 'secret <b>' }))
    expect(noteId).toBeString()
    const one = await acme.get(`/v1/tickets/${ticket.id}`)
    expect(one.body).toEqual({ ...ticket, messages: [expect.anything()] })
    expect((await acme.get(`/v1/tickets/${ticket.id}/messages`)).body.items).toHaveLength(1)
    expect(await acme.events()).toEqual(before)
  })

  test('needs a text and a ticket of the tenant', async () => {
    const { id } = await createTicket(acme)
    const other = await app.createTenant()
    expect(await refusalOf(acme.perform((tx, caller) => addNote(tx, caller, id, { text: ' \n' })))).toContain(
      'text: must not be',
    )
    expect(await refusalOf(other.perform((tx, caller) => addNote(tx, caller, id, { text: 'x' })))).toContain(
      'ticket not found',
    )
  })
})

describe('reading tickets', () => {
  test('lists newest first with stable cursors that belong to one list', async () => {
    const tenant = await app.createTenant()
    const inbox = await createEmailInbox(tenant)
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await createTicket(tenant, { inboxId: inbox.id })).id)
    const first = await tenant.get('/v1/tickets?limit=2')
    await createTicket(tenant, { inboxId: inbox.id })
    const second = await tenant.get(`/v1/tickets?limit=2&cursor=${first.body.nextCursor}`)
    const third = await tenant.get(`/v1/tickets?limit=2&cursor=${second.body.nextCursor}`)
    const pages = [first, second, third].flatMap(({ body }) => body.items.map(({ id }: { id: string }) => id))
    expect(pages).toEqual(made)
    expect(third.body.nextCursor).toBeNull()
    const foreign = await acme.get(`/v1/tickets?cursor=${first.body.nextCursor}`)
    expect(foreign.body).toEqual(problem('invalid_request', 'cursor: is not a cursor of this list'))
  })

  test('filters by inbox, status, contact and time of change, alone and together', async () => {
    const tenant = await app.createTenant()
    const [a, b] = [await createEmailInbox(tenant), await createEmailInbox(tenant)]
    const old = await createTicket(tenant, { inboxId: a.id })
    const closed = await createTicket(tenant, { inboxId: b.id, email: 'bob@acme.test' })
    app.clock.advance(DAY)
    const since = at()
    await tenant.put(`/v1/tickets/${closed.id}/status`, { status: 'closed' })
    const fresh = await createTicket(tenant, { inboxId: b.id })
    const ids = async (query: string) =>
      (await tenant.get(`/v1/tickets?${query}`)).body.items.map(({ id }: { id: string }) => id)
    expect(await ids(`inbox_id=${a.id.toUpperCase()}`)).toEqual([old.id])
    expect(await ids('status=closed')).toEqual([closed.id])
    expect(await ids('status=open')).toEqual([fresh.id, old.id])
    expect(await ids(`contact_id=${old.contactId}`)).toEqual([fresh.id, old.id])
    expect(await ids(`since=${since}`)).toEqual([fresh.id, closed.id])
    expect(await ids(`since=${since}&status=open&inbox_id=${b.id}&contact_id=${old.contactId}`)).toEqual([fresh.id])
    expect(await ids(`inbox_id=${crypto.randomUUID()}`)).toEqual([])
  })

  test('another tenant’s ids filter as random ones do', async () => {
    const other = await app.createTenant()
    const theirs = await createTicket(other)
    for (const query of [`inbox_id=${theirs.teamInboxId}`, `contact_id=${theirs.contactId}`]) {
      expect((await acme.get(`/v1/tickets?${query}`)).body).toEqual({ items: [], nextCursor: null })
    }
  })

  test.each([
    ['status=snoozed', 'status: must be one of open, pending, closed, spam'],
    ['status=OPEN', 'status: must be one of open, pending, closed, spam'],
    ['inbox_id=1', 'inbox_id: must be a UUID'],
    ['contact_id=', 'contact_id: must be a UUID'],
    ['since=yesterday', 'since: must be an RFC 3339 date-time'],
    ['inbox=1', 'inbox: unknown query parameter'],
  ])('the filter %s is a 400', async (query, message) => {
    const { status, body } = await acme.get(`/v1/tickets?${query}`)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.message).toStartWith(message)
  })

  test('shows the newest 100 messages, oldest first, and pages through all of them newest first', async () => {
    const { id } = await createTicket(acme, { text: 'message 0' })
    await acme.perform(async (tx, caller) => {
      for (let i = 1; i <= 104; i++) await receiveMessage(tx, caller, id, { text: `message ${i}` })
      await addNote(tx, caller, id, { text: 'note' })
    })
    const { body } = await acme.get(`/v1/tickets/${id}`)
    const texts = (items: { text: string }[]) => items.map(({ text }) => Number(text.split(' ')[1]))
    expect(body.messageCount).toBe(105)
    expect(texts(body.messages)).toEqual(Array.from({ length: 100 }, (_, i) => i + 5))
    const first = await acme.get(`/v1/tickets/${id}/messages?limit=100`)
    const second = await acme.get(`/v1/tickets/${id}/messages?limit=100&cursor=${first.body.nextCursor}`)
    expect(texts([...first.body.items, ...second.body.items])).toEqual(Array.from({ length: 105 }, (_, i) => 104 - i))
    expect(second.body.nextCursor).toBeNull()
  })

  describe('of long messages', () => {
    const MIB = 1024 * 1024

    /** A ticket with more messages, of which the last is the newest. */
    async function threadOf(contents: { html?: string; text?: string }[]) {
      const { id } = await createTicket(acme, { text: 'first' })
      await acme.perform(async (tx, caller) => {
        for (const content of contents) await receiveMessage(tx, caller, id, content)
      })
      return id
    }

    async function readThread(id: string) {
      const { messages } = (await acme.get(`/v1/tickets/${id}`)).body
      expect(messages.length === 1 || Buffer.byteLength(JSON.stringify(messages)) <= MIB).toBe(true)
      return messages.map(({ text }: { text: string }) => text.slice(0, 9))
    }

    async function pageThrough(id: string, limit = 100) {
      const pages: string[][] = []
      let cursor = ''
      do {
        const { body } = await acme.get(`/v1/tickets/${id}/messages?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        pages.push(body.items.map(({ text }: { text: string }) => text.slice(0, 9)))
        cursor = body.nextCursor
      } while (cursor)
      return pages
    }

    test('shows those newest ones that have 1 MiB of JSON together, and pages through all', async () => {
      const html = `<p>${'x'.repeat(250 * 1024)}</p>`
      const id = await threadOf([1, 2, 3, 4, 5].map((n) => ({ html, text: `message ${n}` })))
      expect(await readThread(id)).toEqual(['message 2', 'message 3', 'message 4', 'message 5'])
      expect(await pageThrough(id)).toEqual([
        ['message 5', 'message 4', 'message 3', 'message 2'],
        ['message 1', 'first'],
      ])
      expect(await pageThrough(id, 3)).toHaveLength(2)
    })

    test('counts what JSON makes of them', async () => {
      const text = '"'.repeat(250_000)
      const id = await threadOf([1, 2, 3, 4].map((n) => ({ html: 'x', text: `message ${n}${text}` })))
      expect(await readThread(id)).toEqual(['message 3', 'message 4'])
      expect(await pageThrough(id)).toEqual([
        ['message 4', 'message 3'],
        ['message 2', 'message 1', 'first'],
      ])
    })

    test('shows the newest even if it has more, alone', async () => {
      const html = '&'.repeat(65_000) + '"'.repeat(196_000)
      const id = await threadOf([{ text: 'message 1' }, { html, text: `message 2${'"'.repeat(260_000)}` }])
      expect(await readThread(id)).toEqual(['message 2'])
      expect(await pageThrough(id)).toEqual([['message 2'], ['message 1', 'first']])
      await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'message 3' }))
      expect(await readThread(id)).toEqual(['message 3'])
    })
  })

  test('a cursor of one thread is refused by another, even one that does not exist', async () => {
    const { id } = await createTicket(acme)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'more' }))
    const { nextCursor } = (await acme.get(`/v1/tickets/${id}/messages?limit=1`)).body
    const { id: otherId } = await createTicket(acme)
    for (const wrong of [otherId, crypto.randomUUID()]) {
      expect((await acme.get(`/v1/tickets/${wrong}/messages?cursor=${nextCursor}`)).status).toBe(400)
    }
  })

  test('replies that were not sent are not in the thread', async () => {
    const { id } = await createTicket(acme)
    await acme.perform((tx, caller) =>
      addMessage(tx, caller, {
        ticketId: id,
        state: 'sending',
        direction: 'outbound',
        source: 'api',
        author: caller.author,
        subject: null,
        html: 'x',
        text: 'x',
        from: null,
        to: [],
        cc: [],
        mailId: null,
      }),
    )
    expect((await acme.get(`/v1/tickets/${id}`)).body.messages).toHaveLength(1)
    expect((await acme.get(`/v1/tickets/${id}/messages`)).body.items).toHaveLength(1)
  })

  test.each(['', '/messages'])(
    'GET /v1/tickets/{id}%s is a 404 for other tenants’, unknown and odd ids',
    async (path) => {
      const theirs = await createTicket(await app.createTenant())
      for (const id of [theirs.id, crypto.randomUUID(), 'T-1', '1', '%27']) {
        const { status, body } = await acme.get(`/v1/tickets/${id}${path}`)
        expect([status, body]).toEqual([404, problem('not_found', 'ticket not found')])
      }
    },
  )

  test.each(['/v1/tickets', `/v1/tickets/${crypto.randomUUID()}`, `/v1/tickets/${crypto.randomUUID()}/messages`])(
    'GET %s needs tickets:read',
    async (path) => {
      const { key } = await acme.createKey(['tickets:write'])
      const { status, body } = await app.request('GET', path, { key })
      expect([status, body.error]).toEqual([403, 'insufficient_scope'])
    },
  )
})

test('openTicket takes back everything when the transaction fails', async () => {
  const tenant = await app.createTenant()
  const inbox = await createEmailInbox(tenant)
  const failing = tenant.perform(async (tx, caller) => {
    await openTicket(tx, caller, { inboxId: inbox.id, email: 'a@acme.test', subject: 'S', text: 'T' })
    throw new Error('too late')
  })
  expect(await refusalOf(failing)).toContain('too late')
  expect((await tenant.get('/v1/contacts')).body.items).toEqual([])
  expect((await createTicket(tenant)).sequentialNumber).toBe(1)
})
