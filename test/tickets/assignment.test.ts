import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { auditEntries } from '../../src/db/schema.ts'
import { assignTicket, setPriority } from '../../src/tickets/assignment.ts'
import { deleteTicket } from '../../src/tickets/deletion/deletion.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { updateUser } from '../../src/users/profile.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { createMailbox } from '../support/mail/mails.ts'
import { refusal } from '../support/refusal.ts'
import { createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const assign = (id: string, userId: string | null) =>
  acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId }))
const prioritise = (id: string, priority: string) => acme.perform((tx, caller) => setPriority(tx, caller, id, priority))

/** What the audit log says of a record, oldest first. */
async function audited(recordId: string) {
  const rows = await app.database.db
    .select({ action: auditEntries.action, fields: auditEntries.fields })
    .from(auditEntries)
    .where(eq(auditEntries.recordId, recordId))
    .orderBy(desc(auditEntries.number))
  return rows.reverse()
}
const actionsOn = async (recordId: string) => (await audited(recordId)).map(({ action }) => action)

describe('a ticket', () => {
  test('is given to somebody and to nobody, which the API shows as changed and an event tells each time', async () => {
    const ticket = await createTicket(acme)
    const seen = async () => (await acme.get(`/v1/tickets/${ticket.id}`)).body
    const events = await acme.events()
    app.clock.advance(1000)
    await assign(ticket.id, acme.userId)
    const given = await seen()
    const updatedAt = new Date(app.clock.now()).toISOString()
    expect(given).toMatchObject({
      assignee: { id: acme.userId, name: expect.stringContaining('admin@') },
      team: null,
      updatedAt,
    })
    app.clock.advance(1000)
    await assign(ticket.id, acme.userId)
    expect(await seen()).toEqual(given)
    await assign(ticket.id, null)
    expect(await seen()).toMatchObject({ assignee: null })
    const { messages: _, ...record } = given
    expect((await acme.events()).slice(events.length)).toMatchObject([
      { event: 'ticket.assigned', payload: { ticket: record, previousAssignee: null } },
      { event: 'ticket.assigned', payload: { ticket: { assignee: null }, previousAssignee: given.assignee } },
    ])
    expect(await audited(ticket.id)).toEqual([
      { action: 'ticket.created', fields: null },
      { action: 'ticket.assigned', fields: 'assignee' },
      { action: 'ticket.assigned', fields: 'assignee' },
    ])
  })

  test('is not given to another tenant’s user, or to nobody there is', async () => {
    const other = await app.createTenant()
    const ticket = await createTicket(acme)
    for (const id of [other.userId, crypto.randomUUID(), '']) {
      expect(await refusal(assign(ticket.id, id))).toEqual(['invalid_request', 'userId: there is no such user'])
    }
    const theirs = await createTicket(other)
    expect(await refusal(assign(theirs.id, acme.userId))).toEqual(['not_found', 'ticket not found'])
    expect(await refusal(prioritise(theirs.id, 'high'))).toEqual(['not_found', 'ticket not found'])
  })

  test('gets a priority, which the API shows as changed and no event tells', async () => {
    const ticket = await createTicket(acme)
    const events = await acme.events()
    app.clock.advance(1000)
    expect(await prioritise(ticket.id, 'urgent')).toMatchObject({ priority: 'urgent' })
    const { body } = await acme.get(`/v1/tickets/${ticket.id}`)
    expect(body).toMatchObject({ priority: 'urgent', updatedAt: new Date(app.clock.now()).toISOString() })
    app.clock.advance(1000)
    await prioritise(ticket.id, 'urgent')
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body).toEqual(body)
    expect(await refusal(prioritise(ticket.id, 'loud'))).toEqual([
      'invalid_request',
      'priority: must be one of low, normal, high, urgent',
    ])
    expect(await acme.events()).toEqual(events)
    expect(await actionsOn(ticket.id)).toEqual(['ticket.created', 'ticket.priority_changed'])
  })
})

