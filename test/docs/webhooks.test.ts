import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OpenApiDocument, Schema, Webhook } from '../../src/docs/types.ts'
import { eventNames } from '../../src/kinds/events.ts'
import { documentOf, schemaFaults } from '../support/api/conformance.ts'
import { createTestContact, createTestGroup } from '../support/api/contacts.ts'
import type { TestApp } from '../support/app.ts'
import { answersByType, complete, createPublished } from '../support/forms/collecting.ts'
import { createTicket } from '../support/tickets/tickets.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { envelopeOf, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

let app: TestApp
let document: OpenApiDocument
let webhook: Webhook

beforeAll(async () => {
  app = await startDelivering()
  document = await documentOf(app)
  webhook = document.webhooks.events?.post as Webhook
})
afterAll(() => app.close())

const media = () => webhook.requestBody?.content['application/json']
const schema = () => media()?.schema as Schema

describe('the webhooks of the document', () => {
  test('describe what a receiver gets: every kind of event, each header, no field more or less', async () => {
    const tenant = await app.createTenant()
    const receiver = await receiving()
    await subscribe(tenant, receiver, { events: [...eventNames], secret: `whsec_${btoa('a long random text')}` })
    const group = await createTestGroup(tenant)
    const contact = await createTestContact(tenant, { groupIds: [group.id] })
    await tenant.post(`/v1/contacts/${contact.id}/unsubscribe`)
    const form = await createPublished(tenant, [{ type: 'nps' }, { type: 'choose_one', options: ['A', 'B'] }])
    await complete(tenant, form, [answersByType.nps.sent, { selected: 'A' }])
    const ticket = await createTicket(tenant)
    await tenant.post(`/v1/tickets/${ticket.id}/replies`, { html: '<p>On its way.</p>' })
    const later = new Date(app.clock.now() + 3_600_000).toISOString()
    await tenant.put(`/v1/tickets/${ticket.id}/status`, { status: 'pending', snoozedUntil: later })
    await tenant.put(`/v1/tickets/${ticket.id}/status`, { status: 'closed' })
    await tenant.put(`/v1/tickets/${ticket.id}/assignee`, { userId: tenant.userId })
    await tenant.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['billing'] })
    await tenant.delete(`/v1/contacts/${contact.id}`)
    await passWindow(app)

    const [delivery] = receiver.requests
    const batch = envelopeOf(delivery)
    const sent = new Set(batch.events.map(({ event }: { event: string }) => event))
    // These are tried where people pay, rate and leave off.
    const elsewhere = ['response.partial', 'payment.paid', 'ticket.rated']
    expect([...sent].sort()).toEqual(eventNames.filter((name) => !elsewhere.includes(name)).sort())
    expect(schemaFaults(document, schema(), batch)).toEqual([])
    const previous = batch.events.map(({ payload }: { payload: { previousStatus?: string } }) => payload.previousStatus)
    expect(previous).toContain('snoozed')
    for (const { name } of webhook.parameters as { name: string }[]) {
      expect([name, delivery?.headers[name.toLowerCase()]]).toEqual([name, expect.any(String)])
    }
  })

  test('refuse what is none of ours', () => {
    const [example] = Object.values(media()?.examples ?? {})
    const batch = example?.value as { events: { payload: object; event: string }[] }
    const [event] = batch.events
    expect(schemaFaults(document, schema(), { ...batch, events: [] })).not.toEqual([])
    expect(schemaFaults(document, schema(), { ...batch, events: [{ ...event, event: 'ticket.created' }] })).not.toEqual(
      [],
    )
    expect(schemaFaults(document, schema(), { ...batch, events: [{ ...event, payload: {} }] })).not.toEqual([])
  })

  test('have an example of each kind of event', () => {
    const examples = media()?.examples ?? {}
    expect(Object.keys(examples)).toEqual([...eventNames])
    for (const { value } of Object.values(examples)) expect(schemaFaults(document, schema(), value)).toEqual([])
  })

  test('explain the signature', () => {
    expect(webhook.description).toContain('HMAC-SHA256')
    expect(webhook.security).toEqual([])
    expect(webhook.parameters).toContainEqual(expect.objectContaining({ name: 'X-Signature', in: 'header' }))
  })
})
