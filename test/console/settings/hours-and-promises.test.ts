import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { setCalendar } from '../../../src/calendars/operations.ts'
import { parseCalendar } from '../../../src/calendars/parse.ts'
import { calendarOfInbox, calendarOfTenant, findOwnCalendar } from '../../../src/calendars/read.ts'
import { createPromise } from '../../../src/promises/operations.ts'
import { parsePromise } from '../../../src/promises/parse.ts'
import { listPromises } from '../../../src/promises/read.ts'
import { startApp, type TestTenant } from '../../support/app.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'

const HOURS = '/console/settings/hours'
const PROMISES = '/console/settings/promises'
const MINUTE = 60_000

const app = await startApp()
let acme: TestTenant
let browser: ConsoleBrowser
beforeEach(async () => {
  acme = await app.createTenant()
  browser = await signedIn(app, acme)
})
afterAll(() => app.close())

const week = {
  zone: 'Europe/Berlin',
  'hours.mon': '09:00-12:00, 12:30 - 17:00',
  'hours.fri': '22:00-06:00',
  daysOff: '2026-12-25 Christmas\n2026-12-24, Christmas Eve',
}
const held = () => calendarOfTenant(app.database.db, acme.tenantId)
const own = (inboxId: string) => findOwnCalendar(app.database.db, acme.tenantId, { inboxId })

describe('working hours', () => {
  test('are set for the company, and shown as they hold', async () => {
    expect((await browser.get(HOURS)).text).toContain('value="UTC"')
    const page = await browser.follow(await browser.post(HOURS, week))
    expect(page.text).toContain('value="09:00-12:00, 12:30-17:00"')
    expect(page.text).toContain('2026-12-24 Christmas Eve\n2026-12-25 Christmas')
    expect(await held()).toMatchObject({ zone: 'Europe/Berlin', hours: { fri: [['22:00', '06:00']], tue: [] } })
    await browser.post(`${HOURS}/clear`)
    expect((await held()).zone).toBe('UTC')
  })

  test('of an inbox follow the company’s until it has its own', async () => {
    const inbox = await createEmailInbox(acme, { name: 'Sales' })
    await browser.post(HOURS, week)
    const page = await browser.get(`${HOURS}/${inbox.id}`)
    expect(page.text).toContain('follows the company’s hours')
    expect(page.text).toContain('value="Europe/Berlin"')
    await browser.post(`${HOURS}/${inbox.id}`, { zone: 'Asia/Kathmandu', 'hours.tue': '10:00-16:00' })
    expect(await own(inbox.id)).toMatchObject({ zone: 'Asia/Kathmandu', daysOff: [] })
    expect((await browser.get(HOURS)).text).toContain('Tue 10:00-16:00 Asia/Kathmandu')
    await browser.post(`${HOURS}/${inbox.id}/clear`)
    expect(await own(inbox.id)).toBeNull()
  })

  test.each([
    ['zone', { zone: 'Mars' }, 'is not a time zone'],
    ['hours.mon', { 'hours.mon': 'nine to five' }, 'Must be days, times and a time zone'],
    ['daysOff', { daysOff: 'Christmas' }, 'is not a date and a name'],
    ['daysOff', { daysOff: '2026-02-30 Never' }, 'is not a date and a name'],
    ['daysOff', { daysOff: '2026-12-25 One\n2026-12-25 Two' }, '2026-12-25'],
  ])('refuse a bad %s beside it (%#), keep what was typed, and change nothing', async (field, fields, text) => {
    const answer = await browser.post(HOURS, { ...week, ...fields })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(text)
    expect(answer.text).toContain(`href="#field-${field.replace('.', '-')}"`)
    expect((await held()).zone).toBe('UTC')
  })

  test('take days off in from an ICS file, beside those there are', async () => {
    await browser.post(HOURS, week)
    const ics =
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261225\r\nSUMMARY:Other\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261226\r\nSUMMARY:Boxing Day\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
    const take = async (text: string) => {
      const body = new FormData()
      body.set('csrf', await browser.csrf())
      body.set('file', new File([text], 'holidays.ics'))
      return browser.request('POST', `${HOURS}/days-off`, body)
    }
    const page = await browser.follow(await take(ics))
    expect(page.text).toContain('1 day off was added.')
    expect((await held()).daysOff.map(({ name }) => name)).toEqual(['Christmas Eve', 'Christmas', 'Boxing Day'])
    const refused = await take('hello')
    expect([refused.status, refused.text.includes('Choose an ICS file.')]).toEqual([400, true])
  })

  test('are no other tenant’s, and for admins alone', async () => {
    const other = await app.createTenant()
    const inbox = await createEmailInbox(other)
    expect((await browser.get(`${HOURS}/${inbox.id}`)).status).toBe(404)
    expect((await browser.post(`${HOURS}/${inbox.id}`, week)).status).toBe(404)
    const agent = await signedIn(app, acme, 'agent')
    expect((await agent.get(HOURS)).status).toBe(403)
    expect((await agent.post(HOURS, week)).status).toBe(403)
    expect((await held()).zone).toBe('UTC')
  })
})

