import { type Static, Type } from '@sinclair/typebox'
import { eventNames } from '../db/sqlite/index.ts'
import { oneOf, optional, strictObject, uuid } from '../http/schemas.ts'

const EventName = oneOf(eventNames, 'Name of an event.')

/** api.md §2: the secret is never shown. */
export const Webhook = Type.Object(
  {
    id: uuid('Id of the subscription; `subscriberId` in deliveries.'),
    name: Type.String({ examples: ['CRM sync'] }),
    url: Type.String({ examples: ['https://hooks.acme.test/frontdesk'] }),
    active: Type.Boolean({ description: 'Whether events are collected and delivered.' }),
    events: Type.Array(EventName, { description: 'Events the subscription is for, in the order given.' }),
    hasSecret: Type.Boolean({ description: 'Whether deliveries are signed.' }),
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

const fields = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'What people call it.' }),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'An HTTPS address without user info, not a private one.',
  }),
  events: Type.Array(EventName, {
    minItems: 1,
    maxItems: 100,
    description: 'At least one. A name given twice counts once.',
  }),
  active: optional(Type.Boolean({ description: 'true when left out.' })),
}

const examples = [
  {
    name: 'CRM sync',
    url: 'https://hooks.acme.test/frontdesk',
    events: ['contact.created_or_updated', 'ticket.created'],
    secret: 'a long random text',
  },
]

export const WebhookCreate = strictObject(
  {
    ...fields,
    secret: optional(Type.String({ maxLength: 1000, description: 'Signs deliveries; none when left out or empty.' })),
  },
  { examples },
)

export const WebhookUpdate = strictObject(
  {
    ...fields,
    secret: optional(
      Type.String({
        maxLength: 1000,
        description: 'Left out or null keeps the secret, an empty string clears it, any other value replaces it.',
      }),
    ),
  },
  { examples },
)
export type WebhookInput = Static<typeof WebhookUpdate>
