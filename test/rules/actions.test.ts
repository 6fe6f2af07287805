import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { messages } from '../../src/db/schema.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { addCannedReply } from '../../src/tickets/writing/canned-replies.ts'
import { createTestContact, createTestGroup } from '../support/api/contacts.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { createMailbox } from '../support/mail/mails.ts'
import { startMailServer } from '../support/mail/server.ts'
import { rulesOf } from '../support/tickets/rules.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const DAY = 24 * 60 * 60 * 1000

const mailServer = await startMailServer()
const app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
let acme: TestTenant
let rules: ReturnType<typeof rulesOf>
beforeEach(async () => {
  acme = await app.createTenant()
  rules = rulesOf(app, acme)
  mailServer.mails.length = 0
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const newestTicket = async () => (await acme.get('/v1/tickets')).body.items[0]
const messagesOf = (ticketId: string) =>
  app.database.db.select().from(messages).where(eq(messages.ticketId, ticketId)).orderBy(asc(messages.id))

describe('a reply', () => {
  const answering = (more: object = {}) =>
    rules.create({
      name: 'Received',
      on: 'message.received',
      then: [{ do: 'reply', html: '<p>Hello {contact.first_name}, about <b>{{ticket.subject}}</b>: soon.</p>' }],
      ...more,
    })

  test('goes to the customer once in 24 hours, marked as automatic, with what was written escaped', async () => {
    await answering({ on: 'ticket.created' })
    const again = await answering()
    const mailbox = await createMailbox(app, acme)
    await mailbox.deliver({ from: 'Ada <ada@customer.test>', subject: 'A <i>bug</i>' })
    await app.runDue()
    expect(mailServer.mails).toHaveLength(1)
    const [mail] = mailServer.mails
    expect(mail?.envelope.to).toEqual(['ada@customer.test'])
    expect(mail?.raw).toContain('Auto-Submitted: auto-replied')
    expect(mail?.html).toContain('Hello Ada, about <b>A &lt;i&gt;bug&lt;/i&gt;</b>: soon.')
    const ticket = await newestTicket()
    const write = () => acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'And?' }))
    for (let times = 0; times < 3; times++) {
      await write()
      await app.runDue()
    }
    expect(mailServer.mails).toHaveLength(2)
    expect((await rules.runs(again.id)).map(({ actions }) => actions[0]?.ok)).toEqual([false, false, true])
    expect(await rules.show(again.id)).toMatchObject({ failing: false })
    app.clock.advance(DAY + 1)
    await write()
    await app.runDue()
    expect(mailServer.mails).toHaveLength(3)
  })

  test('is never given to a program, to spam, to colleagues and to machines', async () => {
    const rule = await answering({ on: 'ticket.created' })
    const mailbox = await createMailbox(app, acme)
    await mailbox.deliver({ headers: { 'Auto-Submitted': 'auto-replied' } })
    await mailbox.deliver({ from: `admin@${acme.tenantId}.test` })
    await mailbox.deliver({ from: 'no-reply@shop.test' })
    await mailbox.deliver({ from: 'spammer@spam.test' })
    const spam = await newestTicket()
    await acme.perform((tx, caller) => setStatus(tx, caller, spam.id, { status: 'spam' }))
    await app.runDue()
    expect(mailServer.mails).toEqual([])
    expect((await rules.runs(rule.id)).map(({ actions: [action] }) => action?.error)).toEqual([
      'spam is not answered',
      'the address is one of our own, or of a machine',
      'the address is one of our own, or of a machine',
      'what a program sent is not answered',
    ])
    expect(await rules.show(rule.id)).toMatchObject({ failing: false, error: null })
  })

  test('is a canned reply of everybody’s, with its placeholders', async () => {
    const text = 'Dear {{contact.name}}, {ticket.number} is with {inbox.name}.'
    const canned = await acme.perform((tx, caller) => addCannedReply(tx, caller, null, { name: 'Thanks', text }))
    await answering({ on: 'ticket.created', then: [{ do: 'reply', canned }] })
    const ticket = await createTicket(acme)
    await app.runDue()
    expect(mailServer.mails[0]?.text).toContain(`Dear Ada Lovelace, ${ticket.ticketReference} is with Support.`)
  })

  test('is said in a chat', async () => {
    await answering({ on: 'ticket.created' })
    const inbox = await createChatInbox(acme)
    const ticket = await createTicket(acme, { inboxId: inbox.id })
    await app.runDue()
    const [, reply] = await messagesOf(ticket.id)
    expect(reply).toMatchObject({ state: 'public', direction: 'outbound', authorType: 'system', authorName: null })
    expect(reply?.text).toContain('Hello Ada')
  })

  test('does not set off itself by being sent', async () => {
    const rule = await answering({
      on: 'message.sent',
      then: [
        { do: 'note', text: 'sent' },
        { do: 'reply', html: 'x' },
      ],
    })
    const ticket = await createTicket(acme)
    await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' })
    await app.runDue()
    expect((await rules.runs(rule.id)).map(({ matched }) => matched)).toEqual([false, true])
  })
})

