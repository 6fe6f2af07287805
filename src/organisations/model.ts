import { type Static, Type } from '@sinclair/typebox'
import { listQuery, nullable, optional, searchFilter, strictObject, time, uuid } from '../http/requests/schemas.ts'

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

const name = Type.String({ minLength: 1, maxLength: 255, examples: ['Acme'] })

const domain = optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'New contacts with an email of this domain join by themselves; of several organisations, the oldest.',
    examples: ['acme.test'],
  }),
)

export const OrganisationCreate = strictObject({ name, domain }, { examples: [{ name: 'Acme', domain: 'acme.test' }] })

export const OrganisationUpdate = strictObject(
  { name: optional(name), domain },
  { description: 'Only the fields present change. null clears domain.', examples: [{ domain: 'acme.test' }] },
)
export type OrganisationUpdate = Static<typeof OrganisationUpdate>

export const OrganisationFilters = listQuery({
  query: searchFilter(255, 'How the name begins; case does not matter.'),
  domain: Type.Optional(Type.String({ maxLength: 255, description: 'Exactly this domain; case does not matter.' })),
})
