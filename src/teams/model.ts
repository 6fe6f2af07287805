import { type Static, Type } from '@sinclair/typebox'
import { email, oneOf, uuid } from '../http/requests/schemas.ts'
import { distributions } from '../kinds/teams.ts'

/** decisions §16. */
export const Team = Type.Object(
  {
    id: uuid('Id of the team.'),
    name: Type.String({ examples: ['Billing'] }),
    distribution: oneOf(
      distributions,
      'Whom of its members a ticket goes to that is handed to the team: nobody by itself, each in turn, or whoever has ' +
        'the fewest open tickets. Members who are away get none.',
    ),
    members: Type.Array(Type.Object({ id: uuid('Id of the user.'), name: Type.String({ examples: ['Maja'] }) }), {
      description: 'Its members, by name.',
    }),
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>

/** decisions §16. */
export const User = Type.Object(
  {
    id: uuid('Id of the user.'),
    name: Type.String({ description: 'What colleagues know them by.', examples: ['Maja'] }),
    email: email({ examples: ['maja@acme.test'] }),
    role: oneOf(['admin', 'agent']),
    away: Type.Boolean({ description: 'Whether they are away: no team hands them a ticket by itself.' }),
  },
  { title: 'User' },
)
export type User = Static<typeof User>
