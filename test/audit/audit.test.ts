import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { linkAllEntries } from '../../src/audit/chain.ts'
import { chainFaults } from '../../src/audit/faults.ts'
import { chainKeyOf } from '../../src/audit/key.ts'
import { audit } from '../../src/audit/record.ts'
import { callerFor } from '../../src/caller.ts'
import { auditEntries, auditHeads } from '../../src/db/schema.ts'
import { createKey, revokeKey } from '../../src/keys/operations.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { tour } from '../support/api/tour.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const key = () => chainKeyOf(app.deps.secrets)
const trust = () => ({ key: key(), chains: 'sealed', drops: true }) as const

const entriesOf = (tenant: TestTenant) =>
  app.database.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.tenantId, tenant.tenantId))
    .orderBy(asc(auditEntries.number))

/** What `work` adds to the tenant's log. */
async function added(tenant: TestTenant, work: () => Promise<unknown>) {
  const before = (await entriesOf(tenant)).length
  await work()
  return (await entriesOf(tenant)).slice(before)
}

const summaryOf = ({ action, recordId, via, authorType, fields }: typeof auditEntries.$inferSelect) => ({
  action,
  recordId,
  via,
  authorType,
  fields,
})

describe('an entry', () => {
  test('says for every change by a key who made it, when, to what and from where', async () => {
    for (const [method, route, path, body] of await tour(acme)) {
      const entries = await added(acme, () => app.request(method, path, { key: acme.key, body }))
      // A test delivery changes nothing.
      const changes = method !== 'GET' && !route.endsWith('/test')
      expect([route, entries.length > 0]).toEqual([route, changes])
      for (const entry of entries) {
        expect(entry).toMatchObject({
          at: new Date(app.clock.now()).toISOString(),
          via: 'api',
          authorType: 'api',
          authorId: acme.keyId,
          authorName: 'test',
          address: '127.0.0.1',
        })
      }
    }
  })

  test('names the fields of a contact that changed, never what is in them', async () => {
    const { id } = await createTestContact(acme, { name: 'Ada' })
    const entries = await added(acme, () => acme.put(`/v1/contacts/${id}`, { name: 'Ada', phone: '+1 555 0100' }))
    expect(entries.map(summaryOf)).toEqual([
      { action: 'contact.updated', recordId: id, via: 'api', authorType: 'api', fields: 'phone' },
    ])
    expect(JSON.stringify(entries)).not.toContain('555 0100')
  })

  test('is not made by what changes nothing or is refused', async () => {
    const { id, email } = await createTestContact(acme, { name: 'Ada' })
    const reader = await acme.createKey(['contacts:read'])
    const entries = await added(acme, async () => {
      expect((await acme.put(`/v1/contacts/${id}`, { name: 'Ada' })).status).toBe(200)
      expect((await acme.post('/v1/contacts', { email })).status).toBe(409)
      expect((await acme.post('/v1/contacts', { email: 'x' })).status).toBe(400)
      expect((await app.request('DELETE', `/v1/contacts/${id}`, { key: reader.key })).status).toBe(403)
    })
    expect(entries).toEqual([])
  })

  test('is made once for a request that is repeated under its Idempotency-Key', async () => {
    const send = () => acme.post('/v1/contacts', { email: 'once@acme.test' }, { 'idempotency-key': 'k' })
    const entries = await added(acme, async () => {
      expect((await send()).status).toBe(201)
      expect((await send()).headers.get('idempotent-replayed')).toBe('true')
    })
    expect(entries.map(({ action }) => action)).toEqual(['contact.created'])
  })

  test('is not made by what a respondent sends, though it makes a contact', async () => {
    const form = await createPublished(acme, [
      { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
    ])
    const answers = [{ questionId: form.questionIds[0], value: { email: 'new@acme.test' } }]
    const entries = await added(acme, async () => {
      const sent = await app.request('POST', `/f/${form.launchCode}/responses`, { body: { answers, complete: true } })
      expect(sent.status).toBe(201)
    })
    expect((await acme.get('/v1/contacts?email=new@acme.test')).body.items).toHaveLength(1)
    expect(entries).toEqual([])
  })

  test('tells the command line, a person and a job apart', async () => {
    const { keyId } = await acme.createKey()
    const revoked = await added(acme, () => acme.perform((tx, caller) => revokeKey(tx, caller, keyId)))
    expect(revoked).toMatchObject([{ action: 'key.revoked', recordId: keyId, via: 'command', authorType: 'system' }])

    const user = { type: 'user', tenantId: acme.tenantId, userId: acme.userId, name: 'Robin', role: 'admin' } as const
    const caller = callerFor(user, app.clock.now(), '203.0.113.7')
    const created = await added(acme, () =>
      app.database.transaction((tx) => createKey(tx, caller, { name: 'CRM', scopes: ['forms:read'], expiresAt: null })),
    )
    expect(created).toMatchObject([
      { via: 'console', authorType: 'agent', authorId: acme.userId, authorName: 'Robin', address: '203.0.113.7' },
    ])

    const ticket = await createTicket(acme)
    const snoozedUntil = new Date(app.clock.now() + 60_000).toISOString()
    await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: 'pending', snoozedUntil }))
    app.clock.advance(60_000)
    const woken = await added(acme, () => app.runDue())
    expect(woken).toMatchObject([
      { action: 'ticket.status_changed', recordId: ticket.id, via: 'job', authorType: 'system' },
    ])
  })

  test('of revoking a key again is not made', async () => {
    const { keyId } = await acme.createKey()
    const revoke = () => acme.perform((tx, caller) => revokeKey(tx, caller, keyId))
    expect(await added(acme, () => revoke().then(revoke))).toHaveLength(1)
  })
})

