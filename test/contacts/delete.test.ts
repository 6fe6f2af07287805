import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { contacts, responses, visitors } from '../../src/db/schema.ts'
import { newId } from '../../src/lib/ids.ts'
import { formatTime } from '../../src/lib/time.ts'
import { createTestContact, createTestGroup } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

async function createResponse(contactId: string): Promise<string> {
  const { body: form } = await acme.post('/v1/forms', { title: 'Survey' })
  return acme.perform(async (tx, caller) => {
    const at = formatTime(caller.at)
    const id = newId(caller.at)
    await tx.insert(responses).values({
      tenantId: caller.tenantId,
      id,
      formId: form.id,
      status: 'complete',
      contactId,
      answers: '[]',
      scores: '{"total":0,"max":0,"percentage":null}',
      startedAt: at,
      submittedAt: at,
      updatedAt: at,
    })
    return id
  })
}

/** Somebody who chatted as the contact. */
async function createVisitor(tenant: TestTenant, contactId: string): Promise<void> {
  const source = await createTestSource(tenant)
  await tenant.perform((tx, { tenantId, at }) =>
    tx.insert(visitors).values({
      tenantId,
      id: newId(at),
      sourceId: source.id,
      contactId,
      tokenHash: crypto.randomUUID(),
      createdAt: formatTime(at),
    }),
  )
}

describe('deleting a contact', () => {
  test('answers 204 without a body, tells of itself alone, and frees its address', async () => {
    const group = await createTestGroup(acme)
    const { id } = await createTestContact(acme, { email: 'gone@acme.test', groupIds: [group.id] })
    const events = await acme.events()
    const answer = await acme.delete(`/v1/contacts/${id}`)
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null])
    const fired = (await acme.events()).slice(events.length)
    expect(fired).toMatchObject([{ event: 'contact.deleted', payload: { contact: { id } } }])
    expect((await acme.get(`/v1/contacts/${id}`)).status).toBe(404)
    expect((await acme.delete(`/v1/contacts/${id}`)).status).toBe(404)
    expect((await acme.get('/v1/contacts?email=gone@acme.test')).body.items).toEqual([])
    expect((await acme.get('/v1/groups')).body.items[0].contactCount).toBe(0)
    expect((await acme.post('/v1/contacts', { email: 'gone@acme.test' })).status).toBe(201)
  })

  test('takes it from who chatted as it, and from nobody of another tenant that has one of the same id', async () => {
    const other = await app.createTenant()
    const { id } = await createTestContact(acme)
    await other.perform(async (tx, { tenantId }) => {
      const [row] = await tx.select().from(contacts).where(eq(contacts.id, id))
      await tx.insert(contacts).values({ ...(row as typeof contacts.$inferSelect), tenantId })
    })
    for (const tenant of [acme, other]) await createVisitor(tenant, id)
    expect((await acme.delete(`/v1/contacts/${id}`)).status).toBe(204)
    const left = await app.database.db
      .select({ tenantId: visitors.tenantId, contactId: visitors.contactId })
      .from(visitors)
    expect(new Map(left.map(({ tenantId, contactId }) => [tenantId, contactId]))).toEqual(
      new Map([
        [acme.tenantId, null],
        [other.tenantId, id],
      ]),
    )
  })

  test('leaves its tickets and responses, unlinked and noticeable to those who poll', async () => {
    const { ticketId, contactId } = await ticketOfContact('linked@acme.test')
    const responseId = await createResponse(contactId)
    const events = await acme.events()
    app.clock.advance(1000)
    const now = new Date(app.clock.now()).toISOString()
    expect((await acme.delete(`/v1/contacts/${contactId}`)).status).toBe(204)
    expect((await acme.get(`/v1/tickets/${ticketId}`)).body).toMatchObject({ contactId: null, updatedAt: now })
    const [response] = await app.database.db
      .select()
      .from(responses)
      .where(and(eq(responses.tenantId, acme.tenantId), eq(responses.id, responseId)))
    expect(response).toMatchObject({ contactId: null, status: 'complete', updatedAt: now })
    expect((await acme.events()).slice(events.length)).toMatchObject([{ event: 'contact.deleted' }])
  })

  test("leaves other contacts' tickets as they are", async () => {
    const mine = await ticketOfContact('mine@acme.test')
    const yours = await ticketOfContact('yours@acme.test')
    await acme.delete(`/v1/contacts/${mine.contactId}`)
    expect((await acme.get(`/v1/tickets/${yours.ticketId}`)).body.contactId).toBe(yours.contactId)
  })
})

async function ticketOfContact(email: string) {
  const ticket = await createTicket(acme, { email })
  const { items } = (await acme.get(`/v1/contacts?email=${email}`)).body
  expect(ticket.contactId).toBe(items[0].id)
  return { ticketId: ticket.id, contactId: items[0].id as string }
}
