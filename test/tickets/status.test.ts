import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nextSnoozeEnd, wakeSnoozedTickets } from '../../src/tickets/status.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const HOUR = 60 * 60 * 1000

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const inFuture = (ms: number) => new Date(app.clock.now() + ms).toISOString()
const wake = () => app.database.transaction((tx) => wakeSnoozedTickets(tx, app.clock.now()))

/** Does something and returns the status events it caused, as `previous → status`. */
async function changes(tenant: TestTenant, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await tenant.events()).length
  await work()
  return (await tenant.events()).slice(before).map(({ event, payload }) => {
    expect(event).toBe('ticket.status_changed')
    return `${payload.previousStatus} → ${payload.status}`
  })
}

const statuses = ['open', 'pending', 'closed', 'spam'] as const
const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))

describe('setting a status', () => {
  test.each(pairs)('moves %s to %s', async (from, to) => {
    const { id } = await createTicket(acme)
    if (from !== 'open') await acme.put(`/v1/tickets/${id}/status`, { status: from })
    const before = (await acme.get(`/v1/tickets/${id}`)).body
    app.clock.advance(1000)
    const now = inFuture(0)
    const told = await changes(acme, async () => {
      const answer = await acme.put(`/v1/tickets/${id}/status`, { status: to })
      expect(answer.status).toBe(200)
      const { messages, ...ticket } = before
      const moved = { status: to, closedAt: to === 'closed' ? now : null, updatedAt: now }
      expect(answer.body).toEqual(from === to ? ticket : { ...ticket, ...moved })
    })
    expect(told).toEqual(from === to ? [] : [`${from} → ${to}`])
  })

  test('tells of it with the fields of every ticket event and the previous status', async () => {
    const ticket = await createTicket(acme)
    await acme.put(`/v1/tickets/${ticket.id}/status`, { status: 'pending' })
    expect((await acme.events()).at(-1)?.payload).toEqual({
      ticketId: ticket.id,
      ticketReference: ticket.ticketReference,
      sequentialNumber: ticket.sequentialNumber,
      teamInboxId: ticket.teamInboxId,
      status: 'pending',
      previousStatus: 'open',
      priority: 'normal',
      contactId: ticket.contactId,
      subject: ticket.subject,
      createdAt: ticket.createdAt,
    })
  })

  test.each([
    ['an unknown status', { status: 'snoozed' }, 'status: must be one of open, pending, closed, spam'],
    ['no status', {}, 'status: is required'],
    ['null', { status: null }, 'status: '],
    ['a number', { status: 1 }, 'status: '],
    ['a time without offset', { status: 'open', snoozedUntil: '2030-01-01T00:00:00' }, 'snoozedUntil: must be an RFC'],
    ['a day that is none', { status: 'open', snoozedUntil: '2030-02-30T00:00:00Z' }, 'snoozedUntil: must be an RFC'],
    ['a time that is past', { status: 'open', snoozedUntil: '2020-01-01T00:00:00Z' }, 'snoozedUntil: must lie in'],
    ['an unknown field', { status: 'open', note: 'x' }, 'note: unknown field'],
  ])('refuses %s, and changes and tells nothing', async (_, body, message) => {
    const ticket = await createTicket(acme)
    const told = await changes(acme, async () => {
      const answer = await acme.put(`/v1/tickets/${ticket.id}/status`, body)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
      expect(answer.body.message).toStartWith(message)
    })
    expect(told).toEqual([])
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body).toMatchObject(ticket)
  })

  test('is a 404 for another tenant’s, an unknown and an odd id, and tells nothing', async () => {
    const other = await app.createTenant()
    const theirs = await createTicket(other)
    for (const id of [theirs.id, crypto.randomUUID(), 'T-1']) {
      const { status, body } = await acme.put(`/v1/tickets/${id}/status`, { status: 'closed' })
      expect([status, body]).toEqual([404, problem('not_found', 'ticket not found')])
    }
    expect((await other.get(`/v1/tickets/${theirs.id}`)).body.status).toBe('open')
    expect((await other.events()).at(-1)?.event).toBe('ticket.created')
  })

  test('needs tickets:write, before the body is looked at', async () => {
    const { key } = await acme.createKey(['tickets:read'])
    const { id } = await createTicket(acme)
    const told = await changes(acme, async () => {
      const answer = await app.request('PUT', `/v1/tickets/${id}/status`, { key, body: 'nonsense' })
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope'])
    })
    expect(told).toEqual([])
  })
})

