import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createCustomField, setCustomValue } from '../../src/contacts/fields/custom-fields.ts'
import type { CustomValueInput } from '../../src/contacts/fields/custom-values.ts'
import type { ValueKind } from '../../src/kinds/contact-imports.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const createField = (name: string, tenant = acme, type: ValueKind | null = null) =>
  tenant.perform((tx, caller) => createCustomField(tx, caller, { name, type }))
const setValue = (contactId: string, fieldId: string, value: CustomValueInput) =>
  acme.perform((tx, caller) => setCustomValue(tx, caller, { contactId, fieldId, value }))

describe('custom values', () => {
  test('show on the contact and in its events, one of three kinds, in the order they were given', async () => {
    const contact = await createTestContact(acme)
    const [plan, seats, renewal] = [await createField('Plan'), await createField('Seats'), await createField('Renewal')]
    const none = { stringValue: null, numberValue: null, dateValue: null }
    await setValue(contact.id, plan.id, { stringValue: 'free' })
    await setValue(contact.id, seats.id, { numberValue: 2.5 })
    await setValue(contact.id, renewal.id, { dateValue: '2026-05-01T02:00:00+02:00' })
    app.clock.advance(1000)
    await setValue(contact.id, plan.id, { stringValue: 'pro' })
    const { body } = await acme.get(`/v1/contacts/${contact.id}`)
    expect(body.customValues).toEqual([
      { fieldId: plan.id, fieldName: 'Plan', ...none, stringValue: 'pro' },
      { fieldId: seats.id, fieldName: 'Seats', ...none, numberValue: 2.5 },
      { fieldId: renewal.id, fieldName: 'Renewal', ...none, dateValue: '2026-05-01T00:00:00.000Z' },
    ])
    expect(body.updatedAt).toBe(new Date(app.clock.now()).toISOString())
    expect((await acme.events()).at(-1)?.payload.customValues).toEqual(body.customValues)
    await setValue(contact.id, seats.id, null)
    expect((await acme.get(`/v1/contacts/${contact.id}`)).body.customValues).toHaveLength(2)
  })

  test('set to what they are record nothing', async () => {
    const contact = await createTestContact(acme)
    const field = await createField('Colour')
    await setValue(contact.id, field.id, { stringValue: 'red' })
    const events = await acme.events()
    await setValue(contact.id, field.id, { stringValue: 'red' })
    await setValue(contact.id, (await createField('Shape')).id, null)
    expect(await acme.events()).toEqual(events)
  })

  test('are refused for fields and contacts of others, repeated names and bad dates', async () => {
    const other = await app.createTenant('Other')
    const contact = await createTestContact(acme)
    const field = await createField('Size')
    const theirs = await createField('Size', other)
    const theirContact = await createTestContact(other)
    expect(await refusalOf(createField(' Size '))).toBe('a custom field with this name already exists')
    expect(await refusalOf(setValue(contact.id, theirs.id, null))).toBe(
      'customValues[0].fieldId: there is no such field',
    )
    expect(await refusalOf(setValue(theirContact.id, field.id, null))).toBe('contact not found')
    expect(await refusalOf(setValue(contact.id, field.id, { dateValue: '2026-02-30T00:00:00Z' }))).toStartWith(
      'customValues[0].value:',
    )
  })
})

