import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { auditOf } from '../support/api/audit.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const at = (email: string) => `/v1/contacts/by-email/${encodeURIComponent(email)}`
const kinds = async () => (await acme.events()).map(({ event }) => event)
const contacts = async () => (await acme.get('/v1/contacts?limit=100')).body.items

describe('creating or updating a contact by its email', () => {
  test('creates it where nobody has the address, as POST does', async () => {
    const { id: organisationId } = await createTestOrganisation(acme, { domain: 'acme.test' })
    const answer = await acme.put(at('Ada@acme.test'), { name: 'Ada', phone: null })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/contacts/${answer.body.id}`)
    const posted = await acme.post('/v1/contacts', { email: 'other@acme.test', name: 'Ada', phone: null })
    const { id: _, email: __, ...made } = answer.body
    const { id: ___, email: ____, ...expected } = posted.body
    expect([answer.body.email, made]).toEqual(['Ada@acme.test', { ...expected, organisationId }])
    expect((await acme.get(`/v1/contacts/${answer.body.id}`)).body).toEqual(answer.body)
    expect(await kinds()).toEqual(['contact.created_or_updated', 'contact.created_or_updated'])
    expect(await auditOf(app, acme, answer.body.id)).toMatchObject([{ action: 'contact.created' }])
  })

  test('changes the fields present of the one who has it, whatever the case, and keeps how the address is written', async () => {
    const ada = await createTestContact(acme, { email: 'Ada@acme.test', name: 'Ada', lastName: 'Lovelace' })
    app.clock.advance(1000)
    const answer = await acme.put(at(' ADA@ACME.test '), { name: 'Augusta', lastName: null })
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    const updatedAt = new Date(app.clock.now()).toISOString()
    expect(answer.body).toEqual({ ...ada, name: 'Augusta', lastName: null, updatedAt })
    expect(await contacts()).toEqual([answer.body])
    expect(await auditOf(app, acme, ada.id)).toMatchObject([
      { action: 'contact.created' },
      { action: 'contact.updated', fields: 'name,lastName' },
    ])
  })

  test('sent again changes nothing and records nothing, with an Idempotency-Key and without', async () => {
    const group = await createTestGroup(acme)
    const body = { name: 'Ada', groupIds: [group.id] }
    const first = await acme.put(at('ada@acme.test'), body)
    const before = [await acme.events(), await auditOf(app, acme)]
    app.clock.advance(1000)
    for (const headers of [undefined, { 'idempotency-key': 'nightly' }, { 'idempotency-key': 'nightly' }]) {
      const again = await acme.put(at('ada@acme.test'), body, headers)
      expect([again.status, again.body]).toEqual([200, first.body])
    }
    expect([await acme.events(), await auditOf(app, acme)]).toEqual(before)
  })

  test('at the same moment makes one contact, and each change counts', async () => {
    const bodies = [{ name: 'Ada' }, { lastName: 'Lovelace' }, { phone: '1' }, {}, {}, {}, {}, {}]
    const answers = await Promise.all(bodies.map((body) => acme.put(at('race@acme.test'), body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(await contacts()).toMatchObject([{ name: 'Ada', lastName: 'Lovelace', phone: '1' }])
  })

  test("leaves another tenant's contact of that address alone", async () => {
    const other = await app.createTenant()
    const theirs = await createTestContact(other, { email: 'ada@acme.test' })
    expect((await acme.put(at('ada@acme.test'), { name: 'Ada' })).status).toBe(201)
    expect((await other.get(`/v1/contacts/${theirs.id}`)).body).toEqual(theirs)
  })

  const address = 'email: must be an email address of at most 320 characters'
  test.each([
    ['nobody', {}, address],
    ['a b@acme.test', {}, address],
    ['Ada <ada@acme.test>', {}, address],
    [`${'e'.repeat(311)}@acme.test`, {}, address],
    ['019ca8b6-0000-7000-8000-000000000000', {}, address],
    ['new@acme.test', { email: 'new@acme.test' }, 'email: unknown field'],
    ['new@acme.test', { name: 5 }, 'name: must be a string'],
    ['new@acme.test', { groupIds: [9] }, 'groupIds[0]: there is no group 9'],
    ['new@acme.test', undefined, 'body: a JSON object is required'],
  ])('refuses %j with %j, leaving no trace', async (email, body, message) => {
    const answer = await acme.put(at(email), body)
    expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
    expect([await contacts(), await acme.events()]).toEqual([[], []])
  })

  test('refuses a known contact a group that is not there, and changes nothing', async () => {
    const ada = await createTestContact(acme, { email: 'ada@acme.test' })
    const before = await acme.events()
    const answer = await acme.put(at('ada@acme.test'), { name: 'Augusta', groupIds: [9] })
    expect([answer.status, answer.body.message]).toEqual([400, 'groupIds[0]: there is no group 9'])
    expect([await contacts(), await acme.events()]).toEqual([[ada], before])
  })

  test('needs contacts:write', async () => {
    const { key } = await acme.createKey(['contacts:read'])
    expect((await app.request('PUT', at('ada@acme.test'), { key, body: {} })).status).toBe(403)
    expect([await contacts(), await acme.events()]).toEqual([[], []])
  })
})