describe('a snooze', () => {
  test('keeps the status, is told once, and shows as previous status while it lies ahead', async () => {
    const { id } = await createTicket(acme)
    const snoozedUntil = inFuture(HOUR)
    const told = await changes(acme, async () => {
      const snoozed = await acme.put(`/v1/tickets/${id}/status`, { status: 'pending', snoozedUntil })
      expect(snoozed.body).toMatchObject({ status: 'pending', snoozedUntil })
      await acme.put(`/v1/tickets/${id}/status`, { status: 'pending', snoozedUntil })
      await acme.put(`/v1/tickets/${id}/status`, { status: 'pending', snoozedUntil: inFuture(2 * HOUR) })
      const ended = await acme.put(`/v1/tickets/${id}/status`, { status: 'pending', snoozedUntil: null })
      expect(ended.body).toMatchObject({ status: 'pending', snoozedUntil: null })
      await acme.put(`/v1/tickets/${id}/status`, { status: 'closed' })
    })
    expect(told).toEqual(['open → pending', 'snoozed → pending', 'snoozed → pending', 'pending → closed'])
  })

  test('is the same whatever its offset', async () => {
    const { id } = await createTicket(acme)
    const told = await changes(acme, async () => {
      await acme.put(`/v1/tickets/${id}/status`, { status: 'open', snoozedUntil: '2031-01-01T12:00:00+02:00' })
      const again = await acme.put(`/v1/tickets/${id}/status`, { status: 'open', snoozedUntil: '2031-01-01T10:00:00Z' })
      expect(again.body.snoozedUntil).toBe('2031-01-01T10:00:00.000Z')
      await acme.put(`/v1/tickets/${id}/status`, { status: 'open' })
    })
    expect(told).toEqual(['open → open', 'snoozed → open'])
  })

  test('of a closed ticket keeps the time it was closed at', async () => {
    const { id } = await createTicket(acme)
    const closed = await acme.put(`/v1/tickets/${id}/status`, { status: 'closed' })
    app.clock.advance(1000)
    const snoozed = await acme.put(`/v1/tickets/${id}/status`, { status: 'closed', snoozedUntil: inFuture(HOUR) })
    expect(snoozed.body.closedAt).toBe(closed.body.closedAt)
    await acme.put(`/v1/tickets/${id}/status`, { status: 'open' })
  })
})

describe('when a snooze is over', () => {
  test.each([...statuses])('a %s ticket opens by itself, once', async (status) => {
    const tenant = await app.createTenant()
    const ticket = await createTicket(tenant)
    await tenant.put(`/v1/tickets/${ticket.id}/status`, { status, snoozedUntil: inFuture(HOUR) })
    expect(await nextSnoozeEnd(app.database.db, app.clock.now())).toBe(app.clock.now() + HOUR)
    app.clock.advance(HOUR - 1)
    expect(await changes(tenant, wake)).toEqual([])
    app.clock.advance(1)
    expect(await changes(tenant, wake)).toEqual(['snoozed → open'])
    const { body } = await tenant.get(`/v1/tickets/${ticket.id}`)
    expect(body).toMatchObject({ status: 'open', snoozedUntil: null, closedAt: null, updatedAt: inFuture(0) })
    expect(await changes(tenant, wake)).toEqual([])
    expect(await nextSnoozeEnd(app.database.db, app.clock.now())).toBeNull()
  })

  test('a change that comes before the job finds the ticket open, and both are told', async () => {
    const { id } = await createTicket(acme)
    await acme.put(`/v1/tickets/${id}/status`, { status: 'pending', snoozedUntil: inFuture(HOUR) })
    app.clock.advance(HOUR)
    const told = await changes(acme, () => acme.put(`/v1/tickets/${id}/status`, { status: 'closed' }))
    expect(told).toEqual(['snoozed → open', 'open → closed'])
    expect(await changes(acme, wake)).toEqual([])
  })

  test('tickets of all tenants wake, earliest first, and the rest of many the next time', async () => {
    const tenant = await app.createTenant()
    const other = await app.createTenant()
    const tickets = await Promise.all(
      Array.from({ length: 201 }, (_, i) => createTicket(i === 0 ? other : tenant, { email: `c${i}@acme.test` })),
    )
    await Promise.all(
      tickets.map(({ id }, i) =>
        (i === 0 ? other : tenant).put(`/v1/tickets/${id}/status`, {
          status: 'open',
          snoozedUntil: inFuture(HOUR + (i === 0 ? -1 : 0)),
        }),
      ),
    )
    app.clock.advance(HOUR)
    expect(await wake()).toBe(200)
    expect((await other.events()).at(-1)?.payload).toMatchObject({ previousStatus: 'snoozed', status: 'open' })
    expect(await nextSnoozeEnd(app.database.db, app.clock.now())).toBeLessThanOrEqual(app.clock.now())
    expect(await wake()).toBe(1)
    expect(await wake()).toBe(0)
  })
})
