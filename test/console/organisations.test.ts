import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, desc, eq } from 'drizzle-orm'
import { createCustomField, setCustomValue } from '../../src/contacts/fields/custom-fields.ts'
import { auditEntries } from '../../src/db/schema.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant
let agent: ConsoleBrowser

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  acme = await app.createTenant()
  other = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

/** What the first cell of each row of a table says. */
const rowsIn = (text: string) =>
  [...text.matchAll(/<th scope="row">(.*?)<\/th>/gs)].map(([, cell]) => cell?.replace(/<[^>]*>/g, ''))
const lastNoted = async (recordId: string) =>
  (
    await app.database.db
      .select({ action: auditEntries.action, fields: auditEntries.fields })
      .from(auditEntries)
      .where(and(eq(auditEntries.tenantId, acme.tenantId), eq(auditEntries.recordId, recordId)))
      .orderBy(desc(auditEntries.number))
      .limit(1)
  )[0]

describe('organisations', () => {
  test('are made, changed and found by how their names begin; what breaks a rule is refused beside its field', async () => {
    const made = await agent.post('/console/organisations/new', { name: ' Ölwerk AG ', domain: 'Oelwerk.Test' })
    expect(made.status).toBe(303)
    const page = await agent.follow(made)
    for (const part of ['The organisation was created.', '<h1>Ölwerk AG</h1>', 'oelwerk.test', 'Nobody belongs to it'])
      expect(page.text).toContain(part)
    const path = made.headers.get('location') as string
    expect(rowsIn((await agent.get(`/console/organisations?q=${encodeURIComponent('ölw')}`)).text)).toEqual([
      'Ölwerk AG',
    ])
    expect(rowsIn((await agent.get('/console/organisations?q=werk')).text)).toEqual([])

    const refused = await agent.post('/console/organisations/new', { name: 'Kept', domain: 'no domain' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Must be a domain such as acme.test.')
    expect(refused.text).toContain('value="Kept"')

    const version = /name="version" value="([^"]*)"/.exec((await agent.get(`${path}/edit`)).text)?.[1] as string
    app.clock.advance(1000)
    expect((await agent.post(`${path}/edit`, { version, name: 'Ölwerk SE', domain: '' })).status).toBe(303)
    expect((await agent.get(path)).text).toContain('<h1>Ölwerk SE</h1>')
    expect(await lastNoted(path.split('/').at(-1) as string)).toEqual({
      action: 'organisation.updated',
      fields: 'name,domain',
    })
    const late = await agent.post(`${path}/edit`, { version, name: 'Lost?', domain: '' })
    expect(late.status).toBe(400)
    expect(late.text).toContain('What is stored now: Ölwerk SE')
    expect(late.text).toContain('value="Lost?"')
  })

  test('show their contacts and latest tickets, and nothing of others', async () => {
    const { id } = await createTestOrganisation(acme, { name: 'Shown Ltd' })
    const member = await createTestContact(acme, { name: 'Mia', lastName: 'Member', organisationId: id })
    const stranger = await createTestContact(acme, { name: 'Stan', lastName: 'Stranger' })
    await createTicket(acme, { email: member.email, subject: '<b>Where</b> is it?' })
    await createTicket(acme, { email: stranger.email, subject: 'Not theirs' })
    const { text } = await agent.get(`/console/organisations/${id}`)
    for (const part of ['Mia Member', '&lt;b&gt;Where&lt;/b&gt; is it?']) expect(text).toContain(part)
    for (const part of ['Stan Stranger', 'Not theirs']) expect(text).not.toContain(part)
  })

  test('are deleted, and their contacts stay: hundreds of them, and nothing fires', async () => {
    const { id } = await createTestOrganisation(acme, { name: 'Doomed' })
    const members = await Promise.all(
      Array.from({ length: 501 }, () => createTestContact(acme, { organisationId: id })),
    )
    const before = (await acme.events()).length
    const answer = await agent.post(`/console/organisations/${id}/delete`)
    expect(answer.headers.get('location')).toBe('/console/organisations')
    expect((await acme.get(`/v1/organisations/${id}`)).status).toBe(404)
    for (const { id: member } of [members[0], members[500]])
      expect((await acme.get(`/v1/contacts/${member}`)).body.organisationId).toBeNull()
    expect(await acme.events()).toHaveLength(before)
    expect(await lastNoted(id)).toMatchObject({ action: 'organisation.deleted' })
    expect((await agent.post(`/console/organisations/${id}/delete`)).status).toBe(404)
  })

  test('of another tenant are not there', async () => {
    const { id } = await createTestOrganisation(other, { name: 'Elsewhere' })
    for (const page of ['', '/edit']) expect((await agent.get(`/console/organisations/${id}${page}`)).status).toBe(404)
    expect((await agent.post(`/console/organisations/${id}/edit`, { name: 'x', version: '' })).status).toBe(404)
    expect((await agent.post(`/console/organisations/${id}/delete`)).status).toBe(404)
    expect((await agent.get('/console/organisations')).text).not.toContain('Elsewhere')
    expect((await other.get(`/v1/organisations/${id}`)).body.name).toBe('Elsewhere')
  })
})