test('a mail goes to colleagues, from the system and marked as that', async () => {
  await rules.create({
    then: [
      {
        do: 'mail',
        to: [`ADMIN@${acme.tenantId}.test`],
        subject: 'Look: {ticket.subject}',
        text: 'By {contact.email}',
      },
    ],
  })
  await createTicket(acme, { subject: 'Fire\r\nBcc: x@y.test' })
  await app.runDue()
  const [mail] = mailServer.mails
  expect(mailServer.mails).toHaveLength(1)
  expect(mail?.envelope.to).toEqual([`admin@${acme.tenantId}.test`])
  expect([mail?.subject, mail?.text?.trim()]).toEqual(['Look: Fire Bcc: x@y.test', 'By ada@acme.test'])
  expect(mail?.raw).toContain('Auto-Submitted: auto-generated')
})

test('a detractor’s response becomes an urgent ticket of the right team with its answers', async () => {
  const inbox = await createEmailInbox(acme)
  const team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Success', memberIds: [] }))
  const form = await createPublished(acme, [
    { type: 'nps', text: 'How likely?', friendlyId: 'NPS' },
    { type: 'textbox', text: 'Why?', friendlyId: 'WHY' },
    questionBody('contact_details'),
  ])
  const then = {
    do: 'open_ticket',
    inbox: inbox.id,
    subject: '{contact.name} gave us {answer:NPS}',
    tags: ['nps'],
    priority: 'urgent',
    team: team.id,
  }
  const when = {
    all: [
      { field: 'form', is: form.id },
      { field: 'answer:NPS', at_most: 6 },
    ],
  }
  const rule = await rules.create({ name: 'Detractors', on: 'response.completed', when, then: [then] })
  await complete(acme, form, [9, 'Good', { email: 'happy@customer.test' }])
  await complete(acme, form, [2, undefined, undefined])
  await complete(acme, form, [3, 'Too {slow}.', { email: 'bad@customer.test', first_name: 'Bea' }])
  await app.runDue()
  const { items } = (await acme.get('/v1/tickets')).body
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    subject: 'Bea gave us 3',
    priority: 'urgent',
    tags: ['nps'],
    team: { name: 'Success' },
    teamInboxId: inbox.id,
  })
  const [message] = await messagesOf(items[0].id)
  expect(message?.text).toStartWith('How likely?\n3\n\nWhy?\nToo {slow}.')
  expect((await rules.runs(rule.id)).map(({ matched, actions: [action] }) => [matched, action?.error ?? null])).toEqual(
    [
      [true, null],
      [true, 'nobody is known who could be answered'],
      [false, null],
    ],
  )
  expect(await rules.show(rule.id)).toMatchObject({ failing: false })
  const created = (await acme.events()).filter(({ event }) => event === 'ticket.created')
  expect(created).toHaveLength(1)
})

test('tags, groups and snoozes', async () => {
  const group = await createTestGroup(acme)
  const contact = await createTestContact(acme, { email: 'ada@acme.test', groupIds: [group.id] })
  await rules.create({
    then: [
      { do: 'add_tags', tags: ['a', 'b'] },
      { do: 'remove_tags', tags: ['A', 'unknown'] },
      { do: 'remove_from_group', group: group.id },
      { do: 'snooze', for: '2d' },
    ],
  })
  const ticket = await createTicket(acme)
  await app.runDue()
  const { tags, snoozedUntil } = (await acme.get(`/v1/tickets/${ticket.id}`)).body
  expect([tags, snoozedUntil]).toEqual([['b'], new Date(app.clock.now() + 2 * DAY).toISOString()])
  expect((await acme.get(`/v1/contacts/${contact.id}`)).body.groups).toEqual([])
  app.clock.advance(2 * DAY)
  await app.runDue()
  expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.snoozedUntil).toBeNull()
})

test('a closed ticket’s customer is sent a form, once', async () => {
  const form = await createPublished(acme, [{ type: 'binary', text: 'Did we help?' }])
  const then = [{ do: 'send_form', form: form.id }]
  const when = { all: [{ field: 'status', is: 'closed' }] }
  const rule = await rules.create({ on: 'ticket.status_changed', when, then })
  const ticket = await createTicket(acme)
  for (const status of ['closed', 'open', 'closed'] as const) {
    await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status }))
    await app.runDue()
  }
  expect(mailServer.mails).toHaveLength(1)
  expect(mailServer.mails[0]?.text).toContain(`/f/${form.launchCode}?`)
  expect(mailServer.mails[0]?.raw).toContain('Auto-Submitted: auto-replied')
  expect((await rules.runs(rule.id)).flatMap(({ actions }) => actions.map(({ ok }) => ok))).toEqual([false, true])
  expect(await rules.show(rule.id)).toMatchObject({ failing: false })
})
