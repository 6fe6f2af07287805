import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createOrganisation } from '../../src/organisations/operations.ts'
import { auditOf } from '../support/api/audit.ts'
import { addContacts, createTestContact } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { refusalOf } from '../support/refusal.ts'
import { rulesOf } from '../support/tickets/rules.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const create = (tenant: TestTenant, name: string, domain?: string) =>
  tenant.perform((tx, caller) => createOrganisation(tx, caller, { name, domain }))

describe('reading an organisation', () => {
  test('shows its shape, with the contacts it has now', async () => {
    const { id } = await create(acme, ' Acme ', 'Acme.TEST')
    await acme.post('/v1/contacts', { email: 'joins@acme.test' })
    const { body: leaver } = await acme.post('/v1/contacts', { email: 'leaves@acme.test' })
    await acme.delete(`/v1/contacts/${leaver.id}`)
    const answer = await acme.get(`/v1/organisations/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id,
      name: 'Acme',
      domain: 'acme.test',
      contactCount: 1,
      createdAt: '2026-03-01T09:00:00.000Z',
      updatedAt: '2026-03-01T09:00:00.000Z',
    })
    const { body: list } = await acme.get('/v1/organisations')
    expect(list.items).toContainEqual(answer.body)
  })

  test("another tenant's is not found, as an id of no form or of nobody is", async () => {
    const other = await app.createTenant('Other')
    const { id } = await create(other, 'Theirs')
    const answers = await Promise.all(
      [id, '019ca8b6-0000-7000-8000-000000000000', 'nonsense', '%00'].map((path) =>
        acme.get(`/v1/organisations/${path}`),
      ),
    )
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([404, problem('not_found', 'organisation not found')])
    }
  })

  test('needs contacts:read', async () => {
    const { key } = await acme.createKey(['contacts:write'])
    for (const path of ['/v1/organisations', '/v1/organisations/x']) {
      const answer = await app.request('GET', path, { key })
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope'])
    }
  })
})

describe('listing organisations', () => {
  test('by domain finds exactly those of it, whatever its case', async () => {
    const tenant = await app.createTenant()
    const mine = await create(tenant, 'One', 'one.test')
    await create(tenant, 'Sub', 'sub.one.test')
    await create(tenant, 'None')
    const { body } = await tenant.get('/v1/organisations?domain=ONE.test')
    expect(body).toEqual({ items: [mine], nextCursor: null })
    expect((await tenant.get('/v1/organisations?domain=nobody.test')).body.items).toEqual([])
    expect((await tenant.get('/v1/organisations?domain=')).body.items).toEqual([])
  })
})

describe('creating an organisation', () => {
  test('answers 201 with where it is, is noted, and no event tells of it', async () => {
    const tenant = await app.createTenant()
    const answer = await tenant.post('/v1/organisations', { name: ' Acme ', domain: 'Acme.TEST' })
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/organisations/${answer.body.id}`])
    expect(answer.body).toMatchObject({ name: 'Acme', domain: 'acme.test', contactCount: 0 })
    expect((await tenant.get(`/v1/organisations/${answer.body.id}`)).body).toEqual(answer.body)
    expect(await auditOf(app, tenant, answer.body.id)).toMatchObject([{ action: 'organisation.created' }])
    expect(await tenant.events()).toEqual([])
    expect((await tenant.post('/v1/organisations', { name: 'Plain', domain: null })).body.domain).toBeNull()
  })

  test('twice under one Idempotency-Key makes one', async () => {
    const tenant = await app.createTenant()
    const send = (name: string) => tenant.post('/v1/organisations', { name }, { 'idempotency-key': 'once' })
    const [first, second] = [await send('Acme'), await send('Acme')]
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    expect((await send('Other')).status).toBe(409)
    expect((await tenant.get('/v1/organisations')).body.items).toEqual([first.body])
  })

  test('has new contacts of its domain join, the oldest of several organisations, and leaves those that are there', async () => {
    const tenant = await app.createTenant()
    const early = await createTestContact(tenant, { email: 'early@acme.test' })
    const { body: first } = await tenant.post('/v1/organisations', { name: 'First', domain: 'acme.test' })
    app.clock.advance(1)
    expect((await tenant.post('/v1/organisations', { name: 'Second', domain: 'ACME.test' })).status).toBe(201)
    expect((await createTestContact(tenant, { email: 'late@acme.test' })).organisationId).toBe(first.id)
    expect((await tenant.get(`/v1/contacts/${early.id}`)).body.organisationId).toBeNull()
  })

  test.each(['not a domain', 'nodot', '-a.test', 'a..test', '@a.test'])('refuses the domain %p', async (domain) => {
    expect(await refusalOf(create(acme, 'Bad', domain))).toStartWith('domain: must be a domain')
    const answer = await acme.post('/v1/organisations', { name: 'Bad', domain })
    expect([answer.status, answer.body.param]).toEqual([400, 'domain'])
  })

  test.each(['', '  ', 'x'.repeat(256)])('refuses the name %p', async (name) => {
    expect(await refusalOf(create(acme, name))).toBe('name: must be 1 to 255 characters')
    const answer = await acme.post('/v1/organisations', { name })
    expect([answer.status, answer.body.param]).toEqual([400, 'name'])
  })

  test('needs contacts:write, as changing and deleting do: nothing is done without', async () => {
    const tenant = await app.createTenant()
    const one = await create(tenant, 'Acme')
    const { key } = await tenant.createKey(['contacts:read'])
    const path = `/v1/organisations/${one.id}`
    for (const [method, at, body] of [
      ['POST', '/v1/organisations', { name: 'No' }],
      ['PUT', path, { name: 'No' }],
      ['DELETE', path, undefined],
    ] as const) {
      const answer = await app.request(method, at, { key, body })
      expect([method, answer.status, answer.body.error]).toEqual([method, 403, 'insufficient_scope'])
    }
    expect((await tenant.get('/v1/organisations')).body.items).toEqual([one])
  })
})

