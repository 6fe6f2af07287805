import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { auditEntries, happeningQueue, messages, users } from '../../src/db/schema.ts'
import { createRule, switchRule } from '../../src/rules/operations.ts'
import { deleteTag } from '../../src/tags/operations.ts'
import { findTag } from '../../src/tags/read.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { assignTicket, deleteTeam } from '../../src/tickets/assignment.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { createTestContact, createTestGroup } from '../support/api/contacts.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { startMailServer } from '../support/mail/server.ts'
import { createPerson } from '../support/pages/console.ts'
import { rulesOf } from '../support/tickets/rules.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const mailServer = await startMailServer()
const app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
let acme: TestTenant
let rules: ReturnType<typeof rulesOf>
beforeEach(async () => {
  acme = await app.createTenant()
  rules = rulesOf(app, acme)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const ticketOf = async (id: string) => (await acme.get(`/v1/tickets/${id}`)).body
const queued = () => app.database.db.select().from(happeningQueue).where(eq(happeningQueue.tenantId, acme.tenantId))
const notesOf = async (ticketId: string) =>
  (await app.database.db.select().from(messages).where(eq(messages.ticketId, ticketId)).orderBy(asc(messages.id)))
    .filter(({ state }) => state === 'note')
    .map(({ text }) => text)

describe('a rule', () => {
  test('does what it says, as a person would, and says so in the audit log', async () => {
    const team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Billing', memberIds: [] }))
    const rule = await rules.create({
      name: 'Invoices',
      when: { all: [{ field: 'subject', contains: 'invoice' }] },
      then: [
        { do: 'assign', user: acme.userId, team: team.id },
        { do: 'set_priority', priority: 'high' },
        { do: 'add_tags', tags: ['Billing'] },
        { do: 'note', text: 'Look at {ticket.number}, {{contact.name}} and {nothing.known}.' },
        { do: 'set_status', status: 'pending' },
      ],
    })
    const before = await acme.events()
    const ticket = await createTicket(acme, { subject: 'My INVOICE', name: 'Ada Lovelace' })
    const other = await createTicket(acme)
    await app.runDue()
    expect(await ticketOf(ticket.id)).toMatchObject({
      assignee: { id: acme.userId },
      team: { name: 'Billing' },
      priority: 'high',
      tags: ['Billing'],
      status: 'pending',
    })
    expect(await notesOf(ticket.id)).toEqual([`Look at ${ticket.ticketReference}, Ada Lovelace and .`])
    expect(await ticketOf(other.id)).toMatchObject({ assignee: null, tags: [], status: 'open' })
    const told = (await acme.events()).slice(before.length).map(({ event }) => event)
    expect(told.filter((event) => event === 'ticket.status_changed')).toHaveLength(1)
    const { authorName, via, recordId, tenantId } = auditEntries
    const entries = await app.database.db
      .select({ authorName, via, recordId })
      .from(auditEntries)
      .where(eq(tenantId, acme.tenantId))
      .orderBy(auditEntries.number)
    const own = entries.filter((entry) => entry.authorName === 'rule Invoices')
    expect(own).toHaveLength(5)
    expect(own.every((entry) => entry.via === 'job' && entry.recordId === ticket.id)).toBe(true)
    expect(await queued()).toEqual([])
    const [miss, hit] = await rules.runs(rule.id)
    expect(hit).toEqual({
      at: expect.any(String),
      event: 'ticket.created',
      record: ticket.id,
      matched: true,
      failedCondition: null,
      actions: ['assign', 'set_priority', 'add_tags', 'note', 'set_status'].map(
        (name) => ({ do: name, ok: true, error: null }) as never,
      ),
    })
    expect(miss).toMatchObject({ record: other.id, matched: false, failedCondition: 'when.all[0]', actions: [] })
  })

  test('that is off, of another tenant, or for something else is not asked, and nothing is written for it', async () => {
    const other = await app.createTenant()
    await rulesOf(app, other).create({ then: [{ do: 'add_tags', tags: ['x'] }] })
    const off = await rules.create({ enabled: false, then: [{ do: 'add_tags', tags: ['x'] }] })
    await rules.create({ on: 'ticket.assigned', then: [{ do: 'add_tags', tags: ['x'] }] })
    const ticket = await createTicket(acme)
    expect(await queued()).toEqual([])
    await app.runDue()
    expect((await ticketOf(ticket.id)).tags).toEqual([])
    expect(await rules.runs(off.id)).toEqual([])
  })

  test('comes in its order, and after one that stops no other does', async () => {
    await rules.create({ name: 'one', then: [{ do: 'note', text: 'one' }] })
    await rules.create({ name: 'two', then: [{ do: 'note', text: 'two' }, { do: 'stop' }] })
    await rules.create({ name: 'three', then: [{ do: 'note', text: 'three' }] })
    const ticket = await createTicket(acme)
    await app.runDue()
    expect(await notesOf(ticket.id)).toEqual(['one', 'two'])
  })
})

describe('what sets off a rule', () => {
  const noting = (on: string, more: object = {}) =>
    rules.create({ on, name: on, then: [{ do: 'note', text: on }], ...more })

  test('is each thing that happens to a ticket, once', async () => {
    for (const on of [
      'ticket.created',
      'message.received',
      'ticket.status_changed',
      'ticket.assigned',
      'ticket.tagged',
    ]) {
      await noting(on)
    }
    const ticket = await createTicket(acme)
    await app.runDue()
    expect(await notesOf(ticket.id)).toEqual(['ticket.created'])
    await acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'And?' }))
    await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: 'closed' }))
    await acme.perform((tx, caller) => assignTicket(tx, caller, ticket.id, { userId: acme.userId }))
    await acme.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['a'] })
    await app.runDue()
    await app.runDue()
    expect(await notesOf(ticket.id)).toEqual([
      'ticket.created',
      'message.received',
      'ticket.status_changed',
      'ticket.assigned',
      'ticket.tagged',
    ])
  })

  test('is an answer that was sent', async () => {
    await noting('message.sent')
    const ticket = await createTicket(acme)
    expect((await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: '<p>Hi</p>' })).status).toBeLessThan(300)
    await app.runDue()
    expect(await notesOf(ticket.id)).toEqual(['message.sent'])
  })

  test('is a contact that is new, and no change of one', async () => {
    const group = await createTestGroup(acme)
    await rules.create({
      on: 'contact.created',
      when: { all: [{ field: 'contact.email', contains: '@vip.test' }] },
      then: [{ do: 'add_to_group', group: group.id }],
    })
    const vip = await createTestContact(acme, { email: 'ada@vip.test' })
    const other = await createTestContact(acme, { email: 'ada@other.test' })
    await app.runDue()
    await acme.put(`/v1/contacts/${other.id}`, { email: 'new@vip.test' })
    await app.runDue()
    const groupsOf = async (id: string) =>
      (await acme.get(`/v1/contacts/${id}`)).body.groups.map(({ name }: { name: string }) => name)
    expect([await groupsOf(vip.id), await groupsOf(other.id)]).toEqual([[group.name], []])
  })

  describe('is waiting', () => {
    const HOUR = 60 * 60 * 1000
    const waiting = () => noting('ticket.waiting', { after: '4h' })

    test('for so long, once a wait', async () => {
      await waiting()
      const ticket = await createTicket(acme)
      await app.runDue()
      app.clock.advance(4 * HOUR - 1)
      await app.runDue()
      expect(await notesOf(ticket.id)).toEqual([])
      app.clock.advance(1)
      await app.runDue()
      app.clock.advance(24 * HOUR)
      await acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'Hello?' }))
      await app.runDue()
      app.clock.advance(24 * HOUR)
      await app.runDue()
      expect(await notesOf(ticket.id)).toEqual(['ticket.waiting'])
    })

    test('but for nobody who was answered or whose ticket was closed, until they write again', async () => {
      await waiting()
      const [answered, closed] = [await createTicket(acme), await createTicket(acme)]
      await app.runDue()
      await acme.post(`/v1/tickets/${answered.id}/replies`, { html: '<p>Hi</p>' })
      await acme.perform((tx, caller) => setStatus(tx, caller, closed.id, { status: 'closed' }))
      app.clock.advance(5 * HOUR)
      await app.runDue()
      expect([await notesOf(answered.id), await notesOf(closed.id)]).toEqual([[], []])
      await acme.perform((tx, caller) => receiveMessage(tx, caller, answered.id, { text: 'Hello?' }))
      await app.runDue()
      app.clock.advance(4 * HOUR)
      await app.runDue()
      expect([await notesOf(answered.id), await notesOf(closed.id)]).toEqual([['ticket.waiting'], []])
    })

    test('where a rule is made or switched on: who waits goes on waiting, who has waited too long is left alone', async () => {
      const long = await createTicket(acme)
      app.clock.advance(5 * HOUR)
      const recent = await createTicket(acme)
      const rule = await waiting()
      await app.runDue()
      await acme.perform((tx, caller) => switchRule(tx, caller, rule.id, false))
      await acme.perform((tx, caller) => switchRule(tx, caller, rule.id, true))
      await app.runDue()
      app.clock.advance(4 * HOUR)
      await app.runDue()
      expect([await notesOf(long.id), await notesOf(recent.id)]).toEqual([[], ['ticket.waiting']])
    })
  })
})