describe('the chain', () => {
  const faults = () => chainFaults(app.database.db, acme.tenantId, trust())
  const change = (position: number, set: Partial<typeof auditEntries.$inferInsert>) =>
    acme.perform((tx, { tenantId }) => tx.update(auditEntries).set(set).where(at(tenantId, position)))
  const remove = (position: number) =>
    acme.perform((tx, { tenantId }) => tx.delete(auditEntries).where(at(tenantId, position)))
  const at = (tenantId: string, position: number) =>
    // One tenant's chain at a time: positions begin at 1 in each.
    and(eq(auditEntries.tenantId, tenantId), eq(auditEntries.position, position))

  beforeEach(async () => {
    for (let n = 0; n < 5; n++) await acme.post('/v1/contacts', { email: `c${n}@acme.test` })
    await linkAllEntries(app.database, key())
  })

  test('of each tenant is numbered from 1 in the order of what happened, and whole', async () => {
    const other = await app.createTenant()
    await Promise.all(Array.from({ length: 40 }, (_, n) => other.post('/v1/contacts', { email: `o${n}@acme.test` })))
    await app.runDue()
    for (const tenant of [acme, other]) {
      const entries = await entriesOf(tenant)
      expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1))
      expect(await chainFaults(app.database.db, tenant.tenantId, trust())).toEqual([])
    }
  })

  test('of more entries than one step links or one read fetches is whole', async () => {
    const caller = acme.caller()
    await acme.perform(async (tx) => {
      for (let n = 0; n < 2_100; n++) await audit(tx, caller, 'contact.created', `c${n}`)
    })
    await linkAllEntries(app.database, key())
    expect(await faults()).toEqual([])
    await remove(1_500)
    expect(await faults()).toEqual(['entry 1500 is missing'])
  })

  test('is whole while entries are linked between the reads of it', async () => {
    let times = 3
    const { db } = app.database
    const lean = <Q>(query: Q): Q => {
      const { execute } = db.engine.lean(query) as { execute(values: object): Promise<unknown> }
      const thenLinks = async (values: object) => {
        const rows = await execute(values)
        if (times-- > 0) {
          await acme.perform((tx, caller) => audit(tx, caller, 'contact.created', 'meanwhile'))
          await linkAllEntries(app.database, key())
        }
        return rows
      }
      return { execute: thenLinks } as Q
    }
    const interrupted = Object.create(db, { engine: { value: { ...db.engine, lean } } })
    expect(await chainFaults(interrupted, acme.tenantId, trust())).toEqual([])
    expect(times).toBeLessThan(0)
  })

  test('shows an entry that was changed, whatever was changed', async () => {
    const { number: _, ...before } = (await entriesOf(acme))[2] as typeof auditEntries.$inferSelect
    for (const set of [
      { recordId: 'x' },
      { action: 'key.revoked' },
      { at: '2020-01-01T00:00:00.000Z' },
      { authorType: 'agent' },
      { authorName: 'Somebody else' },
      { authorId: 'x' },
      { address: '203.0.113.9' },
      { fields: 'email' },
      { via: 'console' },
    ] as const) {
      await change(3, set)
      expect([set, await faults()]).toEqual([set, [expect.stringMatching(/^entry 3 .*was changed/)]])
      await change(3, before)
      expect(await faults()).toEqual([])
    }
  })

  test('shows an entry whose hash was made anew by the one that follows, and the last by the head', async () => {
    const count = (await entriesOf(acme)).length
    await change(3, { hash: 'made-anew' })
    expect(await faults()).toHaveLength(2)
    await change(count, { hash: 'made-anew' })
    expect((await faults()).at(-1)).toBe(`its head does not belong to entry ${count}`)
  })

  test('shows an entry that is missing, and an end that was cut off', async () => {
    const count = (await entriesOf(acme)).length
    await remove(2)
    expect(await faults()).toEqual(['entry 2 is missing'])
    await remove(count)
    await remove(count - 1)
    expect(await faults()).toEqual(['entry 2 is missing', `entries ${count - 1} to ${count} are missing`])
  })

  test('shows that all of it is gone, or that its head is', async () => {
    const count = (await entriesOf(acme)).length
    await acme.perform((tx, { tenantId }) => tx.delete(auditHeads).where(eq(auditHeads.tenantId, tenantId)))
    expect(await faults()).toEqual([`its head counts 0 entries, but there are ${count}`])
    const other = await app.createTenant()
    await linkAllEntries(app.database, key())
    await other.perform((tx, { tenantId }) => tx.delete(auditEntries).where(eq(auditEntries.tenantId, tenantId)))
    expect(await chainFaults(app.database.db, other.tenantId, trust())).toEqual([
      expect.stringMatching(/^entries 1 to \d+ are missing$/),
    ])
  })
})
