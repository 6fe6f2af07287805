import { type TSchema, Type } from '@sinclair/typebox'
import { Contact } from '../contacts/model.ts'
import type { Payloads } from '../events/catalog.ts'
import { FormListItem } from '../forms/model.ts'
import { email, nullable, oneOf, time, uuid } from '../http/requests/schemas.ts'
import { type EventName, eventNames, eventTypes } from '../kinds/events.ts'
import { directions, messageSources, priorities, ticketStatuses } from '../kinds/tickets.ts'
import { Response as FormResponse } from '../responses/model.ts'
import { Ticket } from '../tickets/model.ts'

/* What deliveries and the log of events hold, as readers see it in the OpenAPI document (api.md §6). Nothing is checked by these. */

/** api.md §2: exactly these five fields. */
const EventContact = Type.Object(
  {
    id: uuid('Id of the contact.'),
    name: nullable(Type.String({ examples: ['Ada'] })),
    email: email({ examples: ['ada@acme.test'] }),
    groups: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Id of the group.', examples: [7] }),
        name: Type.String({ examples: ['News'] }),
        consentWording: nullable(Type.String({ description: 'What members agreed to.' })),
        consentGroupType: nullable(Type.String({ description: 'The kind of consent the group stands for.' })),
      }),
      { description: 'Groups the contact is in.' },
    ),
    customValues: Type.Array(
      Type.Object({
        fieldId: uuid('Id of the custom field.'),
        fieldName: Type.String({ examples: ['Plan'] }),
        stringValue: nullable(Type.String({ description: 'The value, if it is text.' })),
        numberValue: nullable(Type.Number({ description: 'The value, if it is a number.' })),
        dateValue: nullable(Type.String({ description: 'The value, if it is a date.' })),
      }),
      { description: 'Values of the tenant’s own fields.' },
    ),
  },
  { title: 'EventContact', description: 'The contact at the time of the event.' },
)

const ticket = {
  ticketId: uuid('Id of the ticket.'),
  ticketReference: Type.String({ description: 'What people call it.', examples: ['T-1042'] }),
  sequentialNumber: Type.Integer({ examples: [1042] }),
  teamInboxId: uuid('Inbox the ticket came in on.'),
  status: oneOf(ticketStatuses, 'The status it has now.'),
  priority: oneOf(priorities, 'How urgent it is.'),
  contactId: nullable(uuid('Who asked; null once that contact is deleted.')),
  subject: Type.String({ examples: ['Where is my order?'] }),
  createdAt: time('When the ticket was opened.'),
}

const payloads: { [E in EventName]: TSchema & { static: Payloads[E] } } = {
  'response.created': Type.Object({
    response: FormResponse,
    contact: nullable(EventContact),
    scores: FormResponse.properties.scores,
    form: Type.Object(
      {
        id: uuid('Id of the form.'),
        title: Type.String({ examples: ['Customer satisfaction'] }),
        launchCode: Type.String({ description: 'Names the hosted form: `/f/{launchCode}`.' }),
      },
      { description: 'The form that was answered.' },
    ),
  }),
  'contact.created_or_updated': EventContact,
  'contact.unsubscribed': EventContact,
  'ticket.created': Type.Object(ticket),
  'ticket.replied': Type.Object({
    ...ticket,
    messageId: uuid('Id of the message.'),
    direction: oneOf(directions, 'inbound: from the customer; outbound: to the customer.'),
    source: oneOf(messageSources, 'Where it was written.'),
    excerpt: Type.String({ description: 'Its beginning: at most 200 characters of plain text, never HTML.' }),
  }),
  'ticket.status_changed': Type.Object({
    ...ticket,
    previousStatus: oneOf([...ticketStatuses, 'snoozed'], 'The status it had; `snoozed` when a snooze ended.'),
  }),
  'response.partial': Type.Object({ response: FormResponse }),
  'payment.paid': Type.Object({
    response: FormResponse,
    reference: Type.String({ description: 'Of the payment, as Stripe names it.', examples: ['pi_3OqL2e'] }),
  }),
  'form.published': Type.Object({ form: FormListItem }),
  'contact.deleted': Type.Object({ contact: Contact }),
  'ticket.assigned': Type.Object({
    ticket: Ticket,
    previousAssignee: nullable(
      Type.Object(
        { id: uuid('Id of the user.'), name: Type.String({ examples: ['Maja'] }) },
        { description: 'Who had it before.' },
      ),
    ),
  }),
  'ticket.tagged': Type.Object({
    ticket: Ticket,
    added: Type.Array(Type.String(), { description: 'Tags that it did not have before.' }),
    removed: Type.Array(Type.String(), { description: 'Tags that it has no more.' }),
  }),
  'ticket.rated': Type.Object({
    ticket: Ticket,
    satisfaction: Type.Number({ description: 'How content the customer is, from 0 to 100.', examples: [90] }),
  }),
}

