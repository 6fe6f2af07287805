import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deleteRule, orderRules, switchRule } from '../../src/rules/operations.ts'
import { listRules } from '../../src/rules/read.ts'
import { tryRule } from '../../src/rules/trying.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { createTestGroup } from '../support/api/contacts.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { refusal, refusalOf } from '../support/refusal.ts'
import { rulesOf } from '../support/tickets/rules.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
let other: TestTenant
beforeAll(async () => {
  acme = await app.createTenant()
  other = await app.createTenant('Other')
})
afterAll(() => app.close())

const tag = { do: 'add_tags', tags: ['x'] }
const refused = (rule: object) => refusalOf(rulesOf(app, acme).create({ then: [tag], ...rule }))

test.each<[object, string]>([
  [{ name: ' ' }, 'name: must be 1 to 255 characters'],
  [{ name: 7 }, 'name: must be a string'],
  [{ colour: 'red' }, 'unknown field "colour"'],
  [{ on: 'ticket.exploded' }, 'on: must be one of ticket.created, message.received'],
  [{ enabled: 'yes' }, 'enabled: must be true or false'],
  [{ after: '4h' }, 'after: unknown field'],
  [{ on: 'ticket.waiting' }, 'after: is required'],
  [{ on: 'ticket.waiting', after: '4 hours' }, 'after: must be a span such as 30m, 4h or 2d, of a year at most'],
  [{ on: 'ticket.waiting', after: '0m' }, 'after: must be a span such as'],
  [{ when: { all: [{ field: 'score', at_most: 1 }] } }, 'when.all[0].field: "score" is not known of a ticket'],
  [{ then: [] }, 'then: at least 1 item is required'],
  [{ then: tag }, 'then: must be a list'],
  [{ then: Array.from({ length: 11 }, () => tag) }, 'then: at most 10 items are allowed'],
  [{ then: [tag, { do: 'explode' }] }, 'then[1].do: must be one of assign, set_priority'],
  [{ then: [{ do: 'open_ticket', inbox: 'x', subject: 'x' }] }, 'then[0].do: cannot be done about a ticket'],
  [{ on: 'contact.created', then: [tag] }, 'then[0].do: cannot be done about a contact'],
  [{ then: [{ do: 'add_tags', tags: ['x'], colour: 'red' }] }, 'then[0]: unknown field "colour"'],
  [{ then: [{ do: 'add_tags', tags: [] }] }, 'then[0].tags: at least 1 item is required'],
  [{ then: [{ do: 'add_tags', tags: ['ok', ' '] }] }, 'then[0].tags[1]: must be 1 to 40 characters'],
  [{ then: [{ do: 'assign' }] }, 'then[0]: must hold user, team or both'],
  [{ then: [{ do: 'set_priority', priority: 'top' }] }, 'then[0].priority: must be one of low, normal, high, urgent'],
  [{ then: [{ do: 'set_status' }] }, 'then[0].status: must be one of open, pending, closed, spam'],
  [{ then: [{ do: 'snooze', for: 'ever' }] }, 'then[0].for: must be a span'],
  [{ then: [{ do: 'note', text: ' ' }] }, 'then[0].text: must not be blank'],
  [{ then: [{ do: 'reply' }] }, 'then[0]: must hold either html or canned'],
  [{ then: [{ do: 'reply', html: 'x', canned: 'y' }] }, 'then[0]: must hold either html or canned'],
  [{ then: [{ do: 'reply', canned: 'y' }] }, 'then[0].canned: there is no such canned reply'],
  [
    { then: [{ do: 'mail', to: ['customer@elsewhere.test'], subject: 'x', text: 'x' }] },
    'then[0].to[0]: "customer@elsewhere.test" is nobody who works here',
  ],
  [{ then: [{ do: 'mail', to: [], subject: 'x', text: 'x' }] }, 'then[0].to: at least 1 item is required'],
  [{ then: [{ do: 'add_to_group', group: 'News' }] }, 'then[0].group: must be an integer'],
  [{ then: [{ do: 'add_to_group', group: 999 }] }, 'then[0].group: there is no group 999'],
])('%o is refused with its place, and nothing is made', async (rule, message) => {
  expect(await refused(rule)).toStartWith(message)
  expect(await listRules(app.database.db, acme.tenantId)).toEqual([])
})

