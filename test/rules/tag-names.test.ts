import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries } from '../../src/db/schema.ts'
import { createPromise } from '../../src/promises/operations.ts'
import { parsePromise } from '../../src/promises/parse.ts'
import { listPromises } from '../../src/promises/read.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { type ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { rulesOf } from '../support/tickets/rules.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const TAGS = '/console/settings/tags'

const app = await startApp()
let acme: TestTenant
let rules: ReturnType<typeof rulesOf>
let admin: ConsoleBrowser
beforeEach(async () => {
  acme = await app.createTenant()
  rules = rulesOf(app, acme)
  admin = await signedIn(app, acme)
  const { id } = await createTicket(acme)
  await acme.put(`/v1/tickets/${id}/tags`, { tags: ['billing', 'money', 'vip'] })
})
afterAll(() => app.close())

const pathOf = async (name: string) => {
  const tags: { id: string; name: string }[] = (await acme.get('/v1/tags')).body.items
  return `${TAGS}/${tags.find((tag) => tag.name === name)?.id}`
}
const rename = async (from: string, to: string) =>
  expect((await admin.post(await pathOf(from), { name: to, colour: '' })).status).toBe(303)
const merge = async (from: string, into: string) => {
  const { length } = TAGS
  const sent = await admin.post(`${await pathOf(from)}/merge`, { into: (await pathOf(into)).slice(length + 1) })
  expect(sent.status).toBe(303)
}
const tagsOf = async (id: string) => (await acme.get(`/v1/tickets/${id}`)).body.tags
const changesOf = async (recordId: string) =>
  (
    await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, recordId))
      .orderBy(auditEntries.number)
  )
    .filter(({ action }) => action === 'rule.updated')
    .map(({ via, fields }) => [via, fields])

const asking = {
  on: 'ticket.tagged',
  when: {
    any: [
      { field: 'tag', is: 'BILLING' },
      {
        all: [
          { field: 'tag', one_of: ['vip', 'billing', 'money'] },
          { field: 'subject', is: 'billing' },
        ],
      },
    ],
  },
  then: [
    { do: 'add_tags', tags: ['seen', 'Billing'] },
    { do: 'remove_tags', tags: ['vip'] },
    { do: 'note', text: 'billing' },
  ],
}

test('rules go on with a tag that is renamed: what they ask for and what they give', async () => {
  const rule = await rules.create(asking)
  const other = await rules.create({
    when: { all: [{ field: 'tag', contains: 'billing' }] },
    then: asking.then.slice(2),
  })
  app.clock.advance(60_000)
  await rename('billing', 'Invoices')
  const renamed = {
    when: {
      any: [
        { field: 'tag', is: 'Invoices' },
        {
          all: [
            { field: 'tag', one_of: ['vip', 'Invoices', 'money'] },
            { field: 'subject', is: 'billing' },
          ],
        },
      ],
    },
    then: [{ do: 'add_tags', tags: ['seen', 'Invoices'] }, ...asking.then.slice(1)],
    failing: false,
    updatedAt: new Date(app.clock.now()).toISOString(),
  }
  expect(await rules.show(rule.id)).toMatchObject(renamed)
  // What it looks for inside of names is no name.
  expect(await rules.show(other.id)).toEqual(other)
  expect(await changesOf(rule.id)).toEqual([['console', 'conditions,actions']])
  expect(await changesOf(other.id)).toEqual([])
  expect((await admin.get('/console/settings/rules')).text).toContain('add tags (seen, Invoices)')

  const { id } = await createTicket(acme)
  await acme.put(`/v1/tickets/${id}/tags`, { tags: ['invoices', 'vip'] })
  await app.runDue()
  expect(await tagsOf(id)).toEqual(['Invoices', 'seen'])
  expect((await rules.show(rule.id)).failing).toBe(false)
})

test('rules go on with the tag that stays when two are merged, and name it once', async () => {
  const rule = await rules.create(asking)
  await merge('billing', 'money')
  expect(await rules.show(rule.id)).toMatchObject({
    when: {
      any: [
        { field: 'tag', is: 'money' },
        {
          all: [
            { field: 'tag', one_of: ['vip', 'money'] },
            { field: 'subject', is: 'billing' },
          ],
        },
      ],
    },
    then: [{ do: 'add_tags', tags: ['seen', 'money'] }, ...asking.then.slice(1)],
    failing: false,
  })
  const { id } = await createTicket(acme)
  await acme.put(`/v1/tickets/${id}/tags`, { tags: ['money'] })
  await app.runDue()
  expect(await tagsOf(id)).toEqual(['money', 'seen'])
})

test('tickets that rules open have the tag by its new name, and promises ask for it', async () => {
  const inbox = await createEmailInbox(acme)
  const opening = { do: 'open_ticket', inbox: inbox.id, subject: 'x', tags: ['vip'] }
  const rule = await rules.create({ on: 'contact.created', then: [opening, { ...opening, tags: undefined }] })
  const input = { name: 'VIP', when: { all: [{ field: 'tag', is: 'vip' }] }, targets: { normal: { close: '1h' } } }
  await acme.perform((tx, caller) => createPromise(tx, caller, parsePromise(input)))
  await rename('vip', 'Key account')
  expect((await rules.show(rule.id)).then).toMatchObject([{ tags: ['Key account'] }, { do: 'open_ticket' }])
  expect(await listPromises(app.database.db, acme.tenantId)).toMatchObject([
    { when: { all: [{ field: 'tag', is: 'Key account' }] } },
  ])
  const promised = await acme.post('/v1/tickets', {
    ...{ inboxId: inbox.id, email: 'ada@acme.test', subject: 'Hello', text: 'Hello', tags: ['key account'] },
  })
  expect(promised.body.dueAt).not.toBeNull()
})

test('a tag that is deleted has rules that ask for it fail, and other tenants’ rules stay as they are', async () => {
  const other = await app.createTenant()
  const theirs = await createTicket(other)
  await other.put(`/v1/tickets/${theirs.id}/tags`, { tags: ['billing', 'vip', 'money'] })
  const untouched = await rulesOf(app, other).create(asking)
  const rule = await rules.create(asking)
  await rename('billing', 'Invoices')
  expect(await rulesOf(app, other).show(untouched.id)).toEqual(untouched)
  expect((await admin.post(`${await pathOf('Invoices')}/delete`)).status).toBe(303)
  expect(await rules.show(rule.id)).toMatchObject({ failing: true, error: 'when.any[0].is: there is no such tag' })
})
