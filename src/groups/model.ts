import { type Static, Type } from '@sinclair/typebox'
import { nullable, time } from '../http/requests/schemas.ts'

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