describe('another tenant’s records', () => {
  test('are named by no rule', async () => {
    const inbox = await createEmailInbox(other)
    const chat = await createChatInbox(acme)
    const team = await other.perform((tx, caller) => createTeam(tx, caller, { name: 'Theirs', memberIds: [] }))
    const group = await createTestGroup(other)
    const opening = (inboxId: string) => ({
      on: 'response.completed',
      then: [{ do: 'open_ticket', inbox: inboxId, subject: 'x' }],
    })
    const theirs: [object, string][] = [
      [{ then: [{ do: 'assign', user: other.userId }] }, 'then[0].user: there is no such user'],
      [{ then: [{ do: 'assign', team: team.id }] }, 'then[0].team: there is no such team'],
      [{ then: [{ do: 'remove_from_group', group: group.id }] }, `then[0].group: there is no group ${group.id}`],
      [{ then: [{ do: 'mail', to: [`admin@${other.tenantId}.test`], subject: 'x', text: 'x' }] }, 'then[0].to[0]: '],
      [opening(inbox.id), 'then[0].inbox: there is no such inbox'],
      [opening(chat.id), 'then[0].inbox: must be an email inbox'],
      [{ when: { all: [{ field: 'inbox', is: inbox.id }] } }, 'when.all[0].is: there is no such inbox'],
    ]
    for (const [rule, message] of theirs) expect(await refused(rule)).toStartWith(message)
  })

  test('are changed, shown and ordered by nobody', async () => {
    const rule = await rulesOf(app, other).create({ then: [tag] })
    const work: ((tenant: TestTenant) => Promise<unknown>)[] = [
      (tenant) => rulesOf(app, tenant).update(rule.id, { name: 'Mine' }),
      (tenant) => rulesOf(app, tenant).show(rule.id),
      (tenant) => rulesOf(app, tenant).runs(rule.id),
      (tenant) => tenant.perform((tx, caller) => switchRule(tx, caller, rule.id, false)),
      (tenant) => tenant.perform((tx, caller) => deleteRule(tx, caller, rule.id)),
    ]
    for (const attempt of work) expect(await refusal(attempt(acme))).toEqual(['not_found', 'rule not found'])
    expect(await refusalOf(acme.perform((tx, caller) => orderRules(tx, caller, [rule.id])))).toBe(
      'must name every rule once',
    )
    expect(await rulesOf(app, other).show(rule.id)).toMatchObject({ enabled: true, name: 'A rule' })
  })
})

test('rules are ordered, changed in parts and deleted', async () => {
  const rules = rulesOf(app, acme)
  const [one, two] = [
    await rules.create({ name: 'one', then: [tag] }),
    await rules.create({ name: 'two', then: [tag] }),
  ]
  await acme.perform((tx, caller) => orderRules(tx, caller, [two.id, one.id]))
  const names = async () => (await listRules(app.database.db, acme.tenantId)).map(({ name }) => name)
  expect(await names()).toEqual(['two', 'one'])
  const changed = await rules.update(one.id, { on: 'ticket.waiting', after: '90m' })
  expect(changed).toMatchObject({ name: 'one', on: 'ticket.waiting', after: '90m', then: [tag], enabled: true })
  expect(await rules.update(one.id, { on: 'ticket.created' })).not.toHaveProperty('after')
  await acme.perform((tx, caller) => deleteRule(tx, caller, two.id))
  expect(await names()).toEqual(['one'])
})

test('a trial says what would have been done, and does nothing', async () => {
  const tried = await app.createTenant()
  const [first, second] = [await createTicket(tried, { subject: 'Refund' }), await createTicket(tried)]
  const before = await tried.events()
  const rule = {
    name: 'Refunds',
    on: 'ticket.created',
    when: { any: [{ field: 'subject', contains: 'refund' }] },
    then: [{ do: 'add_tags', tags: ['refund'] }],
  }
  expect(await tryRule(app.database.db, tried.tenantId, rule, app.clock.now())).toEqual({
    looked: 2,
    matched: 1,
    items: [
      { record: second.id, matched: false, failedCondition: 'when.any[0]', would: [] },
      { record: first.id, matched: true, failedCondition: null, would: [{ do: 'add_tags', tags: ['refund'] }] },
    ],
  })
  await app.runDue()
  expect(await tried.events()).toEqual(before)
  expect((await tried.get('/v1/tags')).body.items).toEqual([])
})