describe('groups', () => {
  const versionIn = (text: string) =>
    (/name="version" value="([^"]*)"/.exec(text)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')

  test('are made with what their members agree to, which stays once somebody has', async () => {
    const made = await agent.post('/console/contacts/groups/new', { name: 'Letter', consentWording: 'I want <it>.' })
    const list = await agent.follow(made)
    expect(list.text).toContain('Letter was created.')
    expect(list.text).toContain('I want &lt;it&gt;.')
    const { items } = (await acme.get('/v1/groups')).body
    const { id } = items.find(({ name }: { name: string }) => name === 'Letter')
    const path = `/console/contacts/groups/${id}`
    const empty = versionIn((await agent.get(path)).text)
    const changed = { version: empty, name: 'Letter', consentWording: 'I want it all.', consentGroupType: 'newsletter' }
    expect((await agent.post(path, changed)).status).toBe(303)
    expect(await lastNoted(String(id))).toEqual({ action: 'group.updated', fields: 'consentWording,consentGroupType' })

    await createTestContact(acme, { groupIds: [id] })
    const page = await agent.get(path)
    expect(page.text).toContain('One contact has agreed to this wording')
    expect(page.text).not.toContain('name="consentWording"')
    const version = versionIn(page.text)
    const forced = await agent.post(path, { version, name: 'Letter', consentWording: 'Something else' })
    expect(forced.status).toBe(400)
    expect(forced.text).toContain('Somebody has joined meanwhile')
    expect((await agent.post(path, { version, name: 'Weekly letter' })).status).toBe(303)
    const after = (await acme.get('/v1/groups')).body.items.find((group: { id: number }) => group.id === id)
    expect(after).toMatchObject({ name: 'Weekly letter', consentWording: 'I want it all.', contactCount: 1 })
    const late = await agent.post(path, { version, name: 'Too late' })
    expect([late.status, late.text.includes('What is stored now: Weekly letter')]).toEqual([400, true])
  })

  test.each([
    ['without a name', { name: '' }],
    ['with too long a wording', { name: 'x', consentWording: 'x'.repeat(10_001) }],
  ])('are not made %s', async (_, fields) => {
    const before = (await acme.get('/v1/groups')).body.items.length
    expect((await agent.post('/console/contacts/groups/new', fields)).status).toBe(400)
    expect((await acme.get('/v1/groups')).body.items).toHaveLength(before)
  })

  test.each(['999999', 'x', '99999999999999999999', '1.5'])('that are not there have no page: %s', async (id) => {
    expect((await agent.get(`/console/contacts/groups/${id}`)).status).toBe(404)
    expect((await agent.post(`/console/contacts/groups/${id}`, { name: 'x' })).status).toBe(404)
  })
})

describe('further fields', () => {
  test('are made and called something else; two cannot have one name', async () => {
    const made = await agent.post('/console/contacts/fields/new', { name: 'Tier', type: 'date' })
    expect(made.status).toBe(303)
    expect((await agent.follow(made)).text).toMatch(/Tier<\/th><td[^>]*>Date<\/td>/)
    const taken = await agent.post('/console/contacts/fields/new', { name: 'Tier' })
    expect([taken.status, taken.text.includes('There is a field with this name already.')]).toEqual([409, true])
    const field = await acme.perform((tx, caller) => createCustomField(tx, caller, { name: 'Seats' }))
    const { id: contactId } = await createTestContact(acme)
    await acme.perform((tx, caller) =>
      setCustomValue(tx, caller, { contactId, fieldId: field.id, value: { numberValue: 3 } }),
    )
    const path = `/console/contacts/fields/${field.id}`
    expect((await agent.post(path, { version: 'Seats', name: 'Tier' })).status).toBe(409)
    expect((await agent.post(path, { version: 'Chairs', name: 'Places' })).text).toContain('What is stored now: Seats')
    const renamed = await agent.post(path, { version: 'Seats', name: 'Places' })
    expect((await agent.follow(renamed)).text).toContain('The field is called Places now.')
    expect((await acme.get(`/v1/contacts/${contactId}`)).body.customValues[0]).toMatchObject({
      fieldName: 'Places',
      numberValue: 3,
    })
    expect(await lastNoted(field.id)).toEqual({ action: 'custom_field.updated', fields: 'name' })
    const foreign = await signedIn(app, other, 'agent')
    expect((await foreign.get(path)).status).toBe(404)
  })
})