describe('updating an organisation', () => {
  test('changes the fields present alone; null clears the domain, and nothing else', async () => {
    const tenant = await app.createTenant()
    const one = await create(tenant, 'Acme', 'acme.test')
    const path = `/v1/organisations/${one.id}`
    app.clock.advance(1000)
    const updatedAt = new Date(app.clock.now()).toISOString()
    const named = await tenant.put(path, { name: ' New ' })
    expect([named.status, named.body]).toEqual([200, { ...one, name: 'New', updatedAt }])
    expect((await tenant.put(path, { domain: 'NEW.test', name: null })).body.domain).toBe('new.test')
    expect((await tenant.put(path, { domain: null })).body).toEqual({ ...one, name: 'New', domain: null, updatedAt })
    const fields = (await auditOf(app, tenant, one.id)).map((entry) => entry.fields)
    expect(fields).toEqual([null, 'name', 'domain', 'domain'])
  })

  test('to what it is changes nothing, and is not noted', async () => {
    const tenant = await app.createTenant()
    const one = await create(tenant, 'Acme', 'acme.test')
    app.clock.advance(1000)
    for (const body of [{}, { name: 'Acme', domain: 'Acme.test' }, { name: null }]) {
      expect((await tenant.put(`/v1/organisations/${one.id}`, body)).body).toEqual(one)
    }
    expect(await auditOf(app, tenant, one.id)).toHaveLength(1)
  })

  test('keeps its contacts, and has those of its new domain join from then on', async () => {
    const tenant = await app.createTenant()
    const one = await create(tenant, 'Acme', 'old.test')
    const { id } = await createTestContact(tenant, { email: 'a@old.test' })
    await tenant.put(`/v1/organisations/${one.id}`, { domain: 'new.test' })
    expect((await tenant.get(`/v1/contacts/${id}`)).body.organisationId).toBe(one.id)
    expect((await createTestContact(tenant, { email: 'b@old.test' })).organisationId).toBeNull()
    expect((await createTestContact(tenant, { email: 'a@new.test' })).organisationId).toBe(one.id)
  })

  test.each([{ name: '' }, { name: '  ' }, { domain: '' }, { domain: 'nodot' }, { nonsense: 1 }])(
    'refuses %j, of one that is not there too',
    async (body) => {
      const { id } = await create(acme, 'Acme')
      for (const one of [id, Bun.randomUUIDv7()]) {
        const answer = await acme.put(`/v1/organisations/${one}`, body)
        expect([answer.status, answer.body.param]).toEqual([400, Object.keys(body)[0]])
      }
    },
  )
})

