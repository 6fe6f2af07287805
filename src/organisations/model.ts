import { type Static, Type } from '@sinclair/typebox'
import { listQuery, nullable, time, uuid } from '../http/requests/schemas.ts'

/** decisions §4. */
export const Organisation = Type.Object(
  {
    id: uuid('Id of the organisation.'),
    name: Type.String({ examples: ['Acme'] }),
    domain: nullable(
      Type.String({ description: 'Contacts with an email of this domain join.', examples: ['acme.test'] }),
    ),
    contactCount: Type.Integer({ description: 'Contacts that belong to it now.' }),
    createdAt: time('When the organisation was created.'),
    updatedAt: time('When the organisation last changed.'),
  },
  { title: 'Organisation' },
)
export type Organisation = Static<typeof Organisation>

export const OrganisationFilters = listQuery({
  domain: Type.Optional(Type.String({ maxLength: 255, description: 'Exactly this domain; case does not matter.' })),
})
