import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Calendar } from '../../src/calendars/model.ts'
import { setCalendar } from '../../src/calendars/operations.ts'
import { commandCallerAs } from '../../src/caller.ts'
import { createPromise } from '../../src/promises/operations.ts'
import { parsePromise } from '../../src/promises/parse.ts'
import { outcomesOf } from '../../src/promises/read.ts'
import { keepFigures } from '../../src/reports/keeping.ts'
import type { Days } from '../../src/reports/period.ts'
import type { Scope } from '../../src/reports/scope.ts'
import { measureTickets, type TicketReport } from '../../src/reports/ticket-report.ts'
import { assignTicket } from '../../src/tickets/assignment.ts'
import { deleteTicket } from '../../src/tickets/deletion/deletion.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { reply } from '../../src/tickets/replies/operations.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { setTags } from '../../src/tickets/tagging.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPerson, type Person } from '../support/pages/console.ts'
import { refusal } from '../support/refusal.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Copenhagen, nine to five on weekdays. */
const office: Calendar = {
  zone: 'Europe/Copenhagen',
  hours: {
    mon: [['09:00', '17:00']],
    tue: [['09:00', '17:00']],
    wed: [['09:00', '17:00']],
    thu: [['09:00', '17:00']],
    fri: [['09:00', '17:00']],
    sat: [],
    sun: [],
  },
  daysOff: [],
}

let app: TestApp
let acme: TestTenant
let anna: Person
let inboxId: string

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  anna = await createPerson(acme, 'agent')
  inboxId = (await createEmailInbox(acme)).id
  await acme.perform((tx, caller) => setCalendar(tx, caller, {}, office))
  // A Monday in summer, nine in the morning in Copenhagen.
  goTo('2026-06-08T07:00:00Z')
})
afterAll(() => app.close())

/** Back in time as well: the clock of each test is its own. */
const goTo = (time: string) => app.clock.jump(Date.parse(time) - app.clock.now())
const pass = (ms: number) => app.clock.jump(ms)

const open = async (more: Parameters<typeof createTicket>[1] = {}) =>
  (await createTicket(acme, { inboxId, ...more })).id
const answer = (id: string, by: Person = anna) =>
  reply(app.deps, commandCallerAs(acme.tenantId, { userId: by.userId, name: by.email }, app.clock.now()), id, {
    text: 'Soon.',
  })
const close = (id: string) => acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'closed' }))
const reopen = (id: string) => acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'open' }))
const assign = (id: string, { userId }: Person = anna) =>
  acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId }))

async function report(days: Days = { from: '2026-06-08', to: '2026-06-14' }, scope: Scope = {}): Promise<TicketReport> {
  await keepFigures(app.database, acme.tenantId)
  return (await measureTickets(app.database.db, acme.tenantId, days, scope, app.clock.now())).report
}

