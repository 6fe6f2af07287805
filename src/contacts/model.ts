import { type Static, Type } from '@sinclair/typebox'

import {
  email,
  flagFilter,
  listQuery,
  nullable,
  oneOf,
  optional,
  searchFilter,
  strictObject,
  time,
  timeFilter,
  uuid,
} from '../http/requests/schemas.ts'
import { valueKinds } from '../kinds/contact-imports.ts'
import { contactSources } from '../kinds/contacts.ts'
import { MAX_EMAIL } from '../lib/input/email.ts'

const Membership = Type.Object({
  id: Type.Integer({ description: 'Id of the group.', examples: [7] }),
  name: Type.String({ examples: ['News'] }),
  consentWording: nullable(Type.String({ description: 'What members agreed to.' })),
  consentGroupType: nullable(Type.String({ description: 'The kind of consent the group stands for.' })),
})

const CustomValue = Type.Object({
  fieldId: uuid('Id of the custom field.'),
  fieldName: Type.String({ examples: ['Plan'] }),
  stringValue: nullable(Type.String({ description: 'The value, if it is text.', examples: ['pro'] })),
  numberValue: nullable(Type.Number({ description: 'The value, if it is a number.' })),
  dateValue: nullable(Type.String({ description: 'The value, if it is a date.' })),
})

/** decisions §4. */
export const Contact = Type.Object(
  {
    id: uuid('Id of the contact.'),
    email: nullable(
      email({ description: 'null for those whom only a chat or a messenger knows.', examples: ['ada@acme.test'] }),
    ),
    name: nullable(Type.String({ examples: ['Ada'] })),
    lastName: nullable(Type.String({ examples: ['Lovelace'] })),
    phone: nullable(Type.String({ examples: ['+44 20 7946 0000'] })),
    organisationId: nullable(uuid('Organisation the contact belongs to.')),
    groups: Type.Array(Membership, { description: 'Groups the contact is in.' }),
    customValues: Type.Array(CustomValue, { description: 'Values of the tenant’s own fields.' }),
    unsubscribed: Type.Boolean({ description: 'Excluded from email sends.' }),
    unsubscribedAt: nullable(time('When the contact unsubscribed.')),
    source: oneOf(contactSources, 'How the contact came into the CRM.'),
    createdAt: time('When the contact was created.'),
    updatedAt: time('When the contact last changed.'),
  },
  { title: 'Contact' },
)
export type Contact = Static<typeof Contact>

const groupIds = Type.Array(Type.Integer(), { maxItems: 1000, description: 'Ids of the groups the contact is in.' })

/** The longest text among a contact's custom values, in characters. */
export const MAX_CUSTOM_TEXT = 1000

const customValues = Type.Array(
  strictObject({
    fieldId: Type.String({ format: 'uuid', description: 'A field of `GET /v1/contact-fields`.' }),
    value: Type.Union([Type.String({ documented: { maxLength: MAX_CUSTOM_TEXT } }), Type.Number(), Type.Null()], {
      description:
        'What the type of the field says: a text of at most 1000 characters, a number, or a date such as `2026-03-31` ' +
        'or date-time. null or an empty text takes it away.',
      examples: ['pro'],
    }),
  }),
  { maxItems: 1000, description: 'Values of the tenant’s own fields. Those that are not named stay as they are.' },
)

const details = {
  name: optional(Type.String({ maxLength: 255, description: 'First name.' })),
  lastName: optional(Type.String({ maxLength: 255, description: 'Last name.' })),
  phone: optional(Type.String({ maxLength: 50, description: 'Phone number, in any form.' })),
  organisationId: optional(Type.String({ format: 'uuid', description: 'An organisation of this tenant.' })),
  groupIds: optional(groupIds),
  customValues: optional(customValues),
}

const address = email({ maxLength: MAX_EMAIL, description: 'An email address.', examples: ['ada@acme.test'] })

export const ContactCreate = strictObject(
  { email: address, ...details },
  { examples: [{ email: 'ada@acme.test', name: 'Ada', lastName: 'Lovelace' }] },
)

export const ContactUpdate = strictObject(
  { email: optional(address), ...details },
  {
    description: 'Only the fields present change. null clears name, lastName, phone and organisationId.',
    examples: [{ phone: '+44 20 7946 0000' }],
  },
)
export type ContactUpdate = Static<typeof ContactUpdate>

/** Of a contact whose address stands in the path. */
export const ContactUpsert = strictObject(details, {
  description: 'Only the fields present change. null clears name, lastName, phone and organisationId.',
  examples: [{ name: 'Ada', lastName: 'Lovelace', phone: '+44 20 7946 0000' }],
})

/** The most contacts in a batch, and how many of them count as one request. */
export const MAX_BATCH = 100
export const CONTACTS_PER_REQUEST = 10

/** Each contact is looked at by itself: what is wrong with one is its own answer, and no other's. */
export const ContactBatch = strictObject(
  {
    contacts: Type.Array(Type.Unknown({ documented: ContactCreate }), {
      maxItems: MAX_BATCH,
      description: 'Each is created, or updated where somebody has its email: only the fields present change.',
    }),
  },
  {
    examples: [
      {
        contacts: [
          { email: 'ada@acme.test', name: 'Ada', lastName: 'Lovelace' },
          { email: 'grace@acme.test', name: 'Grace', lastName: 'Hopper' },
        ],
      },
    ],
  },
)

export const ContactBatchResults = Type.Object({
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Which of the contacts sent, from 0.', examples: [0] }),
      status: Type.Union([Type.Literal(201), Type.Literal(200), Type.Literal(400)], {
        description: '201 created, 200 updated or as it was, 400 refused.',
      }),
      id: nullable({ ...uuid('Id of the contact.'), examples: ['0195500e-5c40-7b2f-9d3e-2f1a6c0b8e47'] }),
      error: nullable(
        Type.Object(
          {
            error: Type.String({ description: 'As in the body of a 400.', examples: ['invalid_request'] }),
            message: Type.String({ description: 'Names the place within the contact and the rule.' }),
            param: Type.Optional(Type.String({ description: 'The place alone, where the message names one.' })),
          },
          { description: 'Why it was refused.' },
        ),
      ),
    }),
    { description: 'What became of each contact, in the order sent.' },
  ),
})
export type ContactBatchResult = Static<typeof ContactBatchResults>['results'][number]

export const ContactField = Type.Object(
  {
    id: uuid('Id of the field.'),
    name: Type.String({ examples: ['Plan'] }),
    type: nullable(
      oneOf(
        valueKinds,
        'What its values are; null for a field made without a type, which takes texts and numbers as they are sent.',
      ),
    ),
  },
  { title: 'ContactField' },
)

export const ContactFilters = listQuery({
  query: searchFilter(
    MAX_EMAIL,
    'How the email, the first or the last name begins, or one of both names and the beginning of the other; case does not matter.',
  ),
  email: Type.Optional(
    Type.String({ maxLength: MAX_EMAIL, description: 'Exactly this address; case does not matter.' }),
  ),
  updated_since: timeFilter('Changed at this time or later.'),
  unsubscribed: flagFilter('Whether the contact has unsubscribed.'),
})
