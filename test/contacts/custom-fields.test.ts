import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createCustomField, setCustomValue } from '../../src/contacts/custom-fields.ts'
import type { CustomValueInput } from '../../src/contacts/custom-values.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestContact } from '../support/contacts.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const createField = (name: string, tenant = acme) =>
  tenant.perform((tx, caller) => createCustomField(tx, caller, { name }))
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
    expect(await refusalOf(setValue(contact.id, theirs.id, null))).toBe('custom field not found')
    expect(await refusalOf(setValue(theirContact.id, field.id, null))).toBe('contact not found')
    expect(await refusalOf(setValue(contact.id, field.id, { dateValue: '2026-02-30T00:00:00Z' }))).toStartWith(
      'dateValue:',
    )
  })
})