describe('the list of contacts', () => {
  test('holds those alone who were added in a time, with any other filter', async () => {
    const tenant = await app.createTenant()
    const reader = await signedIn(app, tenant, 'agent')
    const group = await createTestGroup(tenant)
    const add = (name: string) => createTestContact(tenant, { name, groupIds: [group.id] })
    await add('Tim Early')
    const first = new Date(app.clock.now()).toISOString().slice(0, 10)
    app.clock.advance(48 * 3_600_000)
    await add('Tim Late')
    const last = new Date(app.clock.now()).toISOString().slice(0, 10)
    const fresh = await signedIn(app, tenant, 'agent')
    const shown = async (query: string) => rowsIn((await fresh.get(`/console/contacts?${query}`)).text)
    for (const more of ['', '&q=tim', `&group=${group.id}`, '&emails=subscribed']) {
      expect(await shown(`to=${first}${more}`)).toEqual(['Tim Early'])
      expect(await shown(`from=${last}${more}`)).toEqual(['Tim Late'])
      expect((await shown(`from=${first}&to=${last}${more}`)).toSorted()).toEqual(['Tim Early', 'Tim Late'])
    }
    expect(await shown('from=nonsense&to=0000-99-99')).toHaveLength(2)
    expect((await reader.get('/console/contacts')).status).toBe(303)
  })

  test('is exported as it is filtered, as a spreadsheet in which nothing runs', async () => {
    const tenant = await app.createTenant()
    const reader = await signedIn(app, tenant, 'agent')
    const field = await tenant.perform((tx, caller) => createCustomField(tx, caller, { name: 'Plan' }))
    const organisation = await createTestOrganisation(tenant, { name: 'Acme, "Ltd"' })
    const group = await createTestGroup(tenant, 'News')
    const { id } = await createTestContact(tenant, {
      email: 'eve@x.test',
      name: '=HYPERLINK("http://evil.test")',
      phone: '+49 30 1234',
      organisationId: organisation.id,
      groupIds: [group.id],
    })
    await tenant.perform((tx, caller) =>
      setCustomValue(tx, caller, { contactId: id, fieldId: field.id, value: { stringValue: 'pro\nplus' } }),
    )
    for (let index = 0; index < 120; index++) await createTestContact(tenant, { email: `many${index}@x.test` })
    await createTestContact(other, { email: 'elsewhere@x.test' })
    const whole = await reader.get('/console/contacts/export.csv')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"')
    expect(whole.text).toStartWith(
      'ID,Email,First name,Last name,Phone,Organisation,Groups,Unsubscribed since,Came in by,Added,Last changed,Plan\r\n',
    )
    expect(whole.text.trimEnd().split('\r\n')).toHaveLength(122)
    expect(whole.text).toContain(
      `${id},eve@x.test,"'=HYPERLINK(""http://evil.test"")",,'+49 30 1234,"Acme, ""Ltd""",News,,api,`,
    )
    expect(whole.text).toContain('"pro\nplus"\r\n')
    expect(whole.text).not.toContain('elsewhere')
    const some = await reader.get('/console/contacts/export.csv?q=eve')
    expect(some.text.match(/@x\.test/g)).toHaveLength(1)
    const noted = await app.database.db
      .select({ recordId: auditEntries.recordId })
      .from(auditEntries)
      .where(and(eq(auditEntries.tenantId, tenant.tenantId), eq(auditEntries.action, 'contact.exported')))
      .orderBy(auditEntries.number)
    expect(noted.map(({ recordId }) => recordId)).toEqual(['list', 'list'])
  })
})
