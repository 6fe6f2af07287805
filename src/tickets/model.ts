import { type Static, Type } from '@sinclair/typebox'
import {
  listQuery,
  nullable,
  oneOf,
  optional,
  strictObject,
  time,
  timeFilter,
  uuid,
  uuidFilter,
} from '../http/requests/schemas.ts'
import { channels } from '../kinds/inboxes.ts'
import { authorTypes, directions, messageSources, priorities, ticketStatuses } from '../kinds/tickets.ts'

const ticketFields = {
  id: uuid('Id of the ticket.'),
  ticketReference: Type.String({ description: 'What people call it.', examples: ['T-1042'] }),
  sequentialNumber: Type.Integer({ examples: [1042] }),
  teamInboxId: uuid('Inbox the ticket came in on.'),
  channel: oneOf(channels, 'How the customer wrote.'),
  status: oneOf(ticketStatuses),
  priority: oneOf(priorities),
  contactId: nullable(uuid('Who asked; null once that contact is deleted.')),
  subject: Type.String({ examples: ['Where is my order?'] }),
  excerpt: Type.String({
    description: 'Start of the newest message, plain text, at most 200 characters.',
    examples: ['Hello, where is my order?'],
  }),
  messageCount: Type.Integer({ description: 'Messages of the thread; internal notes do not count.' }),
  snoozedUntil: nullable(time('The ticket opens by itself at this time.')),
  lastMessageAt: time('When the newest message was added.'),
  closedAt: nullable(time('When the ticket was closed; null again after re-opening.')),
  createdAt: time('When the ticket was opened.'),
  updatedAt: time('When the ticket last changed.'),
}

/** decisions §4. */
export const Ticket = Type.Object(ticketFields, { title: 'Ticket' })
export type Ticket = Static<typeof Ticket>

const Attachment = Type.Object({
  id: uuid('Id of the attachment: `GET /v1/attachments/{id}` has the file.'),
  fileName: Type.String({ examples: ['a.pdf'] }),
  contentType: Type.String({ examples: ['application/pdf'] }),
  size: Type.Integer({ description: 'Bytes.', examples: [20841] }),
})

/** decisions §4. */
export const Message = Type.Object(
  {
    id: uuid('Id of the message.'),
    ticketId: uuid('Ticket it belongs to.'),
    direction: oneOf(directions, 'inbound: from the customer; outbound: to the customer.'),
    source: oneOf(messageSources, 'Where it was written.'),
    author: Type.Object(
      {
        type: oneOf(authorTypes),
        id: nullable(uuid('Id of the contact, user or key; null when there is none any more.')),
        name: nullable(Type.String({ description: 'Name of the contact, user or key.', examples: ['CRM sync'] })),
      },
      { description: 'Who wrote it.' },
    ),
    subject: nullable(Type.String({ examples: ['Re: Where is my order?'] })),
    html: Type.String({ description: 'Safe to put into a page as it is.', examples: ['<p>It is on its way.</p>'] }),
    text: Type.String({ examples: ['It is on its way.'] }),
    from: nullable(Type.String({ examples: ['help@acme.test'] })),
    to: Type.Array(Type.String(), { description: 'Addresses.', examples: [['ada@acme.test']] }),
    cc: Type.Array(Type.String(), { description: 'Addresses.', examples: [[]] }),
    attachments: Type.Array(Attachment, { description: 'Files sent along.' }),
    createdAt: time('When the message was added to the thread.'),
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

export const TicketWithMessages = Type.Object(
  {
    ...ticketFields,
    messages: Type.Array(Message, {
      description:
        'The newest 100, oldest first; internal notes are left out. Fewer where they exceed 1 MiB of JSON together: the ' +
        'list of messages has them all.',
    }),
  },
  { title: 'TicketWithMessages' },
)
export type TicketWithMessages = Static<typeof TicketWithMessages>

export const TicketFilters = listQuery({
  inbox_id: uuidFilter('Tickets of this inbox.'),
  status: Type.Optional(oneOf(ticketStatuses, 'Tickets of this status; a snoozed ticket keeps the one it has.')),
  since: timeFilter('Changed at this time or later.'),
  contact_id: uuidFilter('Tickets of this contact.'),
})

export const StatusUpdate = strictObject(
  {
    status: oneOf(ticketStatuses),
    snoozedUntil: optional(
      Type.String({
        format: 'date-time',
        description: 'In the future: the ticket opens by itself at this time. Left out, a snooze ends.',
      }),
    ),
  },
  { examples: [{ status: 'pending' }] },
)

export const ReplyCreate = strictObject(
  {
    html: Type.String({
      minLength: 1,
      description:
        'The reply; sanitised before it is stored and sent. At most 256 KiB of UTF-8 with 5,000 tags, and 512 KiB once ' +
        'it is sanitised.',
    }),
    text: optional(
      Type.String({ description: 'The plain-text version, at most 256 KiB; derived from `html` when left out.' }),
    ),
  },
  { examples: [{ html: '<p>It is on its way.</p>' }] },
)
