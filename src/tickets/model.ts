import { type Static, Type } from '@sinclair/typebox'
import { rule } from '../errors.ts'
import {
  email,
  listQuery,
  nullable,
  oneOf,
  optional,
  searchFilter,
  strictObject,
  time,
  timeFilter,
  uuid,
  uuidFilter,
} from '../http/requests/schemas.ts'
import { channels } from '../kinds/inboxes.ts'
import { authorTypes, directions, messageSources, priorities, ticketStatuses } from '../kinds/tickets.ts'
import { MAX_HTML } from '../lib/html/limits.ts'
import { MAX_EMAIL } from '../lib/input/email.ts'
import { MAX_NAME as MAX_TAG_NAME, MAX_TAGS_OF_TICKET } from '../tags/names.ts'

const ticketFields = {
  id: uuid('Id of the ticket.'),
  ticketReference: Type.String({ description: 'What people call it.', examples: ['T-1042'] }),
  sequentialNumber: Type.Integer({ examples: [1042] }),
  teamInboxId: uuid('Inbox the ticket came in on.'),
  channel: oneOf(channels, 'How the customer wrote.'),
  status: oneOf(ticketStatuses),
  priority: oneOf(priorities),
  tags: Type.Array(Type.String(), { description: 'Names of its tags.', examples: [['billing']] }),
  assignee: nullable(
    Type.Object(
      { id: uuid('Id of the user.'), name: Type.String({ examples: ['Maja'] }) },
      { description: 'Who looks after it.' },
    ),
  ),
  team: nullable(
    Type.Object(
      { id: uuid('Id of the team.'), name: Type.String({ examples: ['Billing'] }) },
      { description: 'The team that does.' },
    ),
  ),
  contactId: nullable(uuid('Who asked; null once that contact is deleted.')),
  subject: Type.String({ examples: ['Where is my order?'] }),
  excerpt: Type.String({
    description: 'Start of the newest message, plain text, at most 200 characters.',
    examples: ['Hello, where is my order?'],
  }),
  messageCount: Type.Integer({ description: 'Messages of the thread; internal notes do not count.' }),
  snoozedUntil: nullable(time('The ticket opens by itself at this time.')),
  lastMessageAt: time('When the newest message was added.'),
  dueAt: nullable(
    time('When the soonest of what its promise holds is due; null where nothing is, as once it is closed.'),
  ),
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

/** An id, or the word for nobody's. */
const idOrNone = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(?:none|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})$',
      rule: rule('uuid_or_none'),
      description,
      documented: { pattern: null },
    }),
  )

const tagNames = (description: string) =>
  Type.Array(Type.String({ documented: { maxLength: MAX_TAG_NAME } }), { maxItems: MAX_TAGS_OF_TICKET, description })

/** A form of what is said, which has as many bytes at most. */
const said = (description: string, options: { minLength?: number } = {}) =>
  Type.String({ ...options, description, documented: { maxLength: MAX_HTML } })

export const TicketFilters = listQuery({
  query: searchFilter(
    200,
    'Words that a message of the ticket has to hold, its subject or who it is from and to, the last one as the beginning of a ' +
      'word; or its reference. Neither case nor accents matter; of more than 16 words, the first 16.',
  ),
  inbox_id: uuidFilter('Tickets of this inbox.'),
  status: Type.Optional(oneOf(ticketStatuses, 'Tickets of this status; a snoozed ticket keeps the one it has.')),
  since: timeFilter('Changed at this time or later.'),
  contact_id: uuidFilter('Tickets of this contact.'),
  assignee: idOrNone('Tickets of this user; `none`: of nobody.'),
  team: idOrNone('Tickets of this team; `none`: of no team.'),
  priority: Type.Optional(oneOf(priorities, 'Tickets of this priority.')),
  due_before: timeFilter('Tickets of which something is due before this time, or was.'),
  tag: Type.Optional(
    Type.String({ maxLength: 255, description: 'Tickets with the tag of this name, in whatever case.' }),
  ),
})

export const TagsUpdate = strictObject(
  { tags: tagNames('Names of all the tags that it is to have; those that do not exist are made.') },
  { examples: [{ tags: ['billing', 'VIP'] }] },
)

const assigneeField = (description: string) => Type.Optional(nullable(Type.String({ format: 'uuid', description })))

export const AssigneeUpdate = strictObject(
  {
    userId: assigneeField('Who looks after it; null: nobody. Left out, whoever does stays.'),
    teamId: assigneeField('The team that does; null: none. Left out, it stays.'),
  },
  { examples: [{ userId: null }] },
)

export const PriorityUpdate = strictObject({ priority: oneOf(priorities) }, { examples: [{ priority: 'high' }] })

export const TicketCreate = strictObject(
  {
    inboxId: optional(Type.String({ format: 'uuid', description: 'An email inbox; the oldest when left out.' })),
    contactId: optional(Type.String({ format: 'uuid', description: 'Who asks: a contact with an address, or' })),
    email: optional(
      email({
        description: 'who has this address: a contact is made where there is none.',
        documented: { maxLength: MAX_EMAIL },
      }),
    ),
    name: optional(Type.String({ maxLength: 255, description: 'Their name.', examples: ['Ada Lovelace'] })),
    subject: Type.String({ minLength: 1, maxLength: 500, examples: ['Where is my order?'] }),
    html: optional(said('What they said; sanitised before it is stored. At most 256 KiB.')),
    text: optional(said('The same as plain text; either may be left out.')),
    priority: optional(oneOf(priorities)),
    tags: optional(tagNames('Names of its tags; those that do not exist are made.')),
  },
  {
    examples: [{ email: 'ada@acme.test', subject: 'Where is my order?', text: 'It is a week late.', tags: ['order'] }],
  },
)
export type TicketCreate = Static<typeof TicketCreate>

export const NoteCreate = strictObject(
  {
    html: optional(said('Sanitised before it is stored. At most 256 KiB.')),
    text: optional(said('The same as plain text; either may be left out.')),
  },
  { examples: [{ text: 'Called back: a refund is fine.' }] },
)

export const NoteCreated = Type.Object({ id: uuid('Id of the note.') }, { title: 'NoteCreated' })

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
    html: said(
      'The reply; sanitised before it is stored and sent. At most 256 KiB of UTF-8 with 5,000 tags, and 512 KiB once ' +
        'it is sanitised.',
      { minLength: 1 },
    ),
    text: optional(said('The plain-text version, at most 256 KiB; derived from `html` when left out.')),
  },
  { examples: [{ html: '<p>It is on its way.</p>' }] },
)