const meanings: Record<EventName, string> = {
  'response.created': 'A form received a response, which is complete.',
  'contact.created_or_updated': 'A contact was created or changed.',
  'contact.unsubscribed': 'A contact unsubscribed.',
  'ticket.created': 'A ticket was opened.',
  'ticket.replied': 'A message was added to a ticket; internal notes are none.',
  'ticket.status_changed': 'The status of a ticket changed.',
  'response.partial':
    'A response was begun or gone on with and then left alone, unfinished: for five minutes, or half the time since it was begun where that is longer. However often it was saved until then, this is one event; who finishes in time fires none.',
  'payment.paid': 'What a response owes was paid.',
  'form.published': 'A form was published, anew too.',
  'contact.deleted': 'A contact was deleted; not one that was erased or merged.',
  'ticket.assigned': 'Another person or team looks after a ticket.',
  'ticket.tagged': 'The tags of a ticket changed.',
  'ticket.rated': 'The customer of a ticket said how content they are.',
}

/** One event of a delivery, or of the log, of any kind. */
const WebhookEvent = Type.Union(eventNames.map(eventSchema), { title: 'WebhookEvent' })

function eventSchema(event: EventName): TSchema {
  const payload = payloads[event]
  return Type.Object(
    {
      eventId: Type.String({
        description: 'The same in every delivery of this event and in the log: skip one you have handled.',
        examples: ['019ca8a03e8074d5ba4b86b823507c11'],
      }),
      event: oneOf([event], 'Route by this.'),
      eventType: Type.Integer({ documented: { enum: [eventTypes[event]] }, description: 'The same as a number.' }),
      timestamp: time('When it happened.'),
      payload: payload.title ? payload : { ...payload, title: eventTitle(event, 'Payload') },
    },
    { title: eventTitle(event, 'Event'), description: meanings[event] },
  )
}

/** `ticket.status_changed` → `TicketStatusChangedEvent`. */
function eventTitle(event: EventName, suffix: string): string {
  return event.replace(/(?:^|[._])(.)/g, (_, letter) => letter.toUpperCase()) + suffix
}

/** The body of a delivery. */
export const EventBatch = Type.Object(
  {
    batchId: Type.String({
      description: 'Id of the batch; the same on every attempt.',
      examples: ['019ca8a0-3e80-74d5-ba4b-86b823507c11'],
    }),
    subscriberId: uuid('Id of the subscription.'),
    timestamp: time('When the batch was closed.'),
    events: Type.Array(WebhookEvent, { description: 'In the order in which they happened.', minItems: 1 }),
  },
  { title: 'EventBatch', description: 'Events that occurred close together.' },
)

/** A page of the log, which is written as text: what is in it was JSON before. */
export const EventPage = Type.Unsafe<Response>(
  Type.Any({
    documented: Type.Object(
      {
        items: Type.Array(WebhookEvent, { description: 'In the order in which they happened.' }),
        nextCursor: Type.String({ description: 'Send it as `cursor` for what comes next, now or later. Never null.' }),
      },
      { title: 'EventPage' },
    ),
  }),
)
