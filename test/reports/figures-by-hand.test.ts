import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Calendar } from '../../src/calendars/model.ts'
import { setCalendar } from '../../src/calendars/operations.ts'
import { createPromise } from '../../src/promises/operations.ts'
import { parsePromise } from '../../src/promises/parse.ts'
import { keepFigures } from '../../src/reports/keeping.ts'
import type { Scope } from '../../src/reports/scope.ts'
import { measureTickets } from '../../src/reports/ticket-report.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { createPerson, type Person } from '../support/pages/console.ts'
import { makeHistory } from '../support/tickets/history.ts'
import { readTallied, type TalliedTicket, tally, WorkingMinutes } from '../support/tickets/tally.ts'

/* Each figure of a report beside what it comes to when the tickets are counted one by one, over a summer time change. */

const zone = 'Europe/Copenhagen'
const nineToFive = [['09:00', '17:00']] as [string, string][]
const office: Calendar = {
  zone,
  hours: { mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive, sat: [], sun: [] },
  daysOff: [],
}
const promised = { normal: { firstAnswer: 480, close: 2400 }, high: { firstAnswer: 120, close: 960 } }
const days = { from: '2026-03-26', to: '2026-04-08' }
const daysBefore = { from: '2026-03-12', to: '2026-03-25' }
/** Before the last of these days is over, so that some are not there yet. */
const NOW = Date.parse('2026-04-07T10:00:00Z')

let app: TestApp
let acme: TestTenant
let people: Person[]
let teamIds: string[]
let tickets: TalliedTicket[]
let inboxIds: string[]
let working: WorkingMinutes

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  people = [await createPerson(acme, 'agent'), await createPerson(acme, 'agent'), await createPerson(acme, 'agent')]
  const team = (name: string) => acme.perform((tx, caller) => createTeam(tx, caller, { name, memberIds: [] }))
  teamIds = [(await team('Billing')).id, (await team('Shipping')).id]
  await acme.perform((tx, caller) => setCalendar(tx, caller, {}, office))
  const targets = { normal: { firstAnswer: '8h', close: '40h' }, high: { firstAnswer: '2h', close: '16h' } }
  await acme.perform((tx, caller) => createPromise(tx, caller, parsePromise({ name: 'Usual', targets })))
  const form = await createPublished(acme, [{ type: 'nps' }])
  const began = Date.parse('2026-03-10T06:00:00Z')
  app.clock.advance(began - app.clock.now())
  const company = { app, tenant: acme, agents: people, teamIds, tags: ['billing', 'refund', 'vip'], form }
  const { past, mailbox, second } = await makeHistory(company, NOW, 21)
  inboxIds = [mailbox.id, second.id]
  working = new WorkingMinutes(began, NOW + 60 * 86_400_000, zone)
  tickets = await readTallied(acme, form, past)
})
afterAll(() => app.close())

async function report(scope: Scope) {
  await keepFigures(app.database, acme.tenantId)
  return (await measureTickets(app.database.db, acme.tenantId, days, scope, app.clock.now())).report
}
const byHand = (of: readonly TalliedTicket[], during = days) =>
  tally(of, during, { zone, now: app.clock.now(), working, promised, people })

test('the history has all that is counted, in both periods', () => {
  for (const during of [days, daysBefore]) {
    const figures = byHand(tickets, during)
    expect(Math.min(figures.promises.kept, figures.promises.broken)).toBeGreaterThan(3)
    expect(figures.satisfaction.count).toBeGreaterThan(3)
    expect(Math.min(figures.opened, figures.closed, figures.firstAnswer.count, figures.close.count)).toBeGreaterThan(15)
    expect(figures.firstAnswer.workingMedianMinutes).toBeLessThan(figures.firstAnswer.medianMinutes ?? 0)
    expect([figures.byUser.length, figures.byTag.length]).toEqual([3, 3])
  }
  expect(tickets.filter(({ statuses }) => statuses.length > 2).length).toBeGreaterThan(5)
})

const scopes: [string, () => Scope, (ticket: TalliedTicket) => boolean][] = [
  ['all tickets', () => ({}), () => true],
  ['an inbox', () => ({ inbox: inboxIds[1] }), ({ inboxId }) => inboxId === inboxIds[1]],
  ['a channel', () => ({ channel: 'livechat' }), ({ channel }) => channel === 'livechat'],
  ['a team', () => ({ team: teamIds[0] }), ({ teamId }) => teamId === teamIds[0]],
  ['no team', () => ({ team: 'none' }), ({ teamId }) => teamId === null],
  ['an agent', () => ({ user: people[0]?.userId }), ({ assignee }) => assignee?.id === people[0]?.userId],
  ['nobody', () => ({ user: 'none' }), ({ assignee }) => assignee === null],
  ['a tag', () => ({ tag: 'billing' }), ({ tags }) => tags.includes('billing')],
  [
    'a tag and a channel',
    () => ({ tag: 'vip', channel: 'email' }),
    ({ tags, channel }) => tags.includes('vip') && channel === 'email',
  ],
]

test.each(scopes)('a report of %s says what counting them one by one does', async (_, scope, isOf) => {
  const { before, ...now } = await report(scope())
  const own = tickets.filter(isOf)
  expect(own.length).toBeGreaterThan(5)
  expect(now).toEqual(byHand(own) as typeof now)
  expect(before).toEqual(byHand(own, daysBefore) as typeof before)
})
