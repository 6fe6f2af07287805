import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messages, ticketMerges } from '../../src/db/schema.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { mergeOf, ticketAfterMerges } from '../../src/tickets/merging/merges.ts'
import { mergeTickets, undoMerge } from '../../src/tickets/merging/operations.ts'
import { splitMessage } from '../../src/tickets/merging/splitting.ts'
import { ticketIdOf } from '../../src/tickets/read.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { refusal } from '../support/refusal.ts'
import { createChatInbox, createTicket } from '../support/tickets/tickets.ts'

const DAY = 24 * 60 * 60 * 1000

const app = await startApp()
let acme: TestTenant
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const merge = (ticketId: string, intoId: string, tenant = acme) =>
  tenant.perform((tx, caller) => mergeTickets(tx, caller, ticketId, intoId))
const undo = (ticketId: string, tenant = acme) => tenant.perform((tx, caller) => undoMerge(tx, caller, ticketId))
const receive = (ticketId: string, text: string) =>
  acme.perform((tx, caller) => receiveMessage(tx, caller, ticketId, { text }))
const read = async (ticketId: string) => (await acme.get(`/v1/tickets/${ticketId}`)).body
const textsOf = async (ticketId: string) => (await read(ticketId)).messages.map(({ text }: { text: string }) => text)

/** Two tickets whose messages take turns: A1 B1 A2 B2. */
async function twoTickets() {
  const a = await createTicket(acme, { text: 'A1', subject: 'About A' })
  app.clock.advance(1000)
  const b = await createTicket(acme, { text: 'B1', subject: 'About B', email: 'bob@acme.test' })
  app.clock.advance(1000)
  await receive(a.id, 'A2')
  app.clock.advance(1000)
  await receive(b.id, 'B2')
  app.clock.advance(1000)
  return { a: a.id, b: b.id }
}

/** All that is stored of the tenant's tickets, but when they last changed. */
async function stored(tenant = acme) {
  const { body } = await tenant.get('/v1/tickets')
  const tickets = body.items.map(({ updatedAt: _, ...ticket }: { updatedAt: string }) => ticket)
  const rows = await app.database.db
    .select()
    .from(messages)
    .where(eq(messages.tenantId, tenant.tenantId))
    .orderBy(messages.id)
  const merges = await app.database.db.select().from(ticketMerges).where(eq(ticketMerges.tenantId, tenant.tenantId))
  return { tickets, rows, merges }
}

