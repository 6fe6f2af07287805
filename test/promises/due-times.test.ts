import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Calendar } from '../../src/calendars/model.ts'
import { setCalendar } from '../../src/calendars/operations.ts'
import { parseCalendar } from '../../src/calendars/parse.ts'
import { createPromise, deletePromise, updatePromise } from '../../src/promises/operations.ts'
import { parsePromise } from '../../src/promises/parse.ts'
import { outcomesOf } from '../../src/promises/read.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createEmailInbox } from '../support/tickets/tickets.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let app: TestApp
let acme: TestTenant
let inboxId: string

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  inboxId = (await createEmailInbox(acme)).id
})
afterAll(() => app.close())

const calendar = (hours: Record<string, [string, string][]>, zone = 'UTC'): Calendar => parseCalendar({ zone, hours })
const office = calendar(
  Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']] as [string, string][]]),
  ),
)
const open = (given: Calendar | null, of: { inboxId?: string } = {}) =>
  acme.perform((tx, caller) => setCalendar(tx, caller, of, given))
const promise = (given: object) => acme.perform((tx, caller) => createPromise(tx, caller, parsePromise(given)))
const everything = { firstAnswer: '30m', nextAnswer: '1h', close: '8h' }

/** It is then, whatever was due until then has happened. */
async function at(time: string): Promise<void> {
  app.clock.advance(Date.parse(time) - app.clock.now())
  await app.runDue()
}

