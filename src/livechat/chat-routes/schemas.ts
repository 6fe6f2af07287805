import { errors, FileContent, noQuery, page, problem, uploadBody } from '../../http/requests/schemas.ts'
import {
  ChatMessage,
  ChatUploaded,
  Conversation,
  ConversationStarted,
  MessagesAfter,
  NewChatMessage,
  NewConversation,
  NewVisitor,
  VisitorMade,
} from '../model.ts'
import { NOT_ALLOWED } from '../origins.ts'

/*
 * What each route of the chat takes and answers, as its documentation says it. Made anew for every app, since Elysia
 * writes into what it is given: it takes the scope out and adds what the scope asks for.
 */

/** Where the source names its sites. */
const FORBIDDEN = problem('insufficient_scope', NOT_ALLOWED)

export const createVisitor = () =>
  ({
    scope: 'public',
    query: noQuery,
    body: NewVisitor,
    response: {
      201: VisitorMade,
      403: FORBIDDEN,
      ...errors(404, 413),
    },
    detail: {
      operationId: 'createVisitor',
      summary: 'Become a visitor',
      description:
        'Somebody who opens the chat; their browser keeps the token. Sent with the token of a visitor, it says more of ' +
        'that one, whose token stays: a name, an address, or by an `identity` who they are. Their conversations then ' +
        "become those of the address's contact. One whom another identity named before becomes a new visitor.",
    },
  }) as const

export const listConversations = () =>
  ({
    scope: 'visitor',
    query: noQuery,
    response: { 200: page(Conversation), 403: FORBIDDEN, ...errors(404) },
    detail: {
      operationId: 'listConversations',
      summary: 'List own conversations',
      description: "The visitor's newest 100, newest first.",
    },
  }) as const

export const startConversation = () =>
  ({
    scope: 'visitor',
    query: noQuery,
    body: NewConversation,
    response: {
      201: ConversationStarted,
      403: FORBIDDEN,
      ...errors(404, 409, 413),
    },
    detail: {
      operationId: 'startConversation',
      summary: 'Begin a conversation',
      description: "Opens a ticket of the source's inbox; its subject is the first words.",
    },
  }) as const

export const listChatMessages = () =>
  ({
    scope: 'visitor',
    query: MessagesAfter,
    response: { 200: page(ChatMessage), 403: FORBIDDEN, ...errors(404) },
    detail: {
      operationId: 'listChatMessages',
      summary: 'Read a conversation',
      description:
        'What came after the message `after`, oldest first: at most 200 messages, and fewer where their JSON would ' +
        'exceed 1 MiB. Ask again with the last one as `after` until none comes. Internal notes are never in it.',
    },
  }) as const

export const writeChatMessage = () =>
  ({
    scope: 'visitor',
    query: noQuery,
    body: NewChatMessage,
    response: {
      200: ChatMessage,
      201: ChatMessage,
      403: FORBIDDEN,
      ...errors(404, 409, 413),
    },
    detail: {
      operationId: 'writeChatMessage',
      summary: 'Write in a conversation',
      description: 'A closed conversation opens again.',
    },
  }) as const

export const uploadChatFile = () =>
  ({
    scope: 'visitor',
    query: noQuery,
    response: {
      201: ChatUploaded,
      403: FORBIDDEN,
      ...errors(404, 409),
      413: problem('invalid_request', 'file: must be at most 10 MiB'),
    },
    detail: {
      operationId: 'uploadChatFile',
      summary: 'Upload a file',
      description:
        'One file, as the part `file`, for a message of the same visitor to name in `uploads` within two hours; what no ' +
        'message names is deleted then. An address may have 100 MiB here that nothing has named.',
      requestBody: uploadBody,
    },
  }) as const

export const downloadChatAttachment = () =>
  ({
    scope: 'visitor',
    query: noQuery,
    response: { 200: FileContent, 403: FORBIDDEN, ...errors(404) },
    detail: {
      operationId: 'downloadChatAttachment',
      summary: 'Download a file of a conversation',
      description:
        "A file that came with a message of the visitor's own, exact to the byte. Always an attachment, of the type its " +
        'content has, never shown in place.',
    },
  }) as const
