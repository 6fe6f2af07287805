import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createGroup } from '../../src/groups/operations.ts'
import { exportContact } from '../../src/privacy/export.ts'
import { auditOf } from '../support/api/audit.ts'
import { addContacts, beginImport, createTestContact } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { signedIn } from '../support/pages/console.ts'
import { rulesOf } from '../support/tickets/rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

describe('listing groups', () => {
  test('shows all of them, newest first, with the contacts they have now', async () => {
    const tenant = await app.createTenant()
    const news = await tenant.perform((tx, caller) =>
      createGroup(tx, caller, { name: 'News', consentWording: 'I want news', consentGroupType: 'marketing' }),
    )
    const empty = await tenant.perform((tx, caller) => createGroup(tx, caller, { name: 'Empty' }))
    for (const email of ['a@acme.test', 'b@acme.test']) {
      await tenant.post('/v1/contacts', { email, groupIds: [news.id] })
    }
    const answer = await tenant.get('/v1/groups')
    expect(answer.body).toEqual({
      items: [
        {
          id: empty.id,
          name: 'Empty',
          consentWording: null,
          consentGroupType: null,
          contactCount: 0,
          createdAt: '2026-03-01T09:00:00.000Z',
        },
        { ...news, contactCount: 2, consentWording: 'I want news', consentGroupType: 'marketing' },
      ],
      nextCursor: null,
    })
  })

  test("leaves other tenants' groups and their members out, though their ids are the same numbers", async () => {
    const [one, two] = [await app.createTenant(), await app.createTenant()]
    const { id } = await one.perform((tx, caller) => createGroup(tx, caller, { name: 'One' }))
    const theirs = await two.perform((tx, caller) => createGroup(tx, caller, { name: 'Two' }))
    expect(theirs.id).toBe(id)
    await one.post('/v1/contacts', { email: 'a@acme.test', groupIds: [id] })
    expect((await two.get('/v1/groups')).body.items).toEqual([{ ...theirs, contactCount: 0 }])
  })

  test('needs contacts:read', async () => {
    const { key } = await (await app.createTenant()).createKey(['contacts:write'])
    expect((await app.request('GET', '/v1/groups', { key })).status).toBe(403)
  })
})

const NEWS = { name: 'News', consentWording: 'Send me news', consentGroupType: 'newsletter' }

const made = async (tenant: TestTenant, body: object = NEWS) => (await tenant.post('/v1/groups', body)).body

