import { type Static, Type } from '@sinclair/typebox'
import {
  givenAddress,
  nullable,
  oneOf,
  optional,
  strictObject,
  time,
  uuid,
  webAddress,
} from '../http/requests/schemas.ts'
import { eventNames } from '../kinds/events.ts'
import { batchStates } from '../kinds/webhooks.ts'

const EventName = oneOf(eventNames, 'Name of an event.')

/** api.md §2: the secret is never shown. */
export const Webhook = Type.Object(
  {
    id: uuid('Id of the subscription; `subscriberId` in deliveries.'),
    name: Type.String({ examples: ['CRM sync'] }),
    url: webAddress({ examples: ['https://hooks.acme.test/frontdesk'] }),
    active: Type.Boolean({ description: 'Whether events are collected and delivered.' }),
    events: Type.Array(EventName, { description: 'Events the subscription is for, in the order given.' }),
    hasSecret: Type.Boolean({ description: 'Whether deliveries are signed.' }),
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

const fields = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'What people call it.' }),
  url: givenAddress(String.raw`^[Hh][Tt][Tt][Pp][Ss]://[^\s/\\?#@]+([/\\?#]\S*)?$`, {
    minLength: 1,
    maxLength: 2048,
    description: 'An HTTPS address without user info, not a private one.',
    examples: ['https://hooks.acme.test/frontdesk'],
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

/** decisions §23: what is to be sent again. */
export const ReplayCreate = strictObject(
  {
    since: Type.String({ format: 'date-time', description: 'Events of that time or later.' }),
    until: optional(
      Type.String({ format: 'date-time', description: 'Events before that time; all until now when left out.' }),
    ),
  },
  { examples: [{ since: '2026-03-01T08:00:00Z', until: '2026-03-01T12:00:00Z' }] },
)

export const Replay = Type.Object(
  { eventCount: Type.Integer({ description: 'Events that are going to be sent again.', examples: [128] }) },
  { title: 'Replay' },
)

/** The states of a batch (api.md §3, decisions §2), as a filter. */
export const deliveryStatus = Type.Optional(oneOf(batchStates, 'Only deliveries in this state.'))
export type DeliveryStatus = (typeof batchStates)[number]

/** decisions §2: a batch of events on its way to a subscription. */
export const Delivery = Type.Object(
  {
    id: uuid('Id of the batch; `batchId` in the delivery.'),
    status: oneOf(batchStates, 'How far it is.'),
    eventCount: Type.Integer({ description: 'Events in the batch.' }),
    attempts: Type.Array(
      Type.Object({
        at: time('When it was made.'),
        statusCode: nullable(Type.Integer({ description: 'null when no answer came.' })),
        error: nullable(
          Type.String({
            description:
              'null when it succeeded, otherwise a word: timeout, dns, tls, refused, reset, redirect, status, ' +
              'blocked_address, protocol or internal.',
          }),
        ),
        durationMs: Type.Integer({ description: 'Milliseconds until it was answered or given up.', examples: [87] }),
      }),
      { description: 'Every attempt to send it, oldest first.' },
    ),
    nextAttemptAt: nullable(time('null when it is over, paused, being sent, or waits behind an older one.')),
    createdAt: time('When its first event was collected.'),
    deliveredAt: nullable(time('When a receiver accepted it.')),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

/** What came of a test delivery (api.md §4). */
export const TestResult = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether the receiver answered 2xx in time.' }),
    statusCode: Type.Integer({ description: 'What it answered; 0 when it could not be reached.' }),
    responseBody: Type.String({ description: 'The beginning of its answer, at most 16 KiB.' }),
  },
  { title: 'TestResult' },
)
export type TestResult = Static<typeof TestResult>