describe('deleting an organisation', () => {
  test('has its contacts stay without one: who polls sees it, and no event tells of it', async () => {
    const tenant = await app.createTenant()
    const one = await create(tenant, 'Acme', 'acme.test')
    const contact = await createTestContact(tenant, { email: 'a@acme.test', name: 'Ada' })
    app.clock.advance(1000)
    const since = new Date(app.clock.now()).toISOString()
    const events = (await tenant.events()).length
    const answer = await tenant.delete(`/v1/organisations/${one.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { body } = await tenant.get(`/v1/contacts?updated_since=${since}`)
    expect(body.items).toEqual([{ ...contact, organisationId: null, updatedAt: since }])
    expect(await tenant.events()).toHaveLength(events)
    expect((await tenant.get(`/v1/organisations/${one.id}`)).status).toBe(404)
    expect((await tenant.delete(`/v1/organisations/${one.id}`)).status).toBe(404)
    expect((await createTestContact(tenant, { email: 'b@acme.test' })).organisationId).toBeNull()
    const actions = (await auditOf(app, tenant, one.id)).map(({ action }) => action)
    expect(actions).toEqual(['organisation.created', 'organisation.deleted'])
  })

  test('that is large takes several steps, each as of then, and the contacts of others stay where they are', async () => {
    const tenant = await app.createTenant()
    const [one, other] = [await create(tenant, 'Large'), await create(tenant, 'Other')]
    await addContacts(tenant, 1201, { organisationId: one.id })
    const stays = await createTestContact(tenant, { organisationId: other.id })
    expect((await tenant.delete(`/v1/organisations/${one.id}`)).status).toBe(204)
    const counts = (await tenant.get('/v1/organisations')).body.items
    expect(counts).toMatchObject([{ id: other.id, contactCount: 1 }])
    expect((await tenant.get(`/v1/contacts/${stays.id}`)).body).toEqual(stays)
  })

  test('has a rule that asks for it fail, and a ticket of its contact stay', async () => {
    const tenant = await app.createTenant()
    const one = await create(tenant, 'Acme', 'acme.test')
    const rules = rulesOf(app, tenant)
    const rule = await rules.create({
      when: { all: [{ field: 'contact.organisation', is: one.id }] },
      then: [{ do: 'add_tags', tags: ['acme'] }],
    })
    const ticket = await createTicket(tenant, { email: 'a@acme.test' })
    expect(await rules.show(rule.id)).toMatchObject({ failing: false })
    await tenant.delete(`/v1/organisations/${one.id}`)
    expect(await rules.show(rule.id)).toMatchObject({
      failing: true,
      error: 'when.all[0].is: there is no such organisation',
    })
    expect((await tenant.get(`/v1/tickets/${ticket.id}`)).body.contactId).toBe(ticket.contactId)
  })

  test('of another tenant is not found, and leaves it as it is', async () => {
    const other = await app.createTenant('Other')
    const theirs = await create(other, 'Theirs')
    for (const id of [theirs.id, 'nonsense', '%00']) {
      expect((await acme.delete(`/v1/organisations/${id}`)).status).toBe(404)
      expect((await acme.put(`/v1/organisations/${id}`, { name: 'Mine' })).status).toBe(404)
    }
    expect((await other.get(`/v1/organisations/${theirs.id}`)).body).toEqual(theirs)
  })

  test('while contacts join it ends, and leaves none of them behind in it', async () => {
    const tenant = await app.createTenant()
    const one = await create(tenant, 'Acme', 'acme.test')
    await addContacts(tenant, 600, { organisationId: one.id })
    const joining = Array.from({ length: 20 }, (_, i) => tenant.post('/v1/contacts', { email: `${i}@acme.test` }))
    const deleting = tenant.delete(`/v1/organisations/${one.id}`)
    expect((await Promise.all(joining)).map(({ status }) => status)).toEqual(joining.map(() => 201))
    expect((await deleting).status).toBe(204)
    const { body } = await tenant.get('/v1/contacts?limit=100')
    expect(body.items.filter((contact: { organisationId: string | null }) => contact.organisationId)).toEqual([])
  })
})
