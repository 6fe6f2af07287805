import { afterAll, beforeAll, expect, test } from 'bun:test'
import { publishForm } from '../../src/forms/publishing.ts'
import { eventTypes } from '../../src/kinds/events.ts'
import { linkResponse, rateTicket } from '../../src/satisfaction/rating.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { settled } from '../support/api/event-log.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished, createUnpublished } from '../support/forms/collecting.ts'
import { createTicket } from '../support/tickets/tickets.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { envelopeOf, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** What the log holds of a kind. */
async function logged(event: keyof typeof eventTypes) {
  await settled(app, acme)
  const { items } = (await acme.get(`/v1/events?limit=100&types=${event}`)).body
  for (const item of items) expect(item.eventType).toBe(eventTypes[event])
  return items.map(({ payload }: { payload: object }) => payload)
}

test('a ticket that is given to somebody tells who had it before, and the same again tells nothing', async () => {
  const { id } = await createTicket(acme)
  const assign = (userId: string | null) => acme.put(`/v1/tickets/${id}/assignee`, { userId })
  const { body } = await assign(acme.userId)
  await assign(acme.userId)
  const taken = await assign(null)
  expect(await logged('ticket.assigned')).toEqual([
    { ticket: body, previousAssignee: null },
    { ticket: taken.body, previousAssignee: body.assignee },
  ])
})

test('tags tell what was added and what was removed', async () => {
  const { id } = await createTicket(acme)
  await acme.put(`/v1/tickets/${id}/tags`, { tags: ['billing', 'vip'] })
  const { body } = await acme.put(`/v1/tickets/${id}/tags`, { tags: ['vip', 'late'] })
  const [, second] = await logged('ticket.tagged')
  expect(second).toEqual({ ticket: body, added: ['late'], removed: ['billing'] })
})

test('a contact that is deleted is told as it was', async () => {
  const { id } = await createTestContact(acme, { name: 'Ada' })
  const { body } = await acme.get(`/v1/contacts/${id}`)
  await acme.delete(`/v1/contacts/${id}`)
  expect(await logged('contact.deleted')).toEqual([{ contact: body }])
})

test('a form that is published is told as the list shows it', async () => {
  const form = await createUnpublished(acme, [{ type: 'nps', text: 'How likely?' }])
  const published = await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
  expect(await logged('form.published')).toEqual([{ form: published }])
  expect(published.status).toBe('active')
})

test('a ticket that is rated tells how content its customer is, once', async () => {
  const { id, contactId } = await createTicket(acme)
  const form = await createPublished(acme, [{ type: 'nps', text: 'How likely?' }])
  const { response } = await complete(acme, form, [9])
  const asked = { questions: [{ id: 1, type: 'nps' }], answers: new Map([[1, 9]]) } as never
  const rate = () =>
    acme.perform(async (tx, caller) => {
      await linkResponse(tx, caller, response.id, { ticketId: id, contactId })
      await rateTicket(tx, caller, response.id, { ticketId: id, contactId }, asked)
    })
  await rate()
  await rate()
  expect(await logged('ticket.rated')).toMatchObject([{ ticket: { id }, satisfaction: 90 }])
})

test('a subscription is told of what it names alone', async () => {
  const delivering = await startDelivering()
  const tenant = await delivering.createTenant()
  const [six, further] = [await startReceiver(), await startReceiver()]
  await subscribe(tenant, six, { events: ['contact.created_or_updated', 'contact.unsubscribed'] })
  await subscribe(tenant, further, { events: ['contact.deleted'] })
  const { id } = await createTestContact(tenant)
  await tenant.delete(`/v1/contacts/${id}`)
  await passWindow(delivering)
  const kinds = async (receiver: typeof six) =>
    envelopeOf((await receiver.waitFor(1))[0]).events.map(({ event }: { event: string }) => event)
  expect(await kinds(six)).toEqual(['contact.created_or_updated'])
  expect(await kinds(further)).toEqual(['contact.deleted'])
  for (const receiver of [six, further]) await receiver.close()
  await delivering.close()
})
