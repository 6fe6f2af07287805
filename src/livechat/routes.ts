import { Elysia } from 'elysia'
import { type Caller, callerFor, outsideCaller, type VisitorPrincipal } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalid, rule } from '../errors.ts'
import { api } from '../http/api.ts'
import { clientOf, upgrade } from '../http/context.ts'
import { errors, noQuery, page, problem, wholeList } from '../http/schemas.ts'
import { writer } from '../http/write.ts'
import { findVisitor } from '../visitors/operations.ts'
import { readIdentity } from './identity.ts'
import {
  ChatMessage,
  Conversation,
  ConversationStarted,
  MessagesAfter,
  NewChatMessage,
  NewConversation,
  NewVisitor,
  VisitorMade,
} from './model.ts'
import { admitVisitor, startConversation, writeMessage } from './operations.ts'
import { checkOrigin, corsOf, NOT_ALLOWED, preflightOf } from './origins.ts'
import { Places } from './places.ts'
import { forgetSeenMail } from './plan-mail.ts'
import { listChatMessages, listConversations } from './read.ts'
import { findChatSecret } from './settings.ts'
import { ChatSockets } from './sockets.ts'
import { type ChatSource, findChatSource } from './source.ts'

/** Where the source names its sites. */
const FORBIDDEN = problem('insufficient_scope', NOT_ALLOWED)

/** What is known of a request before its body is judged. */
interface Admitted {
  readonly source: ChatSource
  /** Who sends it; null where no token is needed and none came that is known. */
  readonly visitor: VisitorPrincipal | null
}

/** The chat for visitors and headless clients: `/chat/{sourceId}/…` (decisions §13). */
export function chatRoutes(deps: Deps) {
  const { clock, config, secrets } = deps
  const { db } = deps.database
  const { writeAs } = writer(deps)
  const places = new Places()
  const sockets = new ChatSockets(deps)
  const admitted = new WeakMap<Request, Admitted>()
  const sourceOf = (request: Request) => (admitted.get(request) as Admitted).source
  const preflight = ({ request }: { request: Request }) =>
    new Response(null, { status: 204, headers: preflightOf(sourceOf(request), request) })

  function visitorOf(request: Request): VisitorPrincipal {
    const visitor = admitted.get(request)?.visitor
    if (!visitor) throw new AppError('unauthorized', 'this takes the token of a visitor')
    return visitor
  }

  function callerOf(visitor: VisitorPrincipal, request: Request): Caller {
    return callerFor(visitor, clock.now(), clientOf(request).address || null)
  }

  return new Elysia({ prefix: '/chat/:sourceId', tags: ['Live chat'] })
    .use(api(deps))
    .onTransform(async ({ request, params, path, set }) => {
      const source = await findChatSource(db, (params as Record<string, string>).sourceId as string)
      Object.assign(set.headers, corsOf(source, request))
      if (request.method === 'OPTIONS') {
        admitted.set(request, { source, visitor: null })
        return
      }
      const token = tokenOf(request)
      const found = token ? await findVisitor(db, source.sourceId, token) : null
      const visitor = found?.tenantId === source.tenantId ? found : null
      admitted.set(request, { source, visitor })
      if (/\/conversations(\/|$)/.test(path)) visitorOf(request)
      checkOrigin(source, request, config.baseUrl)
    })
    .options('/visitors', preflight, { scope: 'public', detail: { hide: true } })
    .options('/conversations', preflight, { scope: 'public', detail: { hide: true } })
    .options('/conversations/:id/messages', preflight, { scope: 'public', detail: { hide: true } })
    .post(
      '/visitors',
      async ({ request, body }) => {
        const { source, visitor } = admitted.get(request) as Admitted
        const { name, email, identity: token } = body
        const at = clock.now()
        const identity = token ? await readIdentity(token, await findChatSecret(db, secrets, source), at) : null
        const known = visitor && { visitor, token: tokenOf(request) ?? '' }
        const caller = visitor ? callerOf(visitor, request) : outsideCaller(source.tenantId, at)
        const admit = async (tx: Tx) => ({
          status: 201 as const,
          body: await admitVisitor(tx, caller, source, { name, email, identity, known }),
        })
        // Whose network changes meanwhile becomes two visitors, of whom one never writes.
        return writeAs(caller, request, admit, { sender: visitor?.visitorId ?? clientOf(request).address })
      },
      {
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
      },
    )
    .get('/conversations', async ({ request }) => wholeList(await listConversations(db, visitorOf(request))), {
      scope: 'visitor',
      query: noQuery,
      response: { 200: page(Conversation), 403: FORBIDDEN, ...errors(404) },
      detail: {
        operationId: 'listConversations',
        summary: 'List own conversations',
        description: "The visitor's newest 100, newest first.",
      },
    })
    .post(
      '/conversations',
      async ({ request, body }) => {
        const visitor = visitorOf(request)
        const caller = callerOf(visitor, request)
        const start = async (tx: Tx) => ({
          status: 201 as const,
          body: await startConversation(tx, caller, visitor, sourceOf(request), body),
        })
        return writeAs(caller, request, start, { sender: visitor.visitorId })
      },
      {
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
      },
    )
    .get(
      '/conversations/:id/messages',
      async ({ request, params, query }) => {
        const visitor = visitorOf(request)
        const items = await listChatMessages(db, visitor, params.id, query.after)
        const last = items.at(-1)?.id ?? query.after
        if (last) await forgetSeenMail(deps.database, visitor.tenantId, params.id, last.toLowerCase())
        return wholeList(items)
      },
      {
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
      },
    )
    .post(
      '/conversations/:id/messages',
      async ({ request, params, body }) => {
        const visitor = visitorOf(request)
        const caller = callerOf(visitor, request)
        const write = async (tx: Tx) => {
          const { message, isNew } = await writeMessage(tx, caller, visitor, params.id, body)
          return { status: isNew ? (201 as const) : (200 as const), body: message }
        }
        return writeAs(caller, request, write, { sender: visitor.visitorId })
      },
      {
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
      },
    )
    .get(
      '/socket',
      ({ request }) => {
        const source = sourceOf(request)
        if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw invalid('', rule('web_sockets'))
        const client = clientOf(request)
        if (!places.take(client))
          throw new AppError('too_soon', 'too many sockets are open', { retryAfter: RETRY_AFTER })
        const socket = sockets.open(source, client, () => places.free(client))
        // Without a connection to make a socket of, nobody will close it.
        if (!upgrade(request, socket)) socket.closed()
        return new Response(null, { status: 101 })
      },
      {
        scope: 'public',
        query: noQuery,
        detail: { hide: true },
      },
    )
}

/** Seconds after which an address with too many sockets may look for a place again. */
const RETRY_AFTER = 10

function tokenOf({ headers }: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}
