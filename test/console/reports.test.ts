import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { commandCallerAs } from '../../src/caller.ts'
import { sendForm } from '../../src/satisfaction/asking.ts'
import { ticketToken } from '../../src/satisfaction/token.ts'
import { assignTicket } from '../../src/tickets/assignment.ts'
import { reply } from '../../src/tickets/replies/operations.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { setTags } from '../../src/tickets/tagging.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { answersTo, createPublished } from '../support/forms/collecting.ts'
import { signedIn } from '../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const DAY = '2026-03-02'
const PERIOD = `from=${DAY}&to=${DAY}`

let app: TestApp
let acme: TestTenant
let anna: Awaited<ReturnType<typeof signedIn>>
let first: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
/** Two tickets, one of them Anna's, answered after an hour, closed, and rated. */
beforeEach(async () => {
  app.clock.jump(Date.parse(`${DAY}T10:00:00Z`) - app.clock.now())
  acme = await app.createTenant()
  anna = await signedIn(app, acme, 'agent')
  const inboxId = (await createEmailInbox(acme)).id
  first = (await createTicket(acme, { inboxId, subject: 'First <b>' })).id
  await createTicket(acme, { inboxId, subject: '=Second' })
  app.clock.jump(3_600_000)
  const { userId, email } = anna.person
  const by = commandCallerAs(acme.tenantId, { userId, name: email }, app.clock.now())
  await acme.perform((tx, caller) => assignTicket(tx, caller, first, { userId }))
  await acme.perform((tx, caller) => setTags(tx, caller, first, ['vip']))
  await reply(app.deps, by, first, { text: 'Soon.' })
  await acme.perform((tx, caller) => setStatus(tx, caller, first, { status: 'closed' }))
  const form = await createPublished(acme, [{ type: 'nps' }, { type: 'textbox' }])
  await acme.perform((tx, caller) => sendForm(tx, caller, app.deps, first, form.id))
  const token = ticketToken(app.deps.secrets, { tenantId: acme.tenantId, ticketId: first, formId: form.id })
  await app.request('POST', `/f/${form.launchCode}/responses`, {
    body: {
      answers: answersTo(form, [9, '<i>Quick</i>']),
      complete: true,
      hiddenFields: { ticket_token: token },
    },
  })
  await app.runDue()
})
afterAll(() => app.close())

const page = async (query = PERIOD, at = '/console/reports') => (await anna.get(`${at}?${query}`)).text
/** What big figures say, by their names. */
const tiles = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/class="tile"><h2>(.*?)<\/h2><p class="big">(.*?)<\/p>/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
const csv = async (name: string) =>
  (await page(PERIOD, `/console/reports/${name}.csv`)).replace('\ufeff', '').trim().split('\r\n')

test('the report says in big figures how things are, and is in the navigation', async () => {
  const text = await page()
  expect(tiles(text)).toEqual({ 'First answer': '60 min', 'Time to close': '60 min', Satisfaction: '90%', Opened: '2' })
  expect(text).toContain('1 closed')
  expect(text).toContain('1 open at the end')
  expect(text).toContain('&lt;i&gt;Quick&lt;/i&gt;')
  expect(text).toMatch(/<a href="\/console\/reports" title="Reports" aria-current="page">/)
  expect(text).not.toContain('<script>')
})

test('a row of somebody leads to the tickets that it is made of', async () => {
  const text = await page()
  const path =
    /<a href="(\/console\/reports\/tickets\?[^"]*user=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const { text: list } = await anna.get(path)
  expect(list).toContain('1 ticket')
  expect(list).toContain(`href="/console/tickets/${first}"`)
  expect(list).toContain('First &lt;b&gt;')
  expect(list).not.toContain('=Second')
  expect((await anna.get(path.replace(/user=[^&]*/, 'user=none'))).text).toContain('=Second')
})

test('every table is a file, in which nothing runs as a formula', async () => {
  const name = anna.person.email
  expect(await csv('days')).toEqual(['date,opened,closed,open', `${DAY},2,1,1`])
  expect(await csv('agents')).toEqual(['user,handled,answers,medianMinutes,satisfaction', `${name},1,1,60,90`])
  expect(await csv('tags')).toEqual(['tag,opened', 'vip,1'])
  expect(await csv('hours')).toEqual(['weekday,hour,opened', 'mon,10,2'])
  expect(await csv('ratings')).toMatchObject([
    'ticket,subject,ratedAt,satisfaction,comment',
    expect.stringContaining('90,<i>Quick</i>'),
  ])
  const tickets = await csv('tickets')
  expect(tickets[1]).toStartWith("T-2,'=Second,open,,")
  expect(tickets[2]).toStartWith('T-1,First <b>,closed,')
  expect(tickets[2]).toEndWith(',60,60,90')
  expect((await anna.get(`/console/reports/secrets.csv?${PERIOD}`)).status).toBe(404)
})

test('is narrowed by its address, and empty where nothing happened', async () => {
  expect(tiles(await page(`${PERIOD}&user=none`))).toMatchObject({ Opened: '1', 'First answer': '–' })
  expect(await page('from=2026-02-01&to=2026-02-02')).toContain('Nothing happened in these days.')
  expect(tiles(await page(''))).toMatchObject({ Opened: '2' })
})

test.each([['from=2026-02-30&to=2026-03-01'], ['from=2026-03-02&to=2026-03-01'], [`${PERIOD}&inbox=x`]])(
  'says what is wrong with %s',
  async (query) => {
    const { status, text } = await anna.get(`/console/reports?${query}`)
    expect(status).toBe(400)
    expect(text).toContain('<h1')
  },
)

test('knows nothing of another tenant', async () => {
  const stranger = await signedIn(app, await app.createTenant(), 'admin')
  const { text } = await stranger.get(`/console/reports?${PERIOD}`)
  expect(text).toContain('Nothing happened in these days.')
  expect((await stranger.get(`/console/reports/tickets?${PERIOD}`)).text).not.toContain('First')
})
