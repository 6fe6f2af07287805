import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createRule } from '../../../src/rules/operations.ts'
import { listRules } from '../../../src/rules/read.ts'
import { readyMadeNames } from '../../../src/rules/ready-made.ts'
import { createTeam } from '../../../src/teams/operations.ts'
import { startApp, type TestTenant } from '../../support/app.ts'
import { createMailbox } from '../../support/mail/mails.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const RULES = '/console/settings/rules'

const app = await startApp()
let acme: TestTenant
let browser: ConsoleBrowser
beforeEach(async () => {
  acme = await app.createTenant()
  browser = await signedIn(app, acme)
})
afterAll(() => app.close())

const rules = () => listRules(app.database.db, acme.tenantId)
const form = (more: Record<string, string | readonly string[]> = {}) => ({
  name: 'Refunds',
  on: 'ticket.created',
  'all.0.field': 'subject',
  'all.0.operator': 'contains',
  'all.0.value': 'refund',
  'then.0.do': 'add_tags',
  'then.0.tags': 'refund, money',
  step: 'keep',
  ...more,
})

test('a rule is made as a sentence, off, switched on, and shown with what it did', async () => {
  const answer = await browser.post(`${RULES}/new`, form())
  const page = await browser.follow(answer)
  expect(page.text).toContain('When a ticket is opened, and the subject contains “refund”: add tags (refund, money).')
  const [rule] = await rules()
  expect(rule).toMatchObject({ name: 'Refunds', enabled: false, then: [{ do: 'add_tags', tags: ['refund', 'money'] }] })
  await browser.post(`${RULES}/${rule?.id}/on`)
  expect((await rules())[0]?.enabled).toBe(true)
  const [hit, miss] = [await createTicket(acme, { subject: 'A refund' }), await createTicket(acme)]
  await app.runDue()
  const { text } = await browser.get(`${RULES}/${rule?.id}`)
  expect(text).toContain(`<bdi>${hit.ticketReference} A refund</bdi>`)
  expect(text).toContain(`<bdi>${miss.ticketReference} Where is my order?</bdi>`)
  expect(text).toContain('Did not hold: the subject contains “refund”')
  expect((await browser.get(RULES)).text).toContain('<bdi>Refunds</bdi>')
})

describe('without scripts, buttons of the form', () => {
  test('add and remove its parts, and show what can be chosen, and keep what was typed', async () => {
    const added = await browser.post(`${RULES}/new`, form({ step: 'add any' }))
    expect(added.status).toBe(200)
    expect(added.text).toContain('name="any.0.field"')
    expect(added.text).toContain('value="refund, money"')
    const fields = { 'any.0.field': 'priority', step: 'show' }
    const shown = await browser.post(`${RULES}/new`, form(fields))
    expect(shown.text).toContain('<option value="urgent">')
    const removed = await browser.post(`${RULES}/new`, form({ step: 'remove all.0' }))
    expect(removed.text).not.toContain('name="all.0.field"')
    expect(removed.text).toContain('name="then.0.do"')
    expect(await rules()).toEqual([])
  })

  test('try it, and nothing is done', async () => {
    const ticket = await createTicket(acme, { subject: 'refund' })
    await createTicket(acme)
    const { text } = await browser.post(`${RULES}/new`, form({ step: 'try' }))
    expect(text).toContain('Of the newest 2, it would have done something with 1. Nothing was done.')
    expect(text).toContain(`<bdi>${ticket.ticketReference} refund</bdi>`)
    expect((await acme.get('/v1/tags')).body.items).toEqual([])
    expect(await rules()).toEqual([])
  })
})

test.each<[Record<string, string>, string]>([
  [{ name: '' }, 'field-name'],
  [{ 'all.0.field': '' }, 'field-all-0-field'],
  [{ 'all.0.value': '' }, 'field-all-0-value'],
  [{ 'all.0.field': 'tag', 'all.0.operator': 'is', 'all.0.value': 'none such' }, 'field-all-0-value'],
  [{ 'any.0.field': 'team', 'any.0.operator': 'is', 'any.0.value': 'x' }, 'field-any-0-value'],
  [{ 'then.0.tags': '' }, 'field-then-0-tags'],
  [{ 'then.1.do': 'note', 'then.1.text': '' }, 'field-then-1-text'],
  [{ on: 'ticket.waiting', span: 'soon' }, 'field-span'],
])('%o is refused at its control, and what was typed is kept', async (wrong, control) => {
  const { status, text } = await browser.post(`${RULES}/new`, form(wrong))
  expect(status).toBe(400)
  expect(text).toContain(`<a href="#${control}">`)
  expect(text).toMatch(new RegExp(`id="${control}"[^>]*aria-(invalid|describedby)`))
  expect(await rules()).toEqual([])
})

