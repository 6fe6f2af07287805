import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  other = await app.createTenant('Other')
})
afterAll(() => app.close())

/** How many contacts and events the tenant has: unchanged when nothing was done. */
async function traces(tenant: TestTenant) {
  return [(await tenant.get('/v1/contacts?limit=100')).body.items.length, (await tenant.events()).length]
}

describe('creating a contact', () => {
  test('answers 201 with its location and shape, and records one event', async () => {
    const answer = await acme.post('/v1/contacts', { email: ' Ada@acme.test ', name: 'Ada' })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/contacts/${answer.body.id}`)
    expect(answer.body).toEqual({
      id: expect.any(String),
      email: 'Ada@acme.test',
      name: 'Ada',
      lastName: null,
      phone: null,
      organisationId: null,
      groups: [],
      customValues: [],
      unsubscribed: false,
      unsubscribedAt: null,
      source: 'api',
      createdAt: '2026-03-01T09:00:00.000Z',
      updatedAt: '2026-03-01T09:00:00.000Z',
    })
    const events = await acme.events()
    expect(events.map(({ event, payload }) => [event, payload])).toEqual([
      [
        'contact.created_or_updated',
        { id: answer.body.id, name: 'Ada', email: 'Ada@acme.test', groups: [], customValues: [] },
      ],
    ])
    expect((await acme.get(`/v1/contacts/${answer.body.id}`)).body).toEqual(answer.body)
  })

  test('with an unknown group or organisation is a 400 even where the address is taken', async () => {
    await acme.post('/v1/contacts', { email: 'taken@acme.test' })
    for (const reference of [{ groupIds: [999_999] }, { organisationId: Bun.randomUUIDv7() }]) {
      expect((await acme.post('/v1/contacts', { email: 'taken@acme.test', ...reference })).status).toBe(400)
    }
  })

  test('takes every writeable field, and the event carries the groups', async () => {
    const [news, offers] = [await createTestGroup(acme), await createTestGroup(acme, 'Offers')]
    const { id: organisationId } = await createTestOrganisation(acme)
    const details = { name: 'Grace', lastName: 'Hopper', phone: '+1 555 0100' }
    const { body } = await acme.post('/v1/contacts', {
      email: 'grace@navy.test',
      ...details,
      organisationId: organisationId.toUpperCase(),
      groupIds: [offers.id, news.id, offers.id],
    })
    const groups = [news, offers].map(({ id, name, consentWording, consentGroupType }) => ({
      id,
      name,
      consentWording,
      consentGroupType,
    }))
    expect(body).toMatchObject({ ...details, organisationId, groups })
    expect((await acme.events()).at(-1)?.payload.groups).toEqual(groups)
  })

  test('counts null as left out', async () => {
    const nulls = { name: null, lastName: null, phone: null, organisationId: null }
    const answer = await acme.post('/v1/contacts', { email: 'nulls@acme.test', ...nulls, groupIds: null })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ ...nulls, groups: [] })
  })

  test('takes the longest values', async () => {
    const values = { name: 'n'.repeat(255), lastName: 'l'.repeat(255), phone: '1'.repeat(50) }
    const email = `${'e'.repeat(310)}@acme.test`
    expect((await acme.post('/v1/contacts', { email, ...values })).body).toMatchObject({ email, ...values })
  })
})

describe('refuses to create a contact', () => {
  const address = 'email: must be an email address of at most 320 characters'
  const unknownId = '019ca8b6-0000-7000-8000-000000000000'
  test.each([
    [undefined, 'body: a JSON object is required'],
    [{}, 'email: is required'],
    [{ email: null }, 'email: must be a string'],
    [{ email: '' }, address],
    [{ email: 'nobody' }, address],
    [{ email: '@acme.test' }, address],
    [{ email: 'a@' }, address],
    [{ email: 'a b@acme.test' }, address],
    [{ email: 'a@acme.test, b@acme.test' }, address],
    [{ email: 'Ada <ada@acme.test>' }, address],
    [{ email: 'a@acme.test\nBcc: x@acme.test' }, address],
    [{ email: `${'e'.repeat(311)}@acme.test` }, 'email: must be at most 320 characters'],
    [{ name: 'n'.repeat(256) }, 'name: must be at most 255 characters'],
    [{ name: 5 }, 'name: must be a string'],
    [{ lastName: 'n'.repeat(256) }, 'lastName: must be at most 255 characters'],
    [{ phone: '1'.repeat(51) }, 'phone: must be at most 50 characters'],
    [{ organisationId: 'acme' }, 'organisationId: must be a UUID'],
    [{ organisationId: '' }, 'organisationId: must be a UUID'],
    [{ organisationId: unknownId }, 'organisationId: there is no such organisation'],
    [{ groupIds: [1, 2_000_000] }, 'groupIds[1]: there is no group 2000000'],
    [{ groupIds: [-1] }, 'groupIds[0]: there is no group -1'],
    [{ groupIds: ['1'] }, 'groupIds[0]: must be a whole number'],
    [{ groupIds: [1.5] }, 'groupIds[0]: must be a whole number'],
    [{ groupIds: 1 }, 'groupIds: must be an array'],
    [{ groupIds: Array(1001).fill(1) }, 'groupIds: at most 1000 items are allowed'],
    [{ unsubscribed: true }, 'unsubscribed: unknown field'],
    [{ source: 'import' }, 'source: unknown field'],
    [{ Name: 'Ada' }, 'Name: unknown field'],
  ])('with %j, leaving no trace', async (wrong, message) => {
    await createTestGroup(acme)
    const before = await traces(acme)
    const isWhole = wrong === undefined || 'email' in wrong || Object.keys(wrong).length === 0
    const body = isWhole ? wrong : { email: 'x@acme.test', ...wrong }
    const answer = await acme.post('/v1/contacts', body)
    expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
    expect(await traces(acme)).toEqual(before)
  })

  test("with another tenant's organisation or group, as with one that is not there", async () => {
    const tenant = await app.createTenant()
    const organisation = await createTestOrganisation(other)
    const group = await createTestGroup(other)
    for (const [wrong, message] of [
      [{ organisationId: organisation.id }, 'organisationId: there is no such organisation'],
      [{ groupIds: [group.id] }, `groupIds[0]: there is no group ${group.id}`],
    ] as const) {
      const answer = await tenant.post('/v1/contacts', { email: 'x@acme.test', ...wrong })
      expect([answer.status, answer.body.message]).toEqual([400, message])
    }
    expect(await traces(tenant)).toEqual([0, 0])
  })

  test.each(['twice@acme.test', 'TWICE@Acme.Test', '  twice@acme.test\t'])(
    'with the address of another, written %j: a 409 that names it and records nothing',
    async (email) => {
      const tenant = await app.createTenant()
      const { body: first } = await tenant.post('/v1/contacts', { email: 'Twice@acme.test' })
      const before = await traces(tenant)
      const answer = await tenant.post('/v1/contacts', { email, name: 'Second' })
      expect(answer.status).toBe(409)
      expect(answer.body).toEqual(problem('conflict', expect.any(String), { contactId: first.id }))
      expect(await traces(tenant)).toEqual(before)
      expect((await other.post('/v1/contacts', { email: `${tenant.tenantId}${email.trim()}` })).status).toBe(201)
    },
  )

  test('twice at the same moment: one is created, the others are told of it', async () => {
    const tenant = await app.createTenant()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.post('/v1/contacts', { email: 'race@acme.test' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    const id = answers.find(({ status }) => status === 201)?.body.id
    for (const { status, body } of answers) if (status === 409) expect(body.contactId).toBe(id)
    expect(await traces(tenant)).toEqual([1, 1])
  })
})

describe('a new contact without an organisation', () => {
  test("joins the one of its email's domain, whatever its case", async () => {
    const { id } = await createTestOrganisation(acme, { domain: 'joins.test' })
    const { body } = await acme.post('/v1/contacts', { email: 'new@JOINS.test' })
    expect(body.organisationId).toBe(id)
  })

  test.each(['a@sub.alone.test', 'a@alone.test.evil.test'])(
    'does not join that of another domain: %s',
    async (email) => {
      await createTestOrganisation(acme, { domain: 'alone.test' })
      expect((await acme.post('/v1/contacts', { email })).body.organisationId).toBeNull()
    },
  )

  test("does not join another tenant's, nor one that is not of its domain when it names one", async () => {
    await createTestOrganisation(other, { domain: 'theirs.test' })
    expect((await acme.post('/v1/contacts', { email: 'a@theirs.test' })).body.organisationId).toBeNull()
    await createTestOrganisation(acme, { domain: 'two.test' })
    const chosen = await createTestOrganisation(acme, { domain: 'one.test' })
    const { body } = await acme.post('/v1/contacts', { email: 'a@two.test', organisationId: chosen.id })
    expect(body.organisationId).toBe(chosen.id)
  })
})

test('every call on contacts needs its scope', async () => {
  const { body } = await acme.post('/v1/contacts', { email: 'scoped@acme.test' })
  const reader = (await acme.createKey(['contacts:read', 'forms:write'])).key
  const writer = (await acme.createKey(['contacts:write'])).key
  const path = `/v1/contacts/${body.id}`
  const before = await acme.events()
  for (const [method, at] of [
    ['POST', '/v1/contacts'],
    ['PUT', path],
    ['POST', `${path}/unsubscribe`],
    ['POST', `${path}/subscribe`],
    ['DELETE', path],
  ] as const) {
    const answer = await app.request(method, at, { key: reader, body: method === 'PUT' ? 'not json' : undefined })
    expect([method, answer.status, answer.body?.error]).toEqual([method, 403, 'insufficient_scope'])
    expect(answer.body.message).toContain('contacts:write')
  }
  for (const at of ['/v1/contacts', path]) {
    expect((await app.request('GET', at, { key: reader })).status).toBe(200)
    expect((await app.request('GET', at, { key: writer })).status).toBe(403)
  }
  expect(await acme.events()).toEqual(before)
})