describe('a merge', () => {
  test('moves messages and notes in the order of time, and closes the merged ticket', async () => {
    const { a, b } = await twoTickets()
    await acme.perform((tx, caller) => addNote(tx, caller, a, { text: 'Call them' }))
    const before = (await acme.events()).length
    const merged = await merge(a, b)
    expect(merged).toMatchObject({ id: b, messageCount: 4, excerpt: 'B2', status: 'open', subject: 'About B' })
    expect(await textsOf(b)).toEqual(['A1', 'B1', 'A2', 'B2'])
    expect(await read(a)).toMatchObject({ status: 'closed', messageCount: 0, messages: [], ticketReference: 'T-1' })
    expect((await stored()).rows.find(({ state }) => state === 'note')).toMatchObject({ ticketId: b, writtenInId: a })
    expect((await acme.events()).slice(before).map(({ event, payload }) => [event, payload.ticketId])).toEqual([
      ['ticket.status_changed', a],
    ])
    expect(await mergeOf(app.database.db, acme.tenantId, a)).toMatchObject({ intoId: b })
    expect(await mergeOf(app.database.db, acme.tenantId, b)).toBeNull()
  })

  test('shows the newest message of both', async () => {
    const { a, b } = await twoTickets()
    await receive(a, 'A3')
    expect(await merge(a, b)).toMatchObject({ excerpt: 'A3', messageCount: 5 })
  })

  test('of a closed ticket tells of no change of status', async () => {
    const { a, b } = await twoTickets()
    await acme.put(`/v1/tickets/${a}/status`, { status: 'closed' })
    const before = await acme.events()
    const { closedAt } = await read(a)
    app.clock.advance(1000)
    await merge(a, b)
    expect(await acme.events()).toEqual(before)
    expect((await read(a)).closedAt).toBe(closedAt)
  })

  test('lets both references resolve, and what comes for the merged ticket join the other', async () => {
    const { a, b } = await twoTickets()
    await merge(a, b)
    const { db } = app.database
    expect(await ticketIdOf(db, acme.tenantId, 'T-1')).toBe(a)
    expect(await ticketIdOf(db, acme.tenantId, 't-2')).toBe(b)
    expect([await ticketAfterMerges(db, acme.tenantId, a), await ticketAfterMerges(db, acme.tenantId, b)]).toEqual([
      b,
      b,
    ])
    expect((await receive(a, 'A3')).ticketId).toBe(b)
    expect(await read(b)).toMatchObject({ messageCount: 5, excerpt: 'A3' })
    expect(await read(a)).toMatchObject({ messageCount: 0, status: 'closed' })
    await acme.perform((tx, caller) => addNote(tx, caller, a, { text: 'They called' }))
    expect((await stored()).rows.find(({ state }) => state === 'note')).toMatchObject({ ticketId: b })
  })

  test('into a merged ticket goes where that one is', async () => {
    const { a, b } = await twoTickets()
    const c = await createTicket(acme, { text: 'C1' })
    await merge(a, b)
    expect(await merge(c.id, a)).toMatchObject({ id: b, messageCount: 5 })
  })

  test('of a ticket that others were merged into takes theirs along', async () => {
    const { a, b } = await twoTickets()
    const c = await createTicket(acme, { text: 'C1' })
    await merge(a, b)
    expect(await merge(b, c.id)).toMatchObject({ messageCount: 5 })
    expect(await ticketAfterMerges(app.database.db, acme.tenantId, a)).toBe(c.id)
  })

  test('leaves nothing to do at the merged ticket', async () => {
    const { a, b } = await twoTickets()
    await merge(a, b)
    const message = 'T-1 was merged into T-2: work on that one'
    expect((await acme.put(`/v1/tickets/${a}/status`, { status: 'open' })).body).toEqual(
      problem('unprocessable', message),
    )
    expect((await acme.post(`/v1/tickets/${a}/replies`, { html: 'x' })).body).toEqual(problem('unprocessable', message))
    expect(await refusal(merge(a, b))).toEqual(['unprocessable', message])
    expect((await read(b)).messageCount).toBe(4)
  })

  test('is refused with itself, the other way round, another channel, and what another tenant has', async () => {
    const { a, b } = await twoTickets()
    const other = await app.createTenant()
    const theirs = await createTicket(other)
    const chat = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    expect(await refusal(merge(a, a))).toEqual(['invalid_request', 'into: must be another ticket'])
    expect(await refusal(merge(a, chat.id))).toEqual(['unprocessable', 'only email tickets can be merged'])
    expect(await refusal(merge(chat.id, a))).toEqual(['unprocessable', 'only email tickets can be merged'])
    for (const [from, into] of [
      [a, theirs.id],
      [theirs.id, a],
      [a, crypto.randomUUID()],
    ] as const) {
      expect(await refusal(merge(from, into))).toEqual(['not_found', 'ticket not found'])
    }
    await merge(a, b)
    expect(await refusal(merge(b, a))).toEqual(['conflict', 'the two tickets are merged already'])
    expect(await refusal(undo(a, other))).toEqual(['not_found', 'ticket not found'])
  })
})

describe('undoing a merge', () => {
  test.each([
    ['open', {}],
    ['snoozed', { status: 'pending', hours: 1 }],
    ['closed', { status: 'closed' }],
  ])('of a ticket that was %s restores both exactly', async (_, change: { status?: string; hours?: number }) => {
    const { a, b } = await twoTickets()
    await receive(a, 'A3 is the newest')
    const { status, hours } = change
    const snoozedUntil = hours ? new Date(app.clock.now() + hours * 3_600_000).toISOString() : undefined
    if (status) await acme.put(`/v1/tickets/${a}/status`, { status, snoozedUntil })
    const before = await stored()
    app.clock.advance(1000)
    await merge(a, b)
    app.clock.advance(60_000)
    await undo(a)
    expect(await stored()).toEqual(before)
  })

  test('in any order, after several merges, restores everything', async () => {
    const { a, b } = await twoTickets()
    const c = await createTicket(acme, { text: 'C1' })
    const before = await stored()
    for (const order of [
      [a, b],
      [b, a],
    ] as const) {
      app.clock.advance(1000)
      await merge(a, c.id)
      await merge(b, c.id)
      for (const id of order) await undo(id)
      expect(await stored()).toEqual(before)
    }
  })

  test('of a merge on top of another takes the last one back first', async () => {
    const { a, b } = await twoTickets()
    const c = await createTicket(acme, { text: 'C1' })
    const before = await stored()
    app.clock.advance(1000)
    await merge(a, b)
    const between = await stored()
    await merge(b, c.id)
    expect(await refusal(undo(a))).toEqual(['unprocessable', 'T-2 was merged into T-3: work on that one'])
    await undo(b)
    expect(await stored()).toEqual(between)
    await undo(a)
    expect(await stored()).toEqual(before)
  })

  test('leaves what came in since with the other ticket', async () => {
    const { a, b } = await twoTickets()
    await merge(a, b)
    app.clock.advance(1000)
    await receive(a, 'since')
    await undo(a)
    expect(await textsOf(a)).toEqual(['A1', 'A2'])
    expect(await textsOf(b)).toEqual(['B1', 'B2', 'since'])
    expect(await read(b)).toMatchObject({ messageCount: 3, excerpt: 'since' })
    expect((await receive(a, 'A3')).ticketId).toBe(a)
  })

  test('is possible for a day, and not after', async () => {
    const { a, b } = await twoTickets()
    await merge(a, b)
    app.clock.advance(DAY)
    await undo(a)
    await merge(a, b)
    app.clock.advance(DAY + 1)
    const before = await stored()
    expect(await refusal(undo(a))).toEqual([
      'unprocessable',
      'a merge can be undone for a day: split off messages instead',
    ])
    expect(await refusal(undo(b))).toEqual(['unprocessable', 'the ticket was not merged'])
    expect(await stored()).toEqual(before)
  })
})