test('a rule is changed, moved and deleted; who was faster is not overwritten', async () => {
  const make = (name: string) =>
    acme.perform((tx, caller) => createRule(tx, caller, { name, on: 'ticket.created', then: [{ do: 'stop' }] }))
  const [one, two] = [await make('one'), await make('two')]
  await browser.post(`${RULES}/${two.id}/up`)
  expect((await rules()).map(({ name }) => name)).toEqual(['two', 'one'])
  const seen = /name="seen" value="([^"]+)"/.exec((await browser.get(`${RULES}/${one.id}`)).text)?.[1] as string
  expect((await browser.post(`${RULES}/${one.id}`, form({ seen, name: 'First' }))).status).toBe(303)
  expect((await rules())[1]).toMatchObject({ name: 'First', enabled: true, then: [{ do: 'add_tags' }] })
  expect((await browser.post(`${RULES}/${one.id}`, form({ seen, name: 'Late' }))).status).toBe(409)
  await browser.post(`${RULES}/${one.id}/delete`)
  expect((await rules()).map(({ name }) => name)).toEqual(['two'])
})

test('a rule that the form cannot show is shown as a sentence, and not changed by it', async () => {
  const inner = { all: [{ field: 'status', is: 'open' }] }
  const rule = { name: 'Odd', on: 'ticket.created', when: { any: [inner, inner] }, then: [{ do: 'stop' }] }
  const { id } = await acme.perform((tx, caller) => createRule(tx, caller, rule))
  const { text } = await browser.get(`${RULES}/${id}`)
  expect(text).toContain('frontdesk rule update')
  expect(text).toContain('(the status is Open) or (the status is Open)')
  expect(text).not.toContain('name="then.0.do"')
})

test('pages are for admins, and of another tenant’s rules there are none', async () => {
  const other = await app.createTenant()
  const { id } = await other.perform((tx, caller) =>
    createRule(tx, caller, { name: 'Theirs', on: 'ticket.created', then: [{ do: 'stop' }] }),
  )
  for (const path of [`${RULES}/${id}`, `${RULES}/nothing`]) expect((await browser.get(path)).status).toBe(404)
  for (const step of ['', '/on', '/off', '/up', '/delete']) {
    expect((await browser.post(`${RULES}/${id}${step}`, form())).status).toBe(404)
  }
  const agent = await signedIn(app, acme, 'agent')
  expect((await agent.get(RULES)).status).toBe(403)
  expect((await agent.post(`${RULES}/new`, form())).status).toBe(403)
})

test('what people wrote is shown as they wrote it', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const rule = {
    name: hostile,
    on: 'ticket.created',
    when: { all: [{ field: 'subject', contains: hostile }] },
    then: [{ do: 'note', text: hostile }],
  }
  const { id } = await acme.perform((tx, caller) => createRule(tx, caller, rule))
  for (const path of [RULES, `${RULES}/${id}`]) expect((await browser.get(path)).text).not.toContain('<img src=x')
})

test('a long text is shown as it reads, as far as it goes, with a sign that it goes on', async () => {
  const rule = {
    name: 'Late',
    on: 'ticket.created',
    then: [
      { do: 'reply', html: `<p>We are <b>late</b> &amp; sorry.</p><p>${'It is our fault. '.repeat(10)}</p>` },
      { do: 'note', text: 'Short enough' },
      { do: 'note', text: `${'Told by hand. '.repeat(9)}` },
    ],
  }
  await acme.perform((tx, caller) => createRule(tx, caller, rule))
  const { text } = await browser.get(RULES)
  expect(text).toContain('(We are late &amp; sorry. It is our fault. It is our fault. It is…)')
  expect(text).toContain('(Short enough)')
  expect(text).toContain('(Told by hand. Told by hand. Told by hand. Told by hand. Told…)')
})

test('each rule to begin with opens in the form, with what is to be chosen left open', async () => {
  const list = (await browser.get(RULES)).text
  for (const name of readyMadeNames) {
    expect(list).toContain(`${RULES}/new?from=${name}`)
    const { status, text } = await browser.get(`${RULES}/new?from=${name}`)
    expect([name, status]).toEqual([name, 200])
    expect(text).toContain('name="then.0.do"')
  }
})

test('one of them, chosen and switched on, works for a customer’s mail', async () => {
  const team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Billing', memberIds: [] }))
  const mailbox = await createMailbox(app, acme)
  const page = (await browser.get(`${RULES}/new?from=by_inbox`)).text
  expect(page).toContain(`<option value="${team.id}">Billing</option>`)
  const chosen = form({
    'all.0.field': 'inbox',
    'all.0.operator': 'is',
    'all.0.value': mailbox.id,
    'then.0.do': 'assign',
    'then.0.team': team.id,
    'then.0.user': '',
  })
  await browser.post(`${RULES}/new`, chosen)
  await browser.post(`${RULES}/${(await rules())[0]?.id}/on`)
  await mailbox.deliver()
  await app.runDue()
  const [ticket] = (await acme.get('/v1/tickets')).body.items
  expect([ticket.team?.name, ticket.assignee]).toEqual(['Billing', null])
})
