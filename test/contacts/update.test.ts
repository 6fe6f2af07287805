import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant
// biome-ignore lint/suspicious/noExplicitAny: a contact as it came
let ada: any
let path: string

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  ada = await createTestContact(acme, { email: 'ada@acme.test', name: 'Ada', lastName: 'Lovelace', phone: '1' })
  path = `/v1/contacts/${ada.id}`
  app.clock.advance(1000)
})
afterAll(() => app.close())

const now = () => new Date(app.clock.now()).toISOString()

describe('updating a contact', () => {
  test('changes the fields present alone, and records one event with the new state', async () => {
    const answer = await acme.put(path, { name: 'Augusta', phone: '+44' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...ada, name: 'Augusta', phone: '+44', updatedAt: now() })
    expect((await acme.get(path)).body).toEqual(answer.body)
    const [, ...events] = await acme.events()
    expect(events.map(({ event, timestamp, payload }) => [event, timestamp, payload])).toEqual([
      [
        'contact.created_or_updated',
        now(),
        { id: ada.id, name: 'Augusta', email: 'ada@acme.test', groups: [], customValues: [] },
      ],
    ])
  })

  test('null clears name, lastName, phone and organisationId', async () => {
    const { id: organisationId } = await createTestOrganisation(acme)
    expect((await acme.put(path, { organisationId })).body.organisationId).toBe(organisationId)
    const nulls = { name: null, lastName: null, phone: null, organisationId: null }
    expect((await acme.put(path, nulls)).body).toMatchObject(nulls)
    expect((await acme.events()).at(-1)?.payload.name).toBeNull()
  })

  test('null for email and groupIds counts as left out', async () => {
    const group = await createTestGroup(acme)
    await acme.put(path, { groupIds: [group.id] })
    const before = await acme.events()
    const answer = await acme.put(path, { email: null, groupIds: null })
    expect([answer.status, answer.body.email, answer.body.groups.length]).toEqual([200, ada.email, 1])
    expect(await acme.events()).toEqual(before)
  })

  test('replaces the groups with those of groupIds', async () => {
    const [a, b, c] = [await createTestGroup(acme), await createTestGroup(acme), await createTestGroup(acme)]
    const groupsAfter = async (groupIds: number[]) =>
      (await acme.put(path, { groupIds })).body.groups.map(({ id }: { id: number }) => id)
    expect(await groupsAfter([a.id, b.id])).toEqual([a.id, b.id])
    expect(await groupsAfter([c.id, b.id])).toEqual([b.id, c.id])
    expect(await groupsAfter([])).toEqual([])
    expect((await acme.put(path, { groupIds: [a.id] })).body.updatedAt).toBe(now())
    expect(
      (await acme.get('/v1/groups')).body.items.map((group: { contactCount: number }) => group.contactCount),
    ).toEqual([0, 0, 1])
  })

  test('that changes nothing answers 200, records nothing and leaves updatedAt', async () => {
    const group = await createTestGroup(acme)
    const { id: organisationId } = await createTestOrganisation(acme)
    const { body: before } = await acme.put(path, { groupIds: [group.id], organisationId })
    const events = await acme.events()
    app.clock.advance(1000)
    const same = { name: 'Ada', lastName: 'Lovelace', phone: '1' }
    for (const body of [
      {},
      same,
      { email: ' ada@acme.test ' },
      { groupIds: [group.id, group.id] },
      { organisationId: organisationId.toUpperCase() },
    ]) {
      const answer = await acme.put(path, body)
      expect([answer.status, answer.body]).toEqual([200, before])
    }
    expect(await acme.events()).toEqual(events)
  })

  test('may write its own address differently', async () => {
    expect((await acme.put(path, { email: 'ADA@acme.test' })).body.email).toBe('ADA@acme.test')
    expect((await acme.get('/v1/contacts?email=ada@acme.test')).body.items).toHaveLength(1)
  })

  test("does not move it to the organisation of the new address's domain", async () => {
    await createTestOrganisation(acme, { domain: 'new.test' })
    expect((await acme.put(path, { email: 'ada@new.test' })).body.organisationId).toBeNull()
  })

  test('frees the address it had', async () => {
    await acme.put(path, { email: 'new@acme.test' })
    expect((await acme.post('/v1/contacts', { email: 'ada@acme.test' })).status).toBe(201)
  })
})

describe('refuses to update a contact', () => {
  test.each([
    [undefined, 'body: a JSON object is required'],
    [{ email: '' }, 'email: must be an email address of at most 320 characters'],
    [{ email: 'nobody' }, 'email: must be an email address of at most 320 characters'],
    [{ email: `${'e'.repeat(311)}@acme.test` }, 'email: must be at most 320 characters'],
    [{ name: 'n'.repeat(256) }, 'name: must be at most 255 characters'],
    [{ lastName: 'n'.repeat(256) }, 'lastName: must be at most 255 characters'],
    [{ phone: '1'.repeat(51) }, 'phone: must be at most 50 characters'],
    [{ organisationId: 'x' }, 'organisationId: must be a UUID'],
    [{ organisationId: '019ca8b6-0000-7000-8000-000000000000' }, 'organisationId: there is no such organisation'],
    [{ groupIds: [99] }, 'groupIds[0]: there is no group 99'],
    [{ id: 'x' }, 'id: unknown field'],
  ])('with %j, changing and recording nothing, and before it looks for the contact', async (wrong, message) => {
    const events = await acme.events()
    for (const at of [path, '/v1/contacts/019ca8b6-0000-7000-8000-000000000000']) {
      const answer = await acme.put(at, wrong && { phone: '2', ...wrong })
      expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
    }
    expect((await acme.get(path)).body).toEqual(ada)
    expect(await acme.events()).toEqual(events)
  })

  test("with another contact's address: a 409 that names it", async () => {
    const grace = await createTestContact(acme, { email: 'grace@navy.test' })
    const events = await acme.events()
    const answer = await acme.put(path, { email: 'GRACE@navy.test', name: 'changed' })
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual(problem('conflict', expect.any(String), { contactId: grace.id }))
    expect((await acme.get(path)).body).toEqual(ada)
    expect(await acme.events()).toEqual(events)
  })

  test('of another tenant, or that is not there: a 404 for every call, and nothing happens', async () => {
    const other = await app.createTenant('Other')
    const theirs = await createTestContact(other)
    const before = [await other.events(), await acme.events()]
    for (const id of [theirs.id, '019ca8b6-0000-7000-8000-000000000000', 'nonsense', '..%2Fme']) {
      const at = `/v1/contacts/${id}`
      const answers = [
        await acme.get(at),
        await acme.put(at, { name: 'x' }),
        await acme.post(`${at}/unsubscribe`),
        await acme.post(`${at}/subscribe`),
        await acme.delete(at),
      ]
      for (const answer of answers) {
        expect([answer.status, answer.body]).toEqual([404, problem('not_found', 'contact not found')])
      }
    }
    expect((await other.get(`/v1/contacts/${theirs.id}`)).body).toEqual(theirs)
    expect([await other.events(), await acme.events()]).toEqual(before)
  })
})