describe('rules that set off one another', () => {
  test('do so three deep', async () => {
    const step = (from: string, to: string) =>
      rules.create({
        on: 'ticket.tagged',
        name: to,
        when: {
          all: [
            { field: 'tag', is: from },
            { field: 'tag', is_not: to },
          ],
        },
        then: [{ do: 'add_tags', tags: [to] }],
      })
    await acme.put(`/v1/tickets/${(await createTicket(acme)).id}/tags`, { tags: ['t0', 't1', 't2', 't3', 't4', 't5'] })
    for (let index = 0; index < 5; index++) await step(`t${index}`, `t${index + 1}`)
    const ticket = await createTicket(acme)
    await acme.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['t0'] })
    await app.runDue()
    expect((await ticketOf(ticket.id)).tags).toEqual(['t0', 't1', 't2', 't3'])
  })

  test('and never themselves for one ticket within a minute', async () => {
    const rule = await rules.create({
      on: 'ticket.status_changed',
      then: [
        { do: 'set_status', status: 'pending' },
        { do: 'set_status', status: 'open' },
      ],
    })
    const ticket = await createTicket(acme)
    await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: 'closed' }))
    await app.runDue()
    const runs = await rules.runs(rule.id)
    expect(runs.map(({ matched, failedCondition }) => [matched, failedCondition])).toEqual([
      [false, 'repeated'],
      [false, 'repeated'],
      [true, null],
    ])
    // Of what a person does it sees each.
    await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: 'closed' }))
    await app.runDue()
    expect((await rules.runs(rule.id)).filter(({ matched }) => matched)).toHaveLength(2)
  })
})

