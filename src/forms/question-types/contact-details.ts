import { type TSchema, Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { nullable, oneOf } from '../../http/requests/schemas.ts'
import { MAX_EMAIL } from '../../lib/input/email.ts'
import { quote, readBoolean, readFields, readList, readObject } from '../../lib/input/read.ts'
import { part, readOptionalString } from './answers.ts'
import { LABEL, readLabel, readWord } from './fields.ts'
import { limitations } from './limitations.ts'
import { type Field, questionType } from './types.ts'

/** Each contact field with its label, the longest answer it takes, and a sample. Lengths are those of a contact. */
const contactFieldTypes = {
  first_name: { label: 'First name', maxLength: 255, sample: 'Ada' },
  last_name: { label: 'Last name', maxLength: 255, sample: 'Lovelace' },
  company: { label: 'Company', maxLength: 255, sample: 'Analytical Engines Ltd' },
  address_line_1: { label: 'Address line 1', maxLength: 255, sample: '12 St James’s Square' },
  address_line_2: { label: 'Address line 2', maxLength: 255, sample: 'Second floor' },
  city: { label: 'City', maxLength: 255, sample: 'London' },
  state: { label: 'State', maxLength: 255, sample: 'Greater London' },
  zip_code: { label: 'ZIP code', maxLength: 50, sample: 'SW1Y 4JH' },
  country: { label: 'Country', maxLength: 255, sample: 'United Kingdom' },
  email: { label: 'Email', maxLength: MAX_EMAIL, sample: 'ada@example.com' },
  phone_number: { label: 'Phone number', maxLength: 50, sample: '+44 20 7946 0018' },
}

export type ContactFieldName = keyof typeof contactFieldTypes

const NAMES = Object.keys(contactFieldTypes) as ContactFieldName[]

/** Every contact field there is, in the order in which they are usually asked. */
export const contactFieldNames: readonly ContactFieldName[] = NAMES

interface ContactField {
  field: ContactFieldName
  label: string | null
  visible: boolean
}

/** What was given for each visible field; null where nothing was. */
export type ContactDetails = Partial<Record<ContactFieldName, string | null>>

const label = Type.String({ ...LABEL, description: 'Shown beside the field; null for the usual one.' })
const visible = Type.Boolean({ default: false, description: 'Whether it is asked for.' })

const contactFields: Field<ContactField[]> = {
  schema: listOf(Type.Object({ field: oneOf(NAMES), label: nullable(label), visible })),
  createSchema: listOf(
    Type.Object({
      field: oneOf(NAMES),
      label: Type.Optional(nullable(label)),
      visible: Type.Optional(nullable(visible)),
    }),
  ),
  read(value, place) {
    const items = value === null ? [] : readList(value, 100, place)
    if (items.length === 0) throw invalid(place, rule('too_few_contact_fields'))
    const fields = items.map((item, index) => readContactField(item, `${place}[${index}]`))
    for (const [index, { field }] of fields.entries()) {
      const first = fields.findIndex((other) => other.field === field)
      if (first < index) throw invalid(`${place}[${index}].field`, rule('listed_twice', { item: field }))
    }
    return fields
  },
}

function answerSchemaOf(name: ContactFieldName) {
  const { label, sample } = contactFieldTypes[name]
  return Type.String({ description: `${label}.`, examples: [sample] })
}

/** Fields that are checked as a textbox with the same limitation is (decisions §6). */
const limited: readonly { name: ContactFieldName; limitation: keyof typeof limitations }[] = [
  { name: 'email', limitation: 'email' },
  { name: 'phone_number', limitation: 'telephone' },
]

/**
 * A required one asks for the email where that is visible, otherwise for at least one of its visible fields (decisions
 * §6); with none visible there is nothing to ask for.
 */
export const contactDetails = questionType({
  type: 'contact_details',
  meaning: 'Contact detail fields.',
  fields: { contactFields },
  answerSchema: Type.Object(
    Object.fromEntries(NAMES.map((name) => [name, Type.Optional(nullable(answerSchemaOf(name)))])),
    { description: 'Holds the visible fields; null where nothing was given.' },
  ),
  accept(value, settings, place): ContactDetails {
    const given = readObject(value, place)
    const visible = visibleFields(settings.contactFields)
    const answer: ContactDetails = Object.fromEntries(visible.map((name) => [name, null]))
    for (const [key, text] of Object.entries(given)) {
      const name = visible.find((field) => field === key)
      if (name) answer[name] = readOptionalString(text, contactFieldTypes[name].maxLength, part(place, `.${name}`))
      else if (text !== null || !NAMES.includes(key as ContactFieldName)) throw notAsked(key, place)
    }
    return answer
  },
  isEmpty: (answer) => Object.values(answer).every((text) => text === null),
  isAnswerable: (settings) => visibleFields(settings.contactFields).length > 0,
  check(answer, settings, place, required) {
    const asksEmail = required && visibleFields(settings.contactFields).includes('email')
    if (asksEmail && !answer.email) throw invalid(part(place, '.email'), rule('required'))
    for (const { name, limitation } of limited) {
      const text = answer[name]?.trim()
      const { allows, rule: broken } = limitations[limitation]
      if (text && !allows(text)) throw invalid(part(place, `.${name}`), rule(broken))
    }
  },
  sample(settings) {
    const visible = visibleFields(settings.contactFields)
    if (visible.length === 0) return null
    return Object.fromEntries(visible.map((name) => [name, contactFieldTypes[name].sample]))
  },
  text: (answer, settings) =>
    settings.contactFields
      .filter(({ field }) => answer[field])
      .map(({ field, label }) => `${label ?? contactFieldLabel(field)}: ${answer[field]}`)
      .join('\n'),
})

/** What a contact field is called where the form gives it no label of its own. */
export function contactFieldLabel(name: ContactFieldName): string {
  return contactFieldTypes[name].label
}

function listOf(item: TSchema): TSchema {
  return Type.Array(item, {
    description: 'The fields, in order; hidden unless visible.',
    minItems: 1,
    maxItems: NAMES.length,
  })
}

function readContactField(value: unknown, place: string): ContactField {
  const given = readFields(value, ['field', 'label', 'visible'], place)
  return {
    field: readWord(given.field, NAMES, `${place}.field`),
    label: given.label === null ? null : readLabel(given.label, `${place}.label`),
    visible: given.visible === null ? false : readBoolean(given.visible, `${place}.visible`),
  }
}

function visibleFields(fields: readonly ContactField[]): ContactFieldName[] {
  return fields.filter(({ visible }) => visible).map(({ field }) => field)
}

function notAsked(key: string, place: string) {
  return invalid(place, rule('contact_field_unknown', { name: quote(key) }))
}