describe('creating a group', () => {
  test('answers 201 with where it is, and is noted', async () => {
    const tenant = await app.createTenant()
    const answer = await tenant.post('/v1/groups', { ...NEWS, name: ' News ' })
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/groups/${answer.body.id}`])
    expect(answer.body).toEqual({ id: 1, ...NEWS, contactCount: 0, createdAt: '2026-03-01T09:00:00.000Z' })
    expect((await tenant.get(`/v1/groups/${answer.body.id}`)).text).toBe(answer.text)
    expect(await auditOf(app, tenant, answer.body.id)).toMatchObject([{ action: 'group.created' }])
    expect((await made(tenant, { name: 'Plain', consentWording: '' })).consentWording).toBeNull()
  })

  test('twice under one Idempotency-Key makes one', async () => {
    const tenant = await app.createTenant()
    const send = () => tenant.post('/v1/groups', NEWS, { 'idempotency-key': 'once' })
    const [first, second] = [await send(), await send()]
    expect([second.status, second.body]).toEqual([201, first.body])
    expect((await tenant.get('/v1/groups')).body.items).toEqual([first.body])
  })

  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'x', consentWording: 'x'.repeat(10_001) }, 'consentWording'],
    [{ name: 'x', consentGroupType: 'x'.repeat(256) }, 'consentGroupType'],
    [{ name: 'x', contactCount: 1 }, 'contactCount'],
  ])('refuses %j', async (body, place) => {
    const tenant = await app.createTenant()
    const answer = await tenant.post('/v1/groups', body)
    expect([answer.status, answer.body.param]).toEqual([400, place])
    expect((await tenant.get('/v1/groups')).body.items).toEqual([])
  })

  test('needs contacts:write, as changing and deleting do: nothing is done without', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    const { key } = await tenant.createKey(['contacts:read'])
    const path = `/v1/groups/${group.id}`
    for (const [method, at, body] of [
      ['POST', '/v1/groups', NEWS],
      ['PUT', path, { name: 'No' }],
      ['DELETE', path, undefined],
    ] as const) {
      const answer = await app.request(method, at, { key, body })
      expect([method, answer.status, answer.body.error]).toEqual([method, 403, 'insufficient_scope'])
    }
    expect((await tenant.get('/v1/groups')).body.items).toEqual([group])
  })
})

describe('updating a group', () => {
  test('changes the fields present alone; null clears the wording and its kind', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    const path = `/v1/groups/${group.id}`
    expect((await tenant.put(path, { name: ' Tips ' })).body).toEqual({ ...group, name: 'Tips' })
    const cleared = await tenant.put(path, { name: null, consentGroupType: null })
    expect([cleared.status, cleared.body]).toEqual([200, { ...group, name: 'Tips', consentGroupType: null }])
    expect((await tenant.put(path, {})).body).toEqual(cleared.body)
    expect((await tenant.get(path)).body).toEqual(cleared.body)
    const fields = (await auditOf(app, tenant, group.id)).map((entry) => entry.fields)
    expect(fields).toEqual([null, 'name', 'consentGroupType'])
  })

  test('leaves the wording that members agreed to as it is: a 409, and their group may have another name', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    await createTestContact(tenant, { groupIds: [group.id] })
    const path = `/v1/groups/${group.id}`
    for (const body of [
      { consentWording: 'Everything' },
      { consentGroupType: null },
      { name: 'x', consentWording: '' },
    ]) {
      const answer = await tenant.put(path, body)
      expect([answer.status, answer.body]).toEqual([
        409,
        problem('conflict', 'the members of this group have agreed to its wording'),
      ])
    }
    expect((await tenant.get(path)).body).toEqual({ ...group, contactCount: 1 })
    expect((await tenant.put(path, { ...NEWS, name: 'Tips' })).body).toEqual({
      ...group,
      name: 'Tips',
      contactCount: 1,
    })
  })

  test.each(['0', '999', '-1', '1.5', '01x', '1e0', '9'.repeat(15), '9'.repeat(30), 'nonsense', '%00'])(
    'finds none of the id %s, as reading and deleting do',
    async (id) => {
      const tenant = await app.createTenant()
      await made(tenant)
      const answers = [
        await tenant.get(`/v1/groups/${id}`),
        await tenant.put(`/v1/groups/${id}`, { name: 'x' }),
        await tenant.delete(`/v1/groups/${id}`),
      ]
      for (const { status, body } of answers)
        expect([status, body]).toEqual([404, problem('not_found', 'group not found')])
    },
  )
})

describe('deleting a group', () => {
  test('has its contacts stay without it: who polls sees it, each is noted, and no event tells of it', async () => {
    const tenant = await app.createTenant()
    const [group, other] = [await made(tenant), await made(tenant, { name: 'Other' })]
    const contact = await createTestContact(tenant, { groupIds: [group.id, other.id] })
    app.clock.advance(1000)
    const since = new Date(app.clock.now()).toISOString()
    const events = (await tenant.events()).length
    const answer = await tenant.delete(`/v1/groups/${group.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { body } = await tenant.get(`/v1/contacts?updated_since=${since}`)
    expect(body.items).toMatchObject([{ id: contact.id, groups: [{ id: other.id }], updatedAt: since }])
    expect(await tenant.events()).toHaveLength(events)
    expect(await auditOf(app, tenant, contact.id)).toMatchObject([
      { action: 'contact.created' },
      { action: 'contact.group_joined', fields: String(group.id) },
      { action: 'contact.group_joined', fields: String(other.id) },
      { action: 'contact.group_left', fields: String(group.id) },
    ])
    const actions = (await auditOf(app, tenant, group.id)).map(({ action }) => action)
    expect(actions).toEqual(['group.created', 'group.deleted'])
  })

  test('has it gone wherever groups are: it is not joined, changed or shown again, and its number is nobody’s', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    await tenant.delete(`/v1/groups/${group.id}`)
    const path = `/v1/groups/${group.id}`
    expect((await tenant.get('/v1/groups')).body.items).toEqual([])
    expect((await tenant.get(path)).status).toBe(404)
    expect((await tenant.put(path, { name: 'Back' })).status).toBe(404)
    expect((await tenant.delete(path)).status).toBe(404)
    const joining = await tenant.post('/v1/contacts', { email: 'a@acme.test', groupIds: [group.id] })
    expect([joining.status, joining.body.message]).toEqual([400, `groupIds[0]: there is no group ${group.id}`])
    expect((await made(tenant)).id).toBe(group.id + 1)
    const admin = await signedIn(app, tenant)
    for (const page of ['/console/contacts/groups/1', '/console/contacts/groups/1/delete'])
      expect((await (page.endsWith('delete') ? admin.post(page) : admin.get(page))).status).toBe(404)
  })

  test('leaves the proof of what its members agreed to: in their history and in what is handed out', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    const { id } = await createTestContact(tenant, { groupIds: [group.id] })
    await tenant.delete(`/v1/groups/${group.id}`)
    const admin = await signedIn(app, tenant)
    const { text } = await admin.get(`/console/contacts/${id}`)
    for (const line of ['Joined the group News', 'Send me news', 'Left the group News']) expect(text).toContain(line)
    let exported = ''
    for await (const part of exportContact(app.database.db, tenant.tenantId, id)) exported += part
    const { contactCount: _, createdAt: __, ...shown } = group
    const { consent, contact } = JSON.parse(exported)
    expect(contact.groups).toEqual([])
    expect(consent).toMatchObject([
      { group: shown, joined: false },
      { group: shown, joined: true },
    ])
  })

  test('is done in the console, too, by agents: its page says how many leave it', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    const contact = await createTestContact(tenant, { groupIds: [group.id] })
    const agent = await signedIn(app, tenant, 'agent')
    const path = `/console/contacts/groups/${group.id}`
    expect((await agent.get(path)).text).toContain('News will be gone for good. Its 1 contact stays')
    const answer = await agent.post(`${path}/delete`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/contacts/groups'])
    expect((await agent.get('/console/contacts/groups')).text).toContain('News was deleted.')
    expect((await tenant.get('/v1/groups')).body.items).toEqual([])
    expect((await tenant.get(`/v1/contacts/${contact.id}`)).body.groups).toEqual([])
  })

  test('that is large takes several steps, and leaves none of its contacts behind in it', async () => {
    const tenant = await app.createTenant()
    const [group, other] = [await made(tenant), await made(tenant, { name: 'Other' })]
    await addContacts(tenant, 601, { groupId: group.id })
    const stays = await createTestContact(tenant, { groupIds: [other.id] })
    expect((await tenant.delete(`/v1/groups/${group.id}`)).status).toBe(204)
    expect((await tenant.get('/v1/groups')).body.items).toMatchObject([{ id: other.id, contactCount: 1 }])
    expect((await tenant.get(`/v1/contacts/${stays.id}`)).body).toEqual(stays)
    const left = (await auditOf(app, tenant)).filter(({ action }) => action === 'contact.group_left')
    expect(left).toHaveLength(601)
  })

  test('has rules that name it fail, by their conditions and by what they do', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    const rules = rulesOf(app, tenant)
    const asking = await rules.create({
      when: { all: [{ field: 'contact.group', is: String(group.id) }] },
      then: [{ do: 'add_tags', tags: ['news'] }],
    })
    const adding = await rules.create({ then: [{ do: 'add_to_group', group: group.id }] })
    for (const { id } of [asking, adding]) expect(await rules.show(id)).toMatchObject({ failing: false })
    await tenant.delete(`/v1/groups/${group.id}`)
    const error = (place: string) => ({ failing: true, error: `${place}: there is no group ${group.id}` })
    expect(await rules.show(asking.id)).toMatchObject(error('when.all[0].is'))
    expect(await rules.show(adding.id)).toMatchObject(error('then[0].group'))
  })

  test('is refused while contacts of a file are joining it, which it names, and works when they are in', async () => {
    const tenant = await app.createTenant()
    const group = await made(tenant)
    const { id: contactId } = await createTestContact(tenant, { groupIds: [group.id] })
    const finish = await beginImport(tenant, [group.id])
    const answer = await tenant.delete(`/v1/groups/${group.id}`)
    expect([answer.status, answer.body]).toEqual([
      409,
      problem(
        'conflict',
        'contacts of the file guests.csv are joining this group: wait until all are in, or stop that',
      ),
    ])
    expect((await tenant.get(`/v1/contacts/${contactId}`)).body.groups).toHaveLength(1)
    const other = await made(tenant, { name: 'Other' })
    expect((await tenant.delete(`/v1/groups/${other.id}`)).status).toBe(204)
    await finish()
    expect((await tenant.delete(`/v1/groups/${group.id}`)).status).toBe(204)
  })

  test("of another tenant is not found, though one's own may have the same number", async () => {
    const [one, two] = [await app.createTenant(), await app.createTenant()]
    await made(two)
    const theirs = await made(two, { name: 'Second' })
    await made(one)
    expect((await one.delete(`/v1/groups/${theirs.id}`)).status).toBe(404)
    expect((await two.get(`/v1/groups/${theirs.id}`)).body).toEqual(theirs)
    const member = await createTestContact(two, { groupIds: [1] })
    expect((await one.delete('/v1/groups/1')).status).toBe(204)
    expect((await two.get(`/v1/contacts/${member.id}`)).body).toEqual(member)
  })
})