describe('deleting a ticket for good', () => {
  const remove = (id: string, tenant = acme) => tenant.perform((tx, caller) => deleteTicket(tx, caller, id))

  test('leaves nothing of it but that it was there', async () => {
    const kept = await createTicket(acme, { text: 'kept' })
    const ticket = await createTicket(acme, { text: 'unspeakable unspeakable', email: 'ada@acme.test' })
    const merged = await createTicket(acme, { text: 'unspeakable too', subject: 'Silence' })
    const attachment = await createTestAttachment(acme)
    await acme.perform((tx, caller) =>
      receiveMessage(tx, caller, ticket.id, { text: 'unspeakable', attachments: [attachment] }),
    )
    const mailbox = await createMailbox(app, acme)
    const mails = [
      await mailbox.deliver({ text: 'unspeakable' }),
      await mailbox.deliver({ text: 'unspeakable\r\n'.repeat(20_000) }),
    ]
    for (const mail of mails) {
      await acme.perform((tx, caller) => mergeTickets(tx, caller, mail.ticketId as string, ticket.id))
    }
    await acme.perform((tx, caller) => addNote(tx, caller, ticket.id, { text: 'unspeakable' }))
    await acme.perform((tx, caller) => mergeTickets(tx, caller, merged.id, ticket.id))
    const events = await acme.events()

    const { tenantId } = acme
    expect(await remove(ticket.id)).toEqual([
      { kind: 'attachments', tenantId, id: attachment.id },
      { kind: 'received_mails', tenantId, id: expect.any(String) },
    ])
    for (const { id } of [ticket, merged]) {
      expect((await acme.get(`/v1/tickets/${id}`)).status).toBe(404)
      expect((await audited(id)).at(-1)).toEqual({ action: 'ticket.deleted', fields: null })
    }
    expect((await acme.get('/v1/tickets')).body.items.map(({ id }: { id: string }) => id)).toEqual([kept.id])
    expect((await acme.get(`/v1/attachments/${attachment.id}`)).status).toBe(404)
    // The outbox keeps what was told for its days. The word is longer than what hashes may hold by chance.
    const { events: _, ...tables } = await snapshot(app)
    expect(Object.keys(tables).filter((name) => tables[name]?.join().includes('unspeakable'))).toEqual([])
    expect(await acme.events()).toEqual(events)
    expect((await createTicket(acme)).sequentialNumber).toBe(6)
  })

  test('is refused for a merged ticket and for another tenant’s: nothing goes', async () => {
    const [a, b] = [await createTicket(acme), await createTicket(acme)]
    await acme.perform((tx, caller) => mergeTickets(tx, caller, a.id, b.id))
    const other = await app.createTenant()
    const before = await snapshot(app)
    expect(await refusal(remove(a.id))).toEqual(['unprocessable', 'T-1 was merged into T-2: work on that one'])
    expect(await refusal(remove(b.id, other))).toEqual(['not_found', 'ticket not found'])
    expect(await snapshot(app)).toEqual(before)
  })
})

describe('a person', () => {
  const update = (input: { name?: string; signature?: string }, tenant = acme) =>
    tenant.perform((tx, caller) => updateUser(tx, caller, acme.userId, input))

  test('has a name and a signature, which is made safe; an empty one clears it', async () => {
    expect(await update({})).toEqual({ userId: acme.userId, name: 'admin', signature: null })
    expect(await update({ name: ' Grace ', signature: '<p>Grace<script>alert(1)</script></p>' })).toEqual({
      userId: acme.userId,
      name: 'Grace',
      signature: '<p>Grace</p>',
    })
    expect(await update({ signature: ' ' })).toMatchObject({ name: 'Grace', signature: null })
    expect(await update({ name: '' })).toMatchObject({ name: 'admin' })
    expect((await audited(acme.userId)).slice(1)).toEqual([
      { action: 'user.updated', fields: 'name,signature' },
      { action: 'user.updated', fields: 'signature' },
      { action: 'user.updated', fields: 'name' },
    ])
  })

  test('is changed within the tenant alone, and within bounds', async () => {
    const other = await app.createTenant()
    expect(await refusal(update({ name: 'x' }, other))).toEqual(['not_found', 'user not found'])
    expect(await refusal(update({ name: 'x'.repeat(256) }))).toEqual([
      'invalid_request',
      'name: must be 1 to 255 characters',
    ])
    expect(await refusal(update({ signature: 'x'.repeat(17_000) }))).toEqual([
      'invalid_request',
      'signature: must be at most 16 KiB',
    ])
  })
})