describe('a rule that cannot do all of it', () => {
  test('does the rest, is shown as failing, and no longer once it could', async () => {
    const inbox = await createEmailInbox(acme)
    const team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Gone', memberIds: [] }))
    const rule = await rules.create({
      then: [
        { do: 'assign', team: team.id },
        { do: 'add_tags', tags: ['seen'] },
      ],
    })
    await acme.perform((tx, caller) => deleteTeam(tx, caller, team.id))
    expect(await rules.show(rule.id)).toMatchObject({ failing: true, error: 'then[0].team: there is no such team' })
    const ticket = await createTicket(acme, { inboxId: inbox.id })
    await app.runDue()
    expect((await ticketOf(ticket.id)).tags).toEqual(['seen'])
    expect((await rules.runs(rule.id))[0]?.actions).toEqual([
      { do: 'assign', ok: false, error: 'assign.team: there is no such team' },
      { do: 'add_tags', ok: true, error: null },
    ])
    await rules.update(rule.id, { then: [{ do: 'add_tags', tags: ['seen'] }] })
    expect(await rules.show(rule.id)).toMatchObject({ failing: false, error: null, enabled: true })
  })

  test('is switched off after fifty times in a row, and its maker is told in their language', async () => {
    const maker = await createPerson(acme)
    await app.database.transaction((tx) => tx.update(users).set({ language: 'de' }).where(eq(users.id, maker.userId)))
    const ticket = await createTicket(acme)
    await acme.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['gone'] })
    const broken = {
      on: 'ticket.status_changed',
      when: { all: [{ field: 'tag', is_not: 'gone' }] },
      then: [{ do: 'note', text: 'never' }],
    }
    const rule = await rules.create({ name: 'Broken', ...broken })
    await acme.perform((tx, caller) =>
      createRule(
        tx,
        { ...caller, author: { type: 'agent', id: maker.userId, name: null } },
        { name: 'Kaputt', ...broken },
      ),
    )
    await acme.perform(async (tx, caller) =>
      deleteTag(tx, caller, (await findTag(tx, acme.tenantId, 'gone'))?.id ?? ''),
    )
    for (let times = 0; times < 50; times++) {
      expect((await rules.show(rule.id)).enabled).toBe(true)
      await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: times % 2 ? 'open' : 'closed' }))
      await app.runDue()
    }
    expect(await rules.show(rule.id)).toMatchObject({ enabled: false, failing: true })
    expect(await notesOf(ticket.id)).toEqual([])
    const told = (subject: string) => mailServer.mails.filter((mail) => mail.subject === subject)
    const [inEnglish, inGerman] = [
      told('The rule “Broken” was switched off'),
      told('Die Regel „Kaputt“ wurde abgeschaltet'),
    ]
    expect(inEnglish.map(({ envelope }) => envelope.to)).toEqual([[`admin@${acme.tenantId}.test`]])
    expect(inEnglish[0]?.text).toContain('when.all[0].is_not: there is no such tag')
    expect(inGerman.map(({ envelope }) => envelope.to)).toEqual([[maker.email]])
    expect(inGerman[0]?.text).toContain(
      'Die Regel „Kaputt“ ist 50-mal nacheinander gescheitert und wurde abgeschaltet.',
    )
  })
})
