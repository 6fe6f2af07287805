import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Calendar } from '../../src/calendars/model.ts'
import { everyDay } from '../../src/calendars/model.ts'
import { setCalendar } from '../../src/calendars/operations.ts'
import { createPromise } from '../../src/promises/operations.ts'
import { parsePromise } from '../../src/promises/parse.ts'
import { ReportMails } from '../../src/reports/mails/sending.ts'
import { listReportMails, nextMorning, removeReportMail } from '../../src/reports/mails/subscriptions.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type MailServer, refusal as mailRefusal, startMailServer } from '../support/mail/server.ts'
import { createPerson, signedIn } from '../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const PATH = '/console/settings/reports'
const tokyo: Calendar = { zone: 'Asia/Tokyo', hours: everyDay([['00:00', '24:00']]), daysOff: [] }

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>
let inboxId: string
/** How many mails the server refuses for now. */
let refusals = 0

beforeAll(async () => {
  mailServer = await startMailServer({
    onRcptTo(_address, _session, done) {
      if (refusals === 0) return done()
      refusals -= 1
      done(mailRefusal(451, 'later'))
    },
  })
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
})
beforeEach(async () => {
  refusals = 0
  // A Wednesday; far from where the test before it ended.
  await goTo(new Date(nextMorning('week', app.clock.now() + 14 * 86_400_000, 'UTC') + 2 * 86_400_000).toISOString())
  mailServer.mails.length = 0
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
  inboxId = (await createEmailInbox(acme)).id
})
afterEach(async () => {
  for (const { id } of await listReportMails(app.database.db, acme.tenantId)) {
    await acme.perform((tx, caller) => removeReportMail(tx, caller, id))
  }
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

async function goTo(time: string): Promise<void> {
  app.clock.advance(Date.parse(time) - app.clock.now())
  await app.runDue()
}
const pass = (ms: number) => goTo(new Date(app.clock.now() + ms).toISOString())
const add = (fields: Record<string, string> = {}) =>
  admin.post(PATH, { user: admin.person.userId, kind: 'week', inbox: '', team: '', ...fields })
const due = async () => Date.parse((await listReportMails(app.database.db, acme.tenantId))[0]?.dueAt ?? '')
const own = () => mailServer.mails.filter(({ envelope }) => envelope.to.includes(admin.person.email))

test('nobody gets a report that was removed', async () => {
  await add()
  const { text } = await admin.get(PATH)
  const remove = /action="([^"]*\/remove)"/.exec(text)?.[1] ?? ''
  expect((await admin.post(remove)).status).toBe(303)
  await pass(9 * 86_400_000)
  expect(own()).toHaveLength(0)
})

test('how last week was comes on Monday at seven by the calendar’s clock, once, and leads to the report', async () => {
  await acme.perform((tx, caller) => setCalendar(tx, caller, {}, tokyo))
  await createTicket(acme, { inboxId })
  await add()
  const monday = nextMorning('week', app.clock.now(), 'Asia/Tokyo')
  expect(new Date(monday).toISOString()).toEndWith('T22:00:00.000Z')
  await goTo(new Date(monday - 1).toISOString())
  expect(own()).toHaveLength(0)
  await goTo(new Date(monday).toISOString())
  const [mail] = own()
  expect(own()).toHaveLength(1)
  expect(mail?.subject).toBe('Support last week: one ticket')
  expect(mail?.text).toContain('Opened: 1 (the week before: 0)')
  const link = /https?:\S+\/console\/reports\?\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  const days = new URL(link).searchParams
  const first = Temporal.PlainDate.from(days.get('from') ?? '')
  expect([first.dayOfWeek, first.until(days.get('to') ?? '').days]).toEqual([1, 6])
  await admin.signIn(admin.person.email)
  expect((await admin.get(link.slice(app.url.length))).status).toBe(200)
  await pass(3 * 86_400_000)
  expect(own()).toHaveLength(1)
  await pass(4 * 86_400_000)
  expect(own()).toHaveLength(2)
})

test('after days without a running service one mail comes, of the last week', async () => {
  await add()
  await pass(24 * 86_400_000)
  expect(own()).toHaveLength(1)
})

test('what is overdue comes each morning on which something is, narrowed to an inbox', async () => {
  const other = (await createEmailInbox(acme)).id
  await acme.perform((tx, caller) =>
    createPromise(tx, caller, parsePromise({ name: 'Usual', targets: { normal: { firstAnswer: '1h' } } })),
  )
  await add({ kind: 'overdue', inbox: inboxId })
  await pass(86_400_000)
  expect(own()).toHaveLength(0)
  const late = await createTicket(acme, { inboxId, subject: 'Late <b>' })
  await createTicket(acme, { inboxId: other, subject: 'Elsewhere' })
  await pass(86_400_000)
  expect(own()).toHaveLength(1)
  const [mail] = own()
  expect(mail?.subject).toBe('One ticket is overdue')
  expect(mail?.text).toContain(`${late.ticketReference} Late <b>`)
  expect(mail?.html).toContain('Late &lt;b&gt;')
  expect(mail?.text).not.toContain('Elsewhere')
  await pass(86_400_000)
  expect(own()).toHaveLength(2)
})

test('one that the server refuses for now is tried again, and sent once', async () => {
  await add()
  refusals = 1
  await goTo(new Date(await due()).toISOString())
  expect(own()).toHaveLength(0)
  await pass(60_000)
  expect(own()).toHaveLength(1)
  await pass(86_400_000)
  expect(own()).toHaveLength(1)
})

test('one that a process died with before it was handed over is sent by another, once', async () => {
  await add()
  app.clock.advance((await due()) - app.clock.now())
  // It takes the mail, and never comes to send it.
  const dead = new ReportMails(app.deps, { send: () => new Promise(() => {}) })
  await dead.start(app.clock.now())
  await app.runDue()
  expect(own()).toHaveLength(0)
  await pass(60_000)
  expect(own()).toHaveLength(1)
})

test('one that took so long that another sent it is not sent twice', async () => {
  await add()
  app.clock.advance((await due()) - app.clock.now())
  let isHandedOver = false
  const begun = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const slow = new ReportMails(app.deps, {
    async send(_mail, before) {
      begun.resolve()
      await goesOn.promise
      await before?.()
      isHandedOver = true
      return []
    },
  })
  await slow.start(app.clock.now())
  await begun.promise
  await pass(60_000)
  expect(own()).toHaveLength(1)
  goesOn.resolve()
  await slow.idle()
  expect(isHandedOver).toBe(false)
})

test('an admin names a person, a report, an inbox and a team that there are, and nothing twice', async () => {
  const stranger = await createPerson(await app.createTenant())
  for (const fields of [{ user: stranger.userId }, { kind: 'daily' }, { inbox: 'x' }, { team: 'x' }]) {
    expect((await add(fields)).status).toBe(400)
  }
  expect((await add()).status).toBe(303)
  expect((await add()).status).toBe(409)
  expect(await listReportMails(app.database.db, acme.tenantId)).toHaveLength(1)
  const agent = await signedIn(app, acme, 'agent')
  expect((await agent.get(PATH)).status).toBe(403)
})
