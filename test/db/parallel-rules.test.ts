import { afterAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../src/caller.ts'
import { createContact } from '../../src/contacts/operations.ts'
import type { Tx } from '../../src/db/index.ts'
import { uploads, webhookBatches } from '../../src/db/schema.ts'
import { createGroup } from '../../src/groups/operations.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { createKey, listKeys, MAX_ACTIVE_KEYS } from '../../src/keys/operations.ts'
import { newId } from '../../src/lib/ids.ts'
import { openTicket } from '../../src/tickets/incoming/opening.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { createUser } from '../../src/users/accounts.ts'
import { redeliver } from '../../src/webhooks/history/redelivery.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { type Answer, startApp } from '../support/app.ts'
import { begin, createPublished, resume } from '../support/forms/collecting.ts'
import { createTestUpload, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import { envelopeOf, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

const WRITERS = 40

const app = await startApp()
afterAll(() => app.close())

/** What came of doing it so many times at once. */
async function inParallel<T>(work: (index: number) => Promise<T>) {
  const outcomes = await Promise.allSettled(Array.from({ length: WRITERS }, (_, index) => work(index)))
  return {
    done: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    refused: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message as string] : [])),
  }
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)

describe('rules that span rows hold under 40 writers at once', () => {
  test('a tenant has at most 20 active keys', async () => {
    const tenant = await app.createTenant()
    const key = { name: 'k', scopes: ['forms:read'], expiresAt: null }
    const { done, refused } = await inParallel(() => tenant.perform((tx, caller) => createKey(tx, caller, key)))
    // One was there.
    expect(done).toHaveLength(MAX_ACTIVE_KEYS - 1)
    expect(new Set(refused).size).toBe(1)
    expect(await listKeys(app.database.db, tenant.tenantId)).toHaveLength(MAX_ACTIVE_KEYS)
  })

  test('a response is completed once', async () => {
    const tenant = await app.createTenant()
    const form = await createPublished(tenant, [{ type: 'nps' }])
    const begun = await begin(tenant, form, [1])
    const { done, refused } = await inParallel((index) => resume(tenant, form, begun, [index % 10], true))
    expect(done).toHaveLength(1)
    expect(refused).toEqual(times(WRITERS - 1, 'the response is complete and cannot be changed'))
    expect((await tenant.events()).filter(({ event }) => event === 'response.created')).toHaveLength(1)
  })

  test('an upload is used by one response', async () => {
    const tenant = await app.createTenant()
    const form = await createPublished(tenant, [questionBody('file_upload')])
    const uploadId = await createTestUpload(tenant, form)
    const { done } = await inParallel(() => respondent(app, form).begin([[{ slot: 1, uploadId }]], true))
    expect(statuses(done)).toEqual([201, ...times(WRITERS - 1, 400)])
    const [used] = await app.database.db
      .select({ responseId: uploads.responseId })
      .from(uploads)
      .where(and(eq(uploads.tenantId, tenant.tenantId), eq(uploads.id, uploadId)))
    expect(used?.responseId).toBe(done.find(({ status }) => status === 201)?.body.id)
  })

  test('tickets are numbered without gap or repeat', async () => {
    const tenant = await app.createTenant()
    const { id: inboxId } = await createEmailInbox(tenant)
    const { done } = await inParallel((index) =>
      tenant.perform((tx, caller) =>
        openTicket(tx, caller, { inboxId, email: `p${index}@acme.test`, subject: 'Hello', text: 'x' }),
      ),
    )
    const numbers = done.map(({ sequentialNumber }) => sequentialNumber).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: WRITERS }, (_, index) => index + 1))
  })

  test('a ticket counts every message', async () => {
    const tenant = await app.createTenant()
    const ticket = await createTicket(tenant)
    const { done } = await inParallel((index) =>
      tenant.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: `message ${index}` })),
    )
    expect(done).toHaveLength(WRITERS)
    expect((await tenant.get(`/v1/tickets/${ticket.id}`)).body.messageCount).toBe(WRITERS + 1)
  })

  test('batches of a subscription have places of their own', async () => {
    const tenant = await app.createTenant()
    const webhookId = await subscribe(tenant, { url: 'https://hooks.acme.test/' })
    const batch = { webhookId, state: 'delivered' as const, eventCount: 1, attempts: 1, createdAt: '2026-03-01' }
    const ids = Array.from({ length: WRITERS }, () => newId(app.clock.now()))
    const { tenantId } = tenant
    await tenant.perform((tx) => tx.insert(webhookBatches).values(ids.map((id) => ({ ...batch, tenantId, id }))))
    const { done } = await inParallel((index) =>
      tenant.perform((tx, caller) => redeliver(tx, caller, webhookId, ids[index] as string)),
    )
    expect(done).toHaveLength(WRITERS)
    const queue = await app.database.db
      .select({ position: webhookBatches.position, dueAt: webhookBatches.dueAt })
      .from(webhookBatches)
      .where(and(eq(webhookBatches.tenantId, tenantId), eq(webhookBatches.webhookId, webhookId)))
    const positions = queue.map(({ position }) => position).sort((a, b) => Number(a) - Number(b))
    expect(positions).toEqual(Array.from({ length: WRITERS }, (_, index) => index + 1))
    expect(queue.filter(({ dueAt }) => dueAt !== null).map(({ position }) => position)).toEqual([1])
  })

  test('a contact is in the groups of one of the changes, never of two mixed', async () => {
    const tenant = await app.createTenant()
    const groups = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        tenant.perform((tx, caller) => createGroup(tx, caller, { name: `G${index}` })),
      ),
    )
    const [a, b, c, d] = groups.map(({ id }) => id).sort((one, other) => one - other)
    const { id } = await createTestContact(tenant)
    const pairs = [[a, b], [c, d], [a, d], []]
    const { done } = await inParallel((index) => tenant.put(`/v1/contacts/${id}`, { groupIds: pairs[index % 4] }))
    expect(statuses(done)).toEqual(times(WRITERS, 200))
    const { body } = await tenant.get(`/v1/contacts/${id}`)
    const members = body.groups.map((group: { id: number }) => group.id)
    expect(pairs.map((pair) => pair.join())).toContain(members.join())
  })

  test('changes of one contact are all kept and each told of', async () => {
    const tenant = await app.createTenant()
    const { id } = await createTestContact(tenant)
    const fields = ['name', 'lastName', 'phone'] as const
    const { done } = await inParallel((index) =>
      tenant.put(`/v1/contacts/${id}`, { [fields[index % 3] as string]: `v${index}` }),
    )
    expect(statuses(done)).toEqual(times(WRITERS, 200))
    const { body } = await tenant.get(`/v1/contacts/${id}`)
    for (const field of fields) expect(body[field]).toMatch(/^v\d+$/)
    // Nobody's change was lost: what each was told of another's field is what the next started from.
    expect(await tenant.events()).toHaveLength(WRITERS + 1)
  })

  test('an address is one contact', async () => {
    const tenant = await app.createTenant()
    const { done } = await inParallel((index) =>
      tenant.post('/v1/contacts', { email: index % 2 ? 'Ada@Acme.test' : 'ada@acme.test' }),
    )
    expect(statuses(done)).toEqual([201, ...times(WRITERS - 1, 409)])
    const [made] = done.filter(({ status }) => status === 201)
    const named = done.filter(({ status }) => status === 409).map(({ body }) => body.contactId)
    expect(named).toEqual(times(WRITERS - 1, made?.body.id))
    expect(await tenant.events()).toHaveLength(1)
  })

  test('an address that several contacts want is given to one', async () => {
    const tenant = await app.createTenant()
    const made = await Promise.all(times(WRITERS, null).map(() => createTestContact(tenant)))
    const { done } = await inParallel((index) =>
      tenant.put(`/v1/contacts/${made[index]?.id}`, { email: 'wanted@acme.test' }),
    )
    expect(statuses(done)).toEqual([200, ...times(WRITERS - 1, 409)])
  })

  test('an inbox address and a user’s address have one owner over all tenants', async () => {
    const tenants = await Promise.all(times(4, null).map(() => app.createTenant()))
    const create = (work: (tx: Tx, caller: Caller) => Promise<unknown>) =>
      inParallel((index) => (tenants[index % 4] as (typeof tenants)[0]).perform(work))
    const address = `one-${crypto.randomUUID()}@acme.test`
    const inbox = { name: 'Help', channel: 'email', emailAddress: address }
    const inboxes = await create((tx, caller) => createInbox(tx, caller, inbox))
    expect(inboxes.done).toHaveLength(1)
    expect(inboxes.refused).toEqual(times(WRITERS - 1, 'an inbox with this address already exists'))
    const user = { email: address, role: 'agent', billable: false, passwordHash: '*' } as const
    const users = await create((tx, caller) => createUser(tx, caller, user))
    expect(users.done).toHaveLength(1)
    expect(users.refused).toEqual(times(WRITERS - 1, 'a user with this email already exists'))
    const invited = { ...user, email: `two-${address}`, passwordHash: '-' }
    const inEach = await create((tx, caller) => createUser(tx, caller, invited))
    expect(inEach.done).toHaveLength(4)
    expect(inEach.refused).toEqual(times(WRITERS - 4, 'a user with this email already exists'))
  })

  test('requests with one Idempotency-Key are one request', async () => {
    const tenant = await app.createTenant()
    const { done } = await inParallel(() =>
      tenant.post('/v1/contacts', { email: 'once@acme.test' }, { 'idempotency-key': 'once' }),
    )
    expect(statuses(done)).toEqual(times(WRITERS, 201))
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    expect(await tenant.events()).toHaveLength(1)
  })
})