describe('custom values through the API', () => {
  const nothing = { stringValue: null, numberValue: null, dateValue: null }
  const fieldsOf = async (tenant: TestTenant) => ({
    plan: await createField('Plan', tenant, 'text'),
    seats: await createField('Seats', tenant, 'number'),
    renewal: await createField('Renewal', tenant, 'date'),
    other: await createField('Other', tenant),
  })

  test('are listed as fields, newest first, with the type of each, to whom may read contacts', async () => {
    const tenant = await app.createTenant()
    const { plan, seats, renewal, other } = await fieldsOf(tenant)
    await fieldsOf(await app.createTenant())
    const { body } = await tenant.get('/v1/contact-fields')
    expect(body).toEqual({ items: [other, renewal, seats, plan], nextCursor: null })
    expect(body.items[3]).toEqual({ id: plan.id, name: 'Plan', type: 'text' })
    const { key } = await tenant.createKey(['contacts:write'])
    expect((await app.request('GET', '/v1/contact-fields', { key })).status).toBe(403)
  })

  test('are taken wherever a contact is written, and stay where they are not named', async () => {
    const tenant = await app.createTenant()
    const { plan, seats, renewal, other } = await fieldsOf(tenant)
    const created = await tenant.post('/v1/contacts', {
      email: 'ada@acme.test',
      customValues: [
        { fieldId: plan.id.toUpperCase(), value: 'pro' },
        { fieldId: renewal.id, value: '2026-05-01' },
      ],
    })
    const pro = { fieldId: plan.id, fieldName: 'Plan', ...nothing, stringValue: 'pro' }
    const may = { fieldId: renewal.id, fieldName: 'Renewal', ...nothing, dateValue: '2026-05-01T00:00:00.000Z' }
    expect([created.status, created.body.customValues]).toEqual([201, [pro, may]])
    expect((await tenant.events()).at(-1)?.payload.customValues).toEqual([pro, may])

    const { id } = created.body
    const updated = await tenant.put(`/v1/contacts/${id}`, { customValues: [{ fieldId: seats.id, value: 2.5 }] })
    const five = { fieldId: seats.id, fieldName: 'Seats', ...nothing, numberValue: 2.5 }
    expect(updated.body.customValues).toEqual([pro, may, five])
    const upserted = await tenant.put('/v1/contacts/by-email/ada@acme.test', {
      customValues: [
        { fieldId: plan.id, value: null },
        { fieldId: renewal.id, value: '2026-05-02T02:00:00+02:00' },
      ],
    })
    const later = { ...may, dateValue: '2026-05-02T00:00:00.000Z' }
    expect(upserted.body.customValues).toEqual([later, five])
    const events = await tenant.events()
    const contacts = [
      { email: 'ada@acme.test', customValues: [{ fieldId: seats.id, value: 2.5 }] },
      {
        email: 'new@acme.test',
        customValues: [
          { fieldId: other.id, value: 7 },
          { fieldId: plan.id, value: '' },
        ],
      },
    ]
    const { body } = await tenant.post('/v1/contacts/batch', { contacts })
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([200, 201])
    const made = (await tenant.get(`/v1/contacts/${body.results[1].id}`)).body
    expect(made.customValues).toEqual([{ fieldId: other.id, fieldName: 'Other', ...nothing, numberValue: 7 }])
    // What Ada was given she has already.
    expect(await tenant.events()).toHaveLength(events.length + 1)
    expect((await tenant.put(`/v1/contacts/${id}`, { customValues: null })).body.customValues).toEqual([later, five])
  })

  test('are refused with their place, leaving no trace', async () => {
    const tenant = await app.createTenant()
    const { plan, seats, renewal, other } = await fieldsOf(tenant)
    const theirs = await fieldsOf(await app.createTenant())
    const contact = await createTestContact(tenant, { email: 'ada@acme.test' })
    const before = await tenant.events()
    const wrong: [unknown, unknown, string][] = [
      [Bun.randomUUIDv7(), 'x', 'fieldId: there is no such field'],
      [theirs.plan.id, 'x', 'fieldId: there is no such field'],
      ['Plan', 'x', 'fieldId: must be a UUID'],
      [plan.id, 7, 'value: must be a string'],
      [plan.id, 'x'.repeat(1001), 'value: must be at most 1000 characters'],
      [seats.id, '7', 'value: must be a number'],
      [renewal.id, 7, 'value: must be a date such as 2026-03-31, or a date-time with an offset'],
      [renewal.id, '2026-02-30', 'value: must be a date such as 2026-03-31, or a date-time with an offset'],
      [other.id, true, 'value: must be a string or a number'],
      [other.id, undefined, 'value: is required'],
    ]
    for (const [fieldId, value, rest] of wrong) {
      const customValues = [
        { fieldId: other.id, value: 'right' },
        { fieldId, value },
      ]
      const message = `customValues[1].${rest}`
      const body = { name: 'Augusta', customValues }
      for (const answer of [
        await tenant.post('/v1/contacts', { email: 'new@acme.test', ...body }),
        await tenant.put(`/v1/contacts/${contact.id}`, body),
        await tenant.put('/v1/contacts/by-email/ada@acme.test', body),
        await tenant.put(`/v1/contacts/${Bun.randomUUIDv7()}`, body),
      ]) {
        expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
      }
      const { results } = (await tenant.post('/v1/contacts/batch', { contacts: [{ email: 'ada@acme.test', ...body }] }))
        .body
      expect(results).toMatchObject([{ status: 400, error: { message } }])
    }
    expect(await tenant.events()).toEqual(before)
    expect((await tenant.get('/v1/contacts')).body.items).toEqual([contact])
  })
})