describe('promises', () => {
  const form = (more: Record<string, string> = {}) => ({
    name: 'Refunds',
    'all.0.field': 'subject',
    'all.0.operator': 'contains',
    'all.0.value': 'refund',
    'targets.urgent.firstAnswer': '30m',
    'targets.normal.close': '2 d',
    step: 'keep',
    ...more,
  })
  const all = () => listPromises(app.database.db, acme.tenantId)

  test('are made in words, changed, put in order and deleted', async () => {
    const page = await browser.follow(await browser.post(`${PROMISES}/new`, form()))
    expect(page.text).toContain('the subject contains “refund”')
    expect(page.text).toContain('Urgent: First answer 30m')
    const [made] = await all()
    expect(made).toMatchObject({
      when: { all: [{ field: 'subject', contains: 'refund' }] },
      targets: { urgent: { firstAnswer: '30m' }, normal: { close: '2d' } },
    })
    const path = `${PROMISES}/${made?.id}`
    expect((await browser.get(path)).text).toContain('name="targets.normal.close"')
    await browser.post(path, { name: 'All', 'targets.low.nextAnswer': '1h', step: 'keep' })
    expect(await all()).toEqual([
      { id: made?.id ?? '', name: 'All', when: null, targets: { low: { nextAnswer: '1h' } } },
    ])
    await browser.post(`${PROMISES}/new`, form())
    const [, second] = await all()
    const moved = await browser.post(`${PROMISES}/${second?.id}/up`)
    // Whoever works by keys goes on where they were.
    expect(moved.headers.get('location')).toEndWith(`#up-${second?.id}`)
    expect((await browser.follow(moved)).text).toContain(`<a id="up-${second?.id}"`)
    expect((await all()).map(({ name }) => name)).toEqual(['Refunds', 'All'])
    await browser.post(`${path}/delete`)
    expect((await all()).map(({ name }) => name)).toEqual(['Refunds'])
  })

  test('add conditions without scripts, and keep what was typed', async () => {
    const added = await browser.post(`${PROMISES}/new`, form({ step: 'add any' }))
    expect([added.status, added.text.includes('name="any.0.field"'), added.text.includes('value="2 d"')]).toEqual([
      200,
      true,
      true,
    ])
    const removed = await browser.post(`${PROMISES}/new`, form({ step: 'remove all.0' }))
    expect(removed.text).not.toContain('name="all.0.field"')
    expect(await all()).toEqual([])
  })

  test.each([
    ['a span that is none', { 'targets.urgent.firstAnswer': 'soon' }, 'field-targets-urgent-firstAnswer'],
    ['no time at all', { 'targets.urgent.firstAnswer': '', 'targets.normal.close': '' }, 'field-targets'],
    ['a condition without a value', { 'all.0.value': '' }, 'field-all-0-value'],
    ['no name', { name: '' }, 'field-name'],
  ])('refuse %s at its control', async (_, fields, id) => {
    const answer = await browser.post(`${PROMISES}/new`, form(fields))
    expect([answer.status, answer.text.includes(`href="#${id}"`)]).toEqual([400, true])
    expect(await all()).toEqual([])
  })

  test('are no other tenant’s, and for admins alone', async () => {
    await browser.post(`${PROMISES}/new`, form())
    const [made] = await all()
    const path = `${PROMISES}/${made?.id}`
    const stranger = await signedIn(app, await app.createTenant())
    expect([(await stranger.get(path)).status, (await stranger.post(`${path}/delete`)).status]).toEqual([404, 404])
    const agent = await signedIn(app, acme, 'agent')
    expect([(await agent.get(PROMISES)).status, (await agent.post(`${path}/delete`)).status]).toEqual([403, 403])
    expect(await all()).toHaveLength(1)
  })
})