async function write(fields: object = {}) {
  const body = { inboxId, email: 'ada@acme.test', subject: 'Where is my order?', text: 'A week late.', ...fields }
  const answer = await acme.post('/v1/tickets', body)
  expect(answer.status).toBe(201)
  return answer.body
}
const read = async (id: string) => (await acme.get(`/v1/tickets/${id}`)).body
const dueOf = async (id: string) => (await read(id)).dueAt
const answer = async (id: string) =>
  expect((await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>It is on its way.</p>' })).status).toBe(201)
const ask = (id: string) =>
  acme.perform((tx, caller) => receiveMessage(tx, caller, id, { email: 'ada@acme.test', text: 'And now?' }))
const status = async (id: string, body: object) =>
  expect((await acme.put(`/v1/tickets/${id}/status`, body)).status).toBe(200)
const outcomes = async (id: string) =>
  (await outcomesOf(app.database.db, acme.caller().tenantId, id)).map(({ kind, kept, dueAt, decidedAt }) => [
    kind,
    kept,
    dueAt,
    decidedAt,
  ])

// Every test begins on the Monday after those before.
let week = Date.parse('2026-06-01T09:00:00Z')
let on: (dayAndTime: string) => string
beforeEach(() => {
  week += 7 * 24 * HOUR
  const monday = week
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  on = (text) => {
    const [day = '', time = ''] = text.split(' ')
    const date = new Date(monday + days.indexOf(day) * 24 * HOUR).toISOString().slice(0, 10)
    return `${date}T${time}:00.000Z`
  }
})

describe('what is due', () => {
  test('is the soonest of what is promised: answers since the customer waits, closing from the beginning', async () => {
    await open(office)
    await promise({ name: 'All', targets: { normal: everything } })
    await at(on('Mon 10:00'))
    const { id, dueAt } = await write()
    expect(dueAt).toBe(on('Mon 10:30'))
    await at(on('Mon 10:10'))
    await answer(id)
    expect(await dueOf(id)).toBe(on('Tue 10:00'))
    await at(on('Mon 16:30'))
    await ask(id)
    expect(await dueOf(id)).toBe(on('Tue 09:30'))
    await ask(id)
    expect(await dueOf(id)).toBe(on('Tue 09:30'))
    await at(on('Tue 09:20'))
    await answer(id)
    await status(id, { status: 'closed' })
    expect(await dueOf(id)).toBeNull()
    expect(await outcomes(id)).toEqual([
      ['firstAnswer', true, on('Mon 10:30'), on('Mon 10:10')],
      ['close', true, on('Tue 10:00'), on('Tue 09:20')],
      ['nextAnswer', true, on('Tue 09:30'), on('Tue 09:20')],
    ])
  })

  test('stands still for closing alone while a ticket is pending or snoozed', async () => {
    await promise({ name: 'All', targets: { normal: { close: '8h', nextAnswer: '2h' } } })
    await at(on('Mon 10:00'))
    const { id } = await write()
    await at(on('Mon 11:00'))
    await answer(id)
    await status(id, { status: 'pending' })
    expect(await dueOf(id)).toBeNull()
    await at(on('Mon 20:00'))
    await status(id, { status: 'open' })
    expect(await dueOf(id)).toBe(on('Tue 03:00'))
    await status(id, { status: 'open', snoozedUntil: on('Mon 22:00') })
    expect(await dueOf(id)).toBeNull()
    await at(on('Mon 22:00'))
    expect(await dueOf(id)).toBe(on('Tue 05:00'))
    await ask(id)
    expect(await dueOf(id)).toBe(on('Tue 00:00'))
    // Answers do not wait for anybody.
    await status(id, { status: 'pending' })
    expect(await dueOf(id)).toBe(on('Tue 00:00'))
    await status(id, { status: 'closed' })
    expect(await outcomes(id)).toEqual([['close', true, on('Tue 05:00'), on('Mon 22:00')]])
  })

  test('counts from the beginning by the targets of a new priority, and is nothing without one', async () => {
    await promise({ name: 'All', targets: { normal: everything, urgent: { firstAnswer: '5m' } } })
    await at(on('Mon 10:00'))
    const { id } = await write()
    await at(on('Mon 10:20'))
    const set = async (priority: string) => (await acme.put(`/v1/tickets/${id}/priority`, { priority })).body.dueAt
    expect(await set('low')).toBeNull()
    expect(await set('urgent')).toBe(on('Mon 10:05'))
    expect(await set('normal')).toBe(on('Mon 10:30'))
    expect(await outcomes(id)).toEqual([])
  })

  test('is of the first promise that fits, found anew for another inbox, by its calendar', async () => {
    const other = await createEmailInbox(acme)
    await open(office, { inboxId: other.id })
    await promise({
      name: 'Fast',
      when: { all: [{ field: 'inbox', is: other.id }] },
      targets: { normal: { firstAnswer: '10m' } },
    })
    await promise({ name: 'Rest', targets: { normal: { firstAnswer: '2h' } } })
    await at(on('Mon 08:00'))
    const { id, dueAt } = await write()
    expect(dueAt).toBe(on('Mon 10:00'))
    await acme.perform(async (tx, caller) => {
      const { setInbox } = await import('../../src/tickets/filing.ts')
      await setInbox(tx, caller, id, other.id)
    })
    expect(await dueOf(id)).toBe(on('Mon 09:10'))
  })

  test('looks at the tags that a ticket is created with', async () => {
    await write({ tags: ['vip'] })
    await promise({
      name: 'VIP',
      when: { all: [{ field: 'tag', is: 'vip' }] },
      targets: { normal: { firstAnswer: '10m' } },
    })
    await at(on('Mon 10:00'))
    expect((await write({ tags: ['vip'] })).dueAt).toBe(on('Mon 10:10'))
    expect((await write()).dueAt).toBeNull()
  })

  test('follows changes of calendars and promises, of tickets that are not closed', async () => {
    const { id: promiseId } = await promise({ name: 'All', targets: { normal: { firstAnswer: '2h' } } })
    await at(on('Sat 10:00'))
    const { id } = await write()
    const closed = await write()
    await status(closed.id, { status: 'closed' })
    const before = await read(id)
    await open(office)
    await app.runDue()
    const monday = new Date(Date.parse(on('Mon 11:00')) + 7 * 24 * HOUR).toISOString()
    expect(await read(id)).toEqual({ ...before, dueAt: monday })
    await acme.perform((tx, caller) =>
      updatePromise(tx, caller, promiseId, parsePromise({ name: 'All', targets: { normal: { firstAnswer: '1h' } } })),
    )
    await app.runDue()
    expect(await dueOf(id)).toBe(monday.replace('11:00', '10:00'))
    await acme.perform((tx, caller) => deletePromise(tx, caller, promiseId))
    await app.runDue()
    expect([await dueOf(id), await dueOf(closed.id)]).toEqual([null, null])
  })

  test('is counted of tickets from before the promise was made', async () => {
    await at(on('Mon 10:00'))
    const { id, dueAt } = await write()
    expect(dueAt).toBeNull()
    await at(on('Mon 11:00'))
    await answer(id)
    await ask(id)
    await promise({ name: 'All', targets: { normal: everything } })
    await app.runDue()
    expect(await dueOf(id)).toBe(on('Mon 12:00'))
  })
})

describe('whether it was kept', () => {
  test('is known when the time has passed, once, and no later change rewrites it', async () => {
    const { id: promiseId } = await promise({ name: 'All', targets: { normal: { firstAnswer: '30m' } } })
    await at(on('Mon 10:00'))
    const { id } = await write()
    await at(on('Mon 10:30'))
    expect(await outcomes(id)).toEqual([])
    await at(on('Mon 10:31'))
    const broken = [['firstAnswer', false, on('Mon 10:30'), on('Mon 10:30')]]
    expect(await outcomes(id)).toEqual(broken)
    expect(await dueOf(id)).toBe(on('Mon 10:30'))
    await acme.perform((tx, caller) =>
      updatePromise(tx, caller, promiseId, parsePromise({ name: 'Later', targets: { normal: { firstAnswer: '5h' } } })),
    )
    await app.runDue()
    expect(await dueOf(id)).toBe(on('Mon 15:00'))
    await at(on('Mon 11:00'))
    await answer(id)
    expect(await dueOf(id)).toBeNull()
    expect(await outcomes(id)).toEqual(broken)
    await acme.perform((tx, caller) => deletePromise(tx, caller, promiseId))
    await app.runDue()
    expect(await outcomes(id)).toEqual(broken)
  })

  test('is decided by the answer even where nobody has looked at the clock', async () => {
    await promise({ name: 'All', targets: { normal: { firstAnswer: '30m' } } })
    await at(on('Mon 10:00'))
    const { id } = await write()
    app.clock.advance(45 * MINUTE)
    await answer(id)
    expect(await outcomes(id)).toEqual([['firstAnswer', false, on('Mon 10:30'), on('Mon 10:30')]])
  })

  test('is not decided of answers to what is closed without one, or spam', async () => {
    await promise({ name: 'All', targets: { normal: everything } })
    await at(on('Mon 10:00'))
    const [closed, spam] = [await write(), await write()]
    await status(closed.id, { status: 'closed' })
    await status(spam.id, { status: 'spam' })
    expect(await outcomes(closed.id)).toEqual([['close', true, on('Mon 18:00'), on('Mon 10:00')]])
    expect(await outcomes(spam.id)).toEqual([])
    await at(on('Tue 10:00'))
    expect([await dueOf(closed.id), await dueOf(spam.id), await outcomes(spam.id)]).toEqual([null, null, []])
  })

  test('counts anew once a ticket is opened again, and goes on where closing is undone at once', async () => {
    await promise({ name: 'All', targets: { normal: { close: '2h' } } })
    await at(on('Mon 10:00'))
    const { id } = await write()
    await at(on('Mon 11:00'))
    await status(id, { status: 'closed' })
    app.clock.advance(10_000)
    await status(id, { status: 'open' })
    expect([await dueOf(id), await outcomes(id)]).toEqual([on('Mon 12:00'), []])
    await status(id, { status: 'closed' })
    await at(on('Mon 15:00'))
    await ask(id)
    expect(await dueOf(id)).toBe(on('Mon 17:00'))
    expect((await outcomes(id)).map(([kind, kept]) => [kind, kept])).toEqual([['close', true]])
  })

  test('is of its tenant alone: others pay nothing, and have nothing due', async () => {
    await promise({ name: 'All', targets: { normal: everything } })
    const other = await app.createTenant()
    const { id } = await createEmailInbox(other)
    const body = { inboxId: id, email: 'ada@acme.test', subject: 'Hi', text: 'Hello' }
    const made = await other.post('/v1/tickets', body)
    expect(made.body.dueAt).toBeNull()
  })
})

describe('GET /v1/tickets?due_before', () => {
  test('pages by key through what is due before a time, with any other filter', async () => {
    await promise({ name: 'All', targets: { normal: { firstAnswer: '30m' }, high: { firstAnswer: '2h' } } })
    await at(on('Mon 10:00'))
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) {
      ids.unshift((await write({ tags: index % 2 === 0 ? ['even'] : [] })).id)
      app.clock.advance(1000)
    }
    await write({ priority: 'high' })
    await write({ priority: 'low' })
    const list = async (query: string) => (await acme.get(`/v1/tickets?${query}`)).body
    const before = encodeURIComponent(on('Mon 11:00'))
    const first = await list(`due_before=${before}&limit=3`)
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3))
    const second = await list(`due_before=${before}&limit=3&cursor=${first.nextCursor}`)
    expect(second.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3))
    expect(second.nextCursor).toBeNull()
    const even = await list(`due_before=${before}&tag=even&status=open&inbox_id=${inboxId}&assignee=none`)
    expect(even.items.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2], ids[4]])
    expect((await list(`due_before=${encodeURIComponent(on('Mon 10:30'))}`)).items).toEqual([])
    expect((await list(`due_before=${encodeURIComponent(on('Mon 20:00'))}`)).items).toHaveLength(6)
    expect((await acme.get('/v1/tickets?due_before=tomorrow')).status).toBe(400)
  })
})