describe('a report of tickets', () => {
  test('counts what was opened and closed, and what was open at the end of each day', async () => {
    goTo('2026-06-05T10:00:00Z')
    const old = await open()
    const older = await open()
    goTo('2026-06-08T07:00:00Z')
    const first = await open()
    await open()
    await close(older)
    goTo('2026-06-09T21:59:59.999Z')
    await close(first)
    // Midnight in Copenhagen.
    pass(1)
    await open()
    await close(old)
    goTo('2026-06-11T08:00:00Z')
    const now = await report()
    expect([now.opened, now.closed]).toEqual([3, 3])
    expect(now.open).toEqual([
      { date: '2026-06-08', count: 3 },
      { date: '2026-06-09', count: 2 },
      { date: '2026-06-10', count: 2 },
      { date: '2026-06-11', count: 2 },
    ])
    expect(now.before).toMatchObject({ period: { from: '2026-06-01', to: '2026-06-07' }, opened: 2, closed: 0 })
    expect(now.before.open.at(-1)).toEqual({ date: '2026-06-07', count: 2 })
    expect(now.before.open.map(({ count }) => count)).toEqual([0, 0, 0, 0, 2, 2, 2])
  })

  test('knows of a ticket that was open again in between, and counts its last closing alone', async () => {
    const id = await open()
    await close(id)
    goTo('2026-06-09T10:00:00Z')
    await reopen(id)
    goTo('2026-06-11T10:00:00Z')
    await close(id)
    goTo('2026-06-12T10:00:00Z')
    const now = await report()
    expect(now.open.map(({ count }) => count)).toEqual([0, 1, 1, 0, 0])
    expect([now.closed, now.close.count, now.close.medianMinutes]).toEqual([1, 1, 3 * 24 * 60 + 3 * 60])
    // In the report of the Monday alone, it was closed then and is open again: later.
    expect((await report({ from: '2026-06-08', to: '2026-06-08' })).closed).toBe(1)
    expect((await report({ from: '2026-06-09', to: '2026-06-10' })).closed).toBe(0)
    await reopen(id)
    expect((await report({ from: '2026-06-11', to: '2026-06-12' })).closed).toBe(0)
  })

  test('says how long the first answer and closing took: median and nearest rank, elapsed and in working hours', async () => {
    const ids: string[] = []
    for (let i = 0; i < 10; i++) ids.push(await open())
    for (const [index, id] of ids.entries()) {
      goTo('2026-06-08T07:00:00Z')
      pass((index + 1) * 30 * MINUTE)
      await answer(id)
      pass(HOUR)
      await answer(id)
    }
    goTo('2026-06-09T07:00:00Z')
    for (const id of ids.slice(0, 4)) await close(id)
    const { firstAnswer, close: closing } = await report()
    expect(firstAnswer).toEqual({ count: 10, medianMinutes: 165, p90Minutes: 270, workingMedianMinutes: 165 })
    // A day and a night, of which eight hours are worked.
    expect(closing).toEqual({ count: 4, medianMinutes: 1440, p90Minutes: 1440, workingMedianMinutes: 480 })
  })

  test('takes for answers what people wrote to the customer, and nothing else', async () => {
    const id = await open()
    pass(MINUTE)
    await acme.perform((tx, caller) => addNote(tx, caller, id, { text: 'Hm.' }))
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'Hello?' }))
    expect((await report()).firstAnswer.count).toBe(0)
    pass(MINUTE)
    await answer(id)
    expect((await report()).firstAnswer).toMatchObject({ count: 1, medianMinutes: 2 })
  })

  test('leaves out spam, what was merged and what was deleted', async () => {
    const into = await open()
    const merged = await open()
    const spam = await open()
    const gone = await open()
    expect((await report()).opened).toBe(4)
    await acme.perform((tx, caller) => mergeTickets(tx, caller, merged, into))
    await acme.perform((tx, caller) => setStatus(tx, caller, spam, { status: 'spam' }))
    await acme.perform((tx, caller) => deleteTicket(tx, caller, gone))
    const now = await report()
    expect([now.opened, now.closed, now.open.at(-1)?.count]).toEqual([1, 0, 1])
  })

  test('counts the promises that were kept and broken, when that was decided', async () => {
    await acme.perform((tx, caller) =>
      createPromise(tx, caller, parsePromise({ name: 'Usual', targets: { normal: { firstAnswer: '1h' } } })),
    )
    const [kept, broken, waiting] = [await open(), await open(), await open()]
    await assign(kept)
    pass(30 * MINUTE)
    await answer(kept)
    pass(HOUR)
    await answer(broken)
    await app.runDue()
    const now = await report()
    const outcomes = await Promise.all(
      [kept, broken, waiting].map((id) => outcomesOf(app.database.db, acme.tenantId, id)),
    )
    // The third is overdue, and is decided once it is answered or never: what is stored counts.
    const stored = outcomes.flat().map((outcome) => outcome.kept)
    expect([stored.includes(true), stored.includes(false)]).toEqual([true, true])
    expect(now.promises).toEqual({
      kept: stored.filter((isKept) => isKept).length,
      broken: stored.filter((isKept) => !isKept).length,
    })
    expect((await report(undefined, { user: anna.userId })).promises).toEqual({ kept: 1, broken: 0 })
    expect(now.before.promises).toEqual({ kept: 0, broken: 0 })
  })

  test('tells people, tags and hours apart', async () => {
    const ben = await createPerson(acme, 'agent')
    const [one, two, three] = [await open(), await open(), await open()]
    await assign(one)
    await assign(two)
    await assign(three, ben)
    pass(90 * MINUTE)
    await answer(one)
    await answer(one)
    await answer(three)
    const tag = (id: string, names: string[]) => acme.perform((tx, caller) => setTags(tx, caller, id, names))
    await tag(one, ['Billing', 'vip'])
    await tag(two, ['billing'])
    goTo('2026-06-13T23:30:00Z')
    await open()
    const now = await report()
    expect(now.byUser).toEqual([
      { user: { id: anna.userId, name: anna.email }, handled: 2, answers: 3, medianMinutes: 90, satisfaction: null },
      { user: { id: ben.userId, name: ben.email }, handled: 1, answers: 0, medianMinutes: 90, satisfaction: null },
    ])
    expect(now.byTag).toEqual([
      { tag: 'Billing', opened: 2 },
      { tag: 'vip', opened: 1 },
    ])
    expect(now.byHour).toEqual([
      { weekday: 'mon', hour: 9, opened: 3 },
      { weekday: 'sun', hour: 1, opened: 1 },
    ])
  })

  test.each<[string, (ids: Record<string, string>) => Scope, number]>([
    ['an inbox', ({ other = '' }) => ({ inbox: other }), 1],
    ['a person', () => ({ user: anna.userId }), 1],
    ['a person by their address', () => ({ user: anna.email.toUpperCase() }), 1],
    ['nobody', () => ({ user: 'none' }), 2],
    ['a tag', () => ({ tag: 'VIP' }), 2],
    ['a channel', () => ({ channel: 'email' }), 3],
    ['another channel', () => ({ channel: 'livechat' }), 0],
    ['a tag and a person', () => ({ tag: 'vip', user: anna.userId }), 1],
  ])('is narrowed to the tickets of %s', async (_, scope, expected) => {
    const other = (await createEmailInbox(acme)).id
    const [one, two] = [await open(), await open()]
    await open({ inboxId: other })
    await assign(one)
    for (const id of [one, two]) await acme.perform((tx, caller) => setTags(tx, caller, id, ['vip']))
    const now = await report(undefined, scope({ other }))
    expect([now.opened, now.open.at(-1)?.count]).toEqual([expected, expected])
  })

  test.each<[Days, Scope, string]>([
    [{ from: '2026-02-30', to: '2026-03-01' }, {}, 'from: must be a date such as 2026-03-01'],
    [{ from: '2026-03-02', to: '2026-03-01' }, {}, 'from: from must not be after to'],
    [{ from: '0001-01-01', to: '2026-03-01' }, {}, 'to: must be at most 3660 days after from'],
    [{ from: '2026-03-01', to: '2026-03-01' }, { inbox: 'x' }, 'inbox: there is no such inbox'],
    [{ from: '2026-03-01', to: '2026-03-01' }, { team: 'x' }, 'team: there is no such team'],
    [{ from: '2026-03-01', to: '2026-03-01' }, { user: 'x' }, 'user: there is no such user'],
    [{ from: '2026-03-01', to: '2026-03-01' }, { tag: 'x' }, 'tag: there is no such tag'],
    [
      { from: '2026-03-01', to: '2026-03-01' },
      { channel: 'fax' },
      'channel: must be one of email, livechat, messaging',
    ],
  ])('of %p by %p is refused', async (days, scope, message) => {
    expect(await refusal(report(days, scope))).toEqual(['invalid_request', message])
  })

  test('knows nothing of another tenant', async () => {
    await open()
    const stranger = await app.createTenant()
    const inbox = await createEmailInbox(stranger)
    const of = (scope: Scope) =>
      measureTickets(
        app.database.db,
        stranger.tenantId,
        { from: '2026-06-08', to: '2026-06-08' },
        scope,
        app.clock.now(),
      )
    expect((await of({})).report.opened).toBe(0)
    expect(await refusal(of({ inbox: inboxId }))).toEqual(['invalid_request', 'inbox: there is no such inbox'])
    expect((await of({ inbox: inbox.id })).report.opened).toBe(0)
  })

  test('keeps the working time of what is over when hours change, and days begin when the zone says', async () => {
    const [one, two] = [await open(), await open()]
    pass(10 * HOUR)
    await answer(one)
    expect((await report()).firstAnswer.workingMedianMinutes).toBe(480)
    const always: Calendar = { ...office, hours: { ...office.hours, mon: [['00:00', '24:00']] } }
    await acme.perform((tx, caller) => setCalendar(tx, caller, {}, always))
    await assign(one)
    await answer(two)
    expect((await report()).firstAnswer.workingMedianMinutes).toBe(540)
  })
})

test('figures are counted by a job once tickets have changed, and again after every change', async () => {
  const id = await open()
  await app.runDue()
  const read = async () =>
    (
      await measureTickets(
        app.database.db,
        acme.tenantId,
        { from: '2026-06-08', to: '2026-06-08' },
        {},
        app.clock.now(),
      )
    ).report
  expect((await read()).opened).toBe(1)
  await close(id)
  await app.runDue()
  expect((await read()).close.count).toBe(1)
})