describe('under parallel writers', () => {
  test('two agents who merge A into B and B into A make one ticket of them', async () => {
    const { a, b } = await twoTickets()
    const outcomes = await Promise.allSettled([merge(a, b), merge(b, a), merge(a, b), merge(b, a)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const counts = [(await read(a)).messageCount, (await read(b)).messageCount]
    expect(counts.sort()).toEqual([0, 4])
  })

  test('messages that come in while tickets are merged and parted are counted where they are', async () => {
    const { a, b } = await twoTickets()
    await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, index) => receive(a, `a${index}`)),
      merge(a, b),
      ...Array.from({ length: 10 }, (_, index) => receive(b, `b${index}`)),
      undo(a),
      ...Array.from({ length: 10 }, (_, index) => receive(a, `c${index}`)),
    ])
    const [first, second] = [await read(a), await read(b)]
    expect(first.messageCount + second.messageCount).toBe(34)
    expect([first.messages.length, second.messages.length]).toEqual([first.messageCount, second.messageCount])
  })
})

describe('a message that is split off', () => {
  const split = (messageId: string, tenant = acme) =>
    tenant.perform((tx, caller) => splitMessage(tx, caller, messageId))

  test('opens a ticket of its own, of its sender, and says so once', async () => {
    const { a } = await twoTickets()
    const message = await acme.perform((tx, caller) =>
      receiveMessage(tx, caller, a, { text: 'By the way', email: 'carl@acme.test', name: 'Carl', subject: 'Another' }),
    )
    const before = (await acme.events()).length
    app.clock.advance(1000)
    const ticket = await split(message.id)
    expect(ticket).toMatchObject({
      ticketReference: 'T-3',
      status: 'open',
      subject: 'Another',
      excerpt: 'By the way',
      messageCount: 1,
      contactId: message.author.id,
      lastMessageAt: message.createdAt,
    })
    expect(await textsOf(ticket.id)).toEqual(['By the way'])
    expect(await read(a)).toMatchObject({ messageCount: 2, excerpt: 'A2' })
    expect((await acme.events()).slice(before).map(({ event, payload }) => [event, payload.ticketId])).toEqual([
      ['ticket.created', ticket.id],
    ])
    expect((await receive(ticket.id, 'more')).from).toBe('carl@acme.test')
  })

  test('stays apart when the merge it was part of is undone', async () => {
    const { a, b } = await twoTickets()
    await merge(a, b)
    const [, , a2] = (await read(b)).messages
    const ticket = await split(a2.id)
    await undo(a)
    expect([await textsOf(a), await textsOf(b), await textsOf(ticket.id)]).toEqual([['A1'], ['B1', 'B2'], ['A2']])
  })

  test('of a merged ticket can be merged back, and that be undone', async () => {
    const { a, b } = await twoTickets()
    await merge(a, b)
    const [, , a2] = (await read(b)).messages
    const ticket = await split(a2.id)
    await merge(ticket.id, b)
    await undo(ticket.id)
    expect([await textsOf(b), await textsOf(ticket.id)]).toEqual([['A1', 'B1', 'B2'], ['A2']])
  })

  test('is refused where it is the only one, a note, one of ours, of a chat, or not there', async () => {
    const only = await createTicket(acme)
    const [opening] = (await read(only.id)).messages
    expect(await refusal(split(opening.id))).toEqual(['unprocessable', 'it is the only message of its ticket'])
    const { a } = await twoTickets()
    const note = await acme.perform((tx, caller) => addNote(tx, caller, a, { text: 'x' }))
    const reply = (await acme.post(`/v1/tickets/${a}/replies`, { html: 'x' })).body.id
    const chat = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    const said = await receive(chat.id, 'Hello?')
    const mailed = await acme.perform((tx, caller) =>
      receiveMessage(tx, caller, chat.id, { text: 'By mail', source: 'email' }),
    )
    for (const id of [note, reply, said.id, mailed.id]) {
      expect(await refusal(split(id))).toEqual(['unprocessable', "only a customer's mail can be split off"])
    }
    const other = await app.createTenant()
    expect(await refusal(split(opening.id, other))).toEqual(['not_found', 'message not found'])
  })

  test('by two agents at once is split off once', async () => {
    const { a } = await twoTickets()
    const messages = (await read(a)).messages.map(({ id }: { id: string }) => id)
    const outcomes = await Promise.allSettled(messages.map((id: string) => split(id)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await read(a)).messageCount).toBe(1)
  })
})
