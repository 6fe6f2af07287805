import { type Static, Type } from '@sinclair/typebox'
import { email, nullable, oneOf, optional, strictObject, time, uuid } from '../http/requests/schemas.ts'
import { authorTypes, directions } from '../kinds/tickets.ts'

/** The longest text of one message of a visitor, in characters; the reader's own memory is the limit for agents. */
export const MAX_TEXT = 10_000

/** Files that may come with one message. */
export const MAX_FILES = 10

const text = Type.String({
  maxLength: MAX_TEXT,
  description: 'Plain text; may be empty beside `uploads`.',
  examples: ['Where is my order?'],
})

const uploads = optional(
  Type.Array(uuid('Of a file that was uploaded before.'), {
    maxItems: MAX_FILES,
    description: 'Files that come with it: the `uploadId`s of own uploads that no message has named yet.',
  }),
)

/** decisions §13. */
export const ChatMessage = Type.Object(
  {
    id: uuid('Id of the message.'),
    conversationId: uuid('The conversation it belongs to.'),
    direction: oneOf(directions, '`inbound` from the visitor, `outbound` to them.'),
    author: Type.Object(
      {
        type: oneOf(authorTypes, 'Who wrote it.'),
        name: nullable(Type.String({ examples: ['Ada'] })),
      },
      { description: 'Who wrote it; `name` is null where nobody knows it.' },
    ),
    text: Type.String({ examples: ['Where is my order?'] }),
    html: Type.String({ description: 'The same, sanitised.', examples: ['<p>Where is my order?</p>'] }),
    attachments: Type.Array(
      Type.Object({
        id: uuid('Id of the file.'),
        fileName: Type.String({ examples: ['invoice.pdf'] }),
        contentType: Type.String({ description: 'As its content says.', examples: ['application/pdf'] }),
        size: Type.Integer({ description: 'In bytes.', examples: [48213] }),
        url: Type.String({
          description: "A path of the service, to be asked for with the visitor's token.",
          examples: ['/chat/0198c3b5-6f8e-7a31-9a0c-2f1f6f3f9c11/attachments/0198c3b5-7d10-7c44-8b1e-5f0d3a2c9e77'],
        }),
      }),
      { description: 'Files that came with it.' },
    ),
    createdAt: time('When it was written.'),
  },
  { title: 'ChatMessage' },
)
export type ChatMessage = Static<typeof ChatMessage>

export const conversationStatuses = ['open', 'closed'] as const

/** decisions §13. */
export const Conversation = Type.Object(
  {
    id: uuid('Id of the conversation.'),
    status: oneOf(conversationStatuses, 'Writing to a closed one opens it again.'),
    lastMessage: nullable(ChatMessage),
    updatedAt: time('When the last message was written.'),
  },
  { title: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

export const NewVisitor = strictObject(
  {
    name: optional(Type.String({ maxLength: 255, description: 'As they typed it.', examples: ['Ada'] })),
    email: optional(
      email({ maxLength: 320, description: 'As they typed it: it proves nothing.', examples: ['ada@acme.test'] }),
    ),
    identity: optional(
      Type.String({
        maxLength: 4096,
        description:
          "A JWT that says who they are: HS256 with the source's secret, with `email`, `name` and `exp`. What it says " +
          'counts instead of `name` and `email`.',
      }),
    ),
  },
  { examples: [{ name: 'Ada', email: 'ada@acme.test' }] },
)
export type NewVisitor = Static<typeof NewVisitor>

export const VisitorMade = Type.Object(
  {
    visitorId: uuid('Id of the visitor.'),
    token: Type.String({
      description: 'Shows who they are from here on; to be kept by their browser.',
      examples: ['vt_Jr0d7MTAv5yZ1XkSAv8Hkn0iKOuFQX4yYqQpZcMZrT8'],
    }),
  },
  { title: 'Visitor' },
)

export const NewConversation = strictObject({ text, uploads }, { examples: [{ text: 'Where is my order?' }] })
export type NewConversation = Static<typeof NewConversation>
export const ConversationStarted = Type.Object({
  conversationId: uuid('Id of the conversation.'),
  message: ChatMessage,
})

export const NewChatMessage = strictObject(
  {
    text,
    uploads,
    clientId: optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Of your making: the same message sent again under it is answered with 200 and stored once.',
        examples: ['7f1c0a52'],
      }),
    ),
  },
  { examples: [{ text: 'Where is my order?', clientId: '7f1c0a52' }] },
)
export type NewChatMessage = Static<typeof NewChatMessage>

export const ChatUploaded = Type.Object({ uploadId: uuid('Names the file in a message.') })

export const MessagesAfter = strictObject({
  after: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Id of the last message you know; all when left out.',
    }),
  ),
})