describe('events', () => {
  const eventIdsOf = (receiver: Receiver) =>
    receiver.requests.flatMap((request) =>
      envelopeOf(request).events.map(({ eventId }: { eventId: string }) => eventId),
    )

  test('are given out once each, however many write and subscribe meanwhile', async () => {
    const delivering = await startDelivering()
    const receiver = await startReceiver()
    try {
      const tenant = await delivering.createTenant()
      await subscribe(tenant, receiver)
      const giving = delivering.runDue()
      const { done } = await inParallel((index) =>
        index % 8 === 0
          ? tenant.post('/v1/webhooks', { name: 'w', url: 'http://127.0.0.1:9/', events: ['ticket.created'] })
          : tenant.post('/v1/contacts', { email: `c${index}@acme.test` }),
      )
      expect(statuses(done)).toEqual(times(WRITERS, 201))
      await giving
      await passWindow(delivering)
      const told = (await tenant.events()).map(({ eventId }) => eventId)
      expect(told).toHaveLength(WRITERS - WRITERS / 8)
      expect(eventIdsOf(receiver).sort()).toEqual(told.sort())
    } finally {
      await delivering.close()
      await receiver.close()
    }
  })

  test('of a transaction that takes long are not skipped', async () => {
    const delivering = await startDelivering()
    const receiver = await startReceiver()
    try {
      const tenant = await delivering.createTenant()
      await subscribe(tenant, receiver)
      const slow = tenant.perform(async (tx, caller) => {
        await createContact(tx, caller, { email: 'slow@acme.test' }, 'api')
        await Bun.sleep(300)
      })
      // Where writers run beside each other, this one is committed and its event given out first.
      await tenant.post('/v1/contacts', { email: 'fast@acme.test' })
      await delivering.runDue()
      await slow
      await passWindow(delivering)
      const told = (await tenant.events()).map(({ eventId }) => eventId)
      expect(told).toHaveLength(2)
      expect(eventIdsOf(receiver).sort()).toEqual(told.sort())
    } finally {
      await delivering.close()
      await receiver.close()
    }
  })
})