describe('the desk', () => {
  test('shows nothing of due times where nothing is promised', async () => {
    await createTicket(acme)
    expect((await browser.get('/console/inbox')).text).not.toContain('Overdue')
  })

  test('sorts by what is due, and shows what remains, at the ticket too', async () => {
    const targets = {
      urgent: { firstAnswer: '40m' },
      normal: { firstAnswer: '3h', close: '4h' },
      low: { firstAnswer: '3d' },
    }
    await acme.perform((tx, caller) => createPromise(tx, caller, parsePromise({ name: 'All', targets })))
    await createTicket(acme, { subject: 'Nothing is due of it', priority: 'high' })
    const low = await createTicket(acme, { subject: 'In three days', priority: 'low' })
    const normal = await createTicket(acme, { subject: 'In three hours' })
    const urgent = await createTicket(acme, { subject: 'In forty minutes', priority: 'urgent' })
    const subjects = async (query: string) =>
      [...(await browser.get(`/console/inbox?${query}`)).text.matchAll(/class="subject" dir="auto">([^<]*)</g)].map(
        ([, text]) => text,
      )
    expect(await subjects('due=any')).toEqual(['In forty minutes', 'In three hours', 'In three days'])
    expect(await subjects('due=today')).toEqual(['In forty minutes', 'In three hours'])
    expect(await subjects('due=overdue')).toEqual([])
    expect((await browser.get(`/console/tickets/${normal.id}`)).text).toContain('due in 3 hr')
    app.clock.advance(35 * MINUTE)
    await app.runDue()
    expect((await browser.get('/console/inbox?due=any')).text).toMatch(/badge warn"><span title="due in 5 min"/)
    app.clock.advance(10 * MINUTE)
    await app.runDue()
    const list = (await browser.get('/console/inbox')).text
    expect(list).toMatch(/badge bad"><span title="overdue by 5 min"/)
    expect(list).toContain('Due today')
    expect(await subjects('due=overdue')).toEqual(['In forty minutes'])
    const ticket = (await browser.get(`/console/tickets/${urgent.id}`)).text
    expect(ticket).toContain('overdue by 5 min')
    expect(ticket).toContain('As promised by “All”.')
    expect((await browser.get(`/console/tickets/${low.id}`)).text).toContain('First answer')
  })

  test('pages through what is due, both ways', async () => {
    const targets = { normal: { firstAnswer: '3h' } }
    await acme.perform((tx, caller) => createPromise(tx, caller, parsePromise({ name: 'All', targets })))
    const { id: inboxId } = await createEmailInbox(acme)
    for (let count = 0; count < 120; count += 1) {
      await createTicket(acme, { inboxId, subject: `No ${count}` })
      app.clock.advance(1000)
    }
    const seen: string[] = []
    let path = '/console/inbox?due=any'
    const links: string[] = []
    for (;;) {
      const { text } = await browser.get(path)
      links.push(path)
      seen.push(...[...text.matchAll(/class="subject" dir="auto">([^<]*)</g)].map(([, one = '']) => one))
      const [, next] = /rel="next" href="([^"]+)"/.exec(text) ?? []
      if (!next) break
      path = next.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, count) => `No ${count}`))
    const [, back = ''] = /rel="prev" href="([^"]+)"/.exec((await browser.get(path)).text) ?? []
    const before = (await browser.get(back.replaceAll('&amp;', '&'))).text
    expect(before).toContain('>No 50<')
    expect(before).not.toContain('>No 100<')
  })
})

test('an inbox has its own calendar where it was given one', async () => {
  const inbox = await createEmailInbox(acme)
  const given = parseCalendar({ zone: 'UTC', hours: { mon: [['09:00', '10:00']] } })
  await acme.perform((tx, caller) => setCalendar(tx, caller, { inboxId: inbox.id.toUpperCase() }, given))
  expect(await calendarOfInbox(app.database.db, acme.tenantId, inbox.id)).toEqual(given)
})
