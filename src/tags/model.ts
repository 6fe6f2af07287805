import { type Static, Type } from '@sinclair/typebox'
import { nullable, uuid } from '../http/requests/schemas.ts'

/** decisions §16. */
export const Tag = Type.Object(
  {
    id: uuid('Id of the tag.'),
    name: Type.String({ description: 'As it was first written; no two differ in case alone.', examples: ['billing'] }),
    colour: nullable(Type.String({ description: 'As `#rrggbb`.', examples: ['#0a7d4f'] })),
    ticketCount: Type.Integer({ description: 'Tickets that hold it now.', examples: [12] }),
  },
  { title: 'Tag' },
)
export type Tag = Static<typeof Tag>
