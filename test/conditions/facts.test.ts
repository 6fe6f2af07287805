import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { evaluate } from '../../src/conditions/evaluate.ts'
import { contactFacts, ticketFacts } from '../../src/conditions/facts.ts'
import type { Facts, Subject } from '../../src/conditions/model.ts'
import { parseConditions } from '../../src/conditions/parse.ts'
import { responseFacts } from '../../src/conditions/response-facts.ts'
import { createCustomField, setCustomValue } from '../../src/contacts/fields/custom-fields.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { assignTicket } from '../../src/tickets/assignment.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { createMailbox } from '../support/mail/mails.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const { db } = app.database
const ofTicket = (ticketId: string, messageId?: string) =>
  ticketFacts(db, acme.tenantId, { ticketId, at: app.clock.now(), ...(messageId ? { messageId } : {}) })

/** Which of the conditions do not hold. */
function unmet(facts: Facts | null, subject: Subject, conditions: object[]): object[] {
  if (facts === null) throw new Error('there are no facts')
  return conditions.filter((one) => !evaluate(parseConditions({ all: [one] }, 'when', subject), facts).holds)
}

describe('of a ticket', () => {
  test('its own, its newest message’s and its contact’s facts are known', async () => {
    const [group, organisation] = [await createTestGroup(acme), await createTestOrganisation(acme)]
    const contact = await createTestContact(acme, {
      email: 'Grace@Navy.test',
      groupIds: [group.id],
      organisationId: organisation.id,
    })
    await acme.perform(async (tx, caller) => {
      const plan = await createCustomField(tx, caller, { name: 'Plan' })
      const seats = await createCustomField(tx, caller, { name: 'Seats' })
      await setCustomValue(tx, caller, { contactId: contact.id, fieldId: plan.id, value: { stringValue: 'Pro' } })
      await setCustomValue(tx, caller, { contactId: contact.id, fieldId: seats.id, value: { numberValue: 40 } })
    })
    const mailbox = await createMailbox(app, acme)
    await mailbox.deliver({ from: 'Grace <grace@navy.test>', subject: 'A bug', text: 'It crashed.' })
    const [ticket] = (await acme.get('/v1/tickets')).body.items
    await acme.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['VIP', 'bug'] })
    await acme.perform(async (tx, caller) => {
      const team = await createTeam(tx, caller, { name: 'Engineering', memberIds: [acme.userId] })
      await assignTicket(tx, caller, ticket.id, { userId: acme.userId, teamId: team.id })
    })
    const { team } = (await acme.get(`/v1/tickets/${ticket.id}`)).body
    const facts = await ofTicket(ticket.id)
    expect(
      unmet(facts, 'ticket', [
        { field: 'inbox', is: mailbox.id },
        { field: 'channel', is: 'email' },
        { field: 'status', is: 'open' },
        { field: 'priority', is: 'normal' },
        { field: 'tag', is: 'vip' },
        { field: 'tag', is: 'bug' },
        { field: 'assignee', is: acme.userId },
        { field: 'team', is: team.id },
        { field: 'subject', is: 'a BUG' },
        { field: 'text', contains: 'crashed' },
        { field: 'from', is: 'grace@navy.test' },
        { field: 'from_domain', is: 'navy.test' },
        { field: 'to', is: mailbox.address },
        { field: 'automatic', is: false },
        { field: 'working_hours', is: true },
        { field: 'contact.email', is: 'grace@navy.test' },
        { field: 'contact.group', is: group.id },
        { field: 'contact.organisation', is: organisation.id },
        { field: 'contact.custom:plan', is: 'pro' },
        { field: 'contact.custom:SEATS', at_least: 40 },
      ]),
    ).toEqual([])
  })

  test('a message is looked at where one is named, else what the customer wrote last', async () => {
    const ticket = await createTicket(acme, { text: 'first' })
    const written = (text: string) =>
      acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text, email: 'ada@acme.test' }))
    const second = await written('second')
    app.clock.advance(1000)
    await written('third')
    expect(unmet(await ofTicket(ticket.id), 'ticket', [{ field: 'text', is: 'third' }])).toEqual([])
    expect(unmet(await ofTicket(ticket.id, second.id), 'ticket', [{ field: 'text', is: 'second' }])).toEqual([])
  })

  test('what a program sent by itself is automatic', async () => {
    const mailbox = await createMailbox(app, acme)
    await mailbox.deliver({ headers: { 'Auto-Submitted': 'auto-replied' } })
    const [ticket] = (await acme.get('/v1/tickets')).body.items
    expect(unmet(await ofTicket(ticket.id), 'ticket', [{ field: 'automatic', is: true }])).toEqual([])
  })

  test('there are none of another tenant’s, and none of a contact that nobody asks for', async () => {
    const ticket = await createTicket(acme)
    const other = await app.createTenant()
    expect(await ticketFacts(db, other.tenantId, { ticketId: ticket.id, at: app.clock.now() })).toBeNull()
    const asked = new Set(['subject'])
    const facts = await ticketFacts(db, acme.tenantId, { ticketId: ticket.id, at: app.clock.now() }, asked)
    expect([facts?.has('subject'), facts?.has('contact.email'), facts?.has('text')]).toEqual([true, false, false])
  })
})

test('of a response, its answers by label and number, its score and what came with its address are known', async () => {
  const form = await createPublished(acme, [
    { type: 'nps', text: 'How?', friendlyId: 'NPS' },
    { type: 'choose_any', text: 'What?', options: ['Price', 'Speed', 'Help'], otherText: 'Other', friendlyId: 'LIKES' },
    { type: 'dropdown', text: 'Which?', options: ['Free', 'Pro'], friendlyId: 'PLAN' },
    { type: 'binary', text: 'Again?', trueLabel: 'Sure', friendlyId: 'AGAIN' },
    { type: 'textbox', text: 'Why?', friendlyId: 'WHY' },
    questionBody('contact_details'),
  ])
  const { response } = await complete(acme, form, [
    3,
    { selected: ['Speed', 'Help'], other: 'Coffee' },
    { selected: 'Pro', other: null },
    true,
    undefined,
    { email: 'ada@acme.test' },
  ])
  const facts = await responseFacts(db, acme.tenantId, { responseId: response.id, at: app.clock.now() })
  expect(
    unmet(facts, 'response', [
      { field: 'form', is: form.id },
      { field: 'answer:NPS', at_most: 6 },
      { field: 'answer:LIKES', is: 'help' },
      { field: 'answer:LIKES', is: 'coffee' },
      { field: 'answer:LIKES', is_not: 'Price' },
      { field: 'answer:PLAN', one_of: ['Pro', 'Enterprise'] },
      { field: 'answer:AGAIN', is: 'sure' },
      { field: 'answer:WHY', empty: true },
      { field: 'score', at_most: 99 },
      { field: 'score', empty: false },
      { field: 'contact.email', is: 'ada@acme.test' },
    ]),
  ).toEqual([])
  const other = await app.createTenant()
  expect(await responseFacts(db, other.tenantId, { responseId: response.id, at: app.clock.now() })).toBeNull()
})

test('of a contact, what is kept of them is known', async () => {
  const contact = await createTestContact(acme, { email: 'ada@acme.test' })
  const ask = (contactId: string) => contactFacts(db, acme.tenantId, { contactId, at: app.clock.now() })
  const conditions = [
    { field: 'contact.email', starts_with: 'ada@' },
    { field: 'contact.group', empty: true },
  ]
  expect(unmet(await ask(contact.id), 'contact', conditions)).toEqual([])
  expect(await ask('nobody')).toBeNull()
})
