import { type Static, Type } from '@sinclair/typebox'
import { nullable, optional, strictObject, time } from '../http/requests/schemas.ts'

/** decisions §4. */
export const Group = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the group.', examples: [7] }),
    name: Type.String({ examples: ['News'] }),
    consentWording: nullable(Type.String({ description: 'What members agreed to.' })),
    consentGroupType: nullable(Type.String({ description: 'The kind of consent the group stands for.' })),
    contactCount: Type.Integer({ description: 'Contacts in the group now.' }),
    createdAt: time('When the group was created.'),
  },
  { title: 'Group' },
)
export type Group = Static<typeof Group>

/** The longest consent wording, in characters. */
export const MAX_WORDING = 10_000

const name = Type.String({ minLength: 1, maxLength: 255, examples: ['News'] })

const consent = {
  consentWording: optional(
    Type.String({
      maxLength: MAX_WORDING,
      description: 'What people agree to when they join, word for word. It cannot be changed while somebody is in it.',
      examples: ['Send me news by email, about once a month.'],
    }),
  ),
  consentGroupType: optional(
    Type.String({
      maxLength: 255,
      description: 'The kind of consent it stands for, in words of your own. Changes with the wording alone.',
      examples: ['newsletter'],
    }),
  ),
}

export const GroupCreate = strictObject(
  { name, ...consent },
  { examples: [{ name: 'News', consentWording: 'Send me news by email, about once a month.' }] },
)

export const GroupUpdate = strictObject(
  { name: optional(name), ...consent },
  {
    description: 'Only the fields present change. null clears consentWording and consentGroupType.',
    examples: [{ name: 'Monthly news' }],
  },
)
export type GroupUpdate = Static<typeof GroupUpdate>
