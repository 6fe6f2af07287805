import { Elysia } from 'elysia'
import type { Tx } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { download } from '../files/download.ts'
import { api } from '../http/api.ts'
import { writer } from '../http/idempotency/write.ts'
import { noQuery, wholeList } from '../http/requests/schemas.ts'
import { forgetSeenMail } from '../tickets/chat-mails.ts'
import { Admission } from './chat-routes/admission.ts'
import * as schemas from './chat-routes/schemas.ts'
import { socketOpener } from './chat-routes/socket.ts'
import { uploadTaker } from './chat-routes/uploads.ts'
import { visitorMaker } from './chat-routes/visitors.ts'
import { getChatFile } from './files.ts'
import { startConversation, writeMessage } from './operations.ts'
import { corsOf, preflightOf } from './origins.ts'
import { listChatMessages, listConversations } from './read.ts'

/** The chat for visitors and headless clients: `/chat/{sourceId}/…` (decisions §13). */
export function chatRoutes(deps: Deps) {
  const { db } = deps.database
  const { writeAs } = writer(deps)
  const admission = new Admission(deps)
  const makeVisitor = visitorMaker(deps, admission)
  const takeUpload = uploadTaker(deps, admission)
  const openSocket = socketOpener(deps)
  const preflight = ({ request }: { request: Request }) =>
    new Response(null, { status: 204, headers: preflightOf(admission.of(request).source, request) })

  return new Elysia({ prefix: '/chat/:sourceId', tags: ['Live chat'] })
    .use(api(deps))
    .onTransform(async ({ request, params, path, set }) => {
      await admission.admit(request, (params as Record<string, string>).sourceId as string, path, set.headers)
    })
    .options('/visitors', preflight, { scope: 'public', detail: { hide: true } })
    .options('/conversations', preflight, { scope: 'public', detail: { hide: true } })
    .options('/conversations/:id/messages', preflight, { scope: 'public', detail: { hide: true } })
    .options('/uploads', preflight, { scope: 'public', detail: { hide: true } })
    .options('/attachments/:attachmentId', preflight, { scope: 'public', detail: { hide: true } })
    .post('/visitors', async ({ request, body }) => makeVisitor(request, body), schemas.createVisitor())
    .get(
      '/conversations',
      async ({ request }) => wholeList(await listConversations(db, admission.visitorOf(request))),
      schemas.listConversations(),
    )
    .post(
      '/conversations',
      async ({ request, body }) => {
        const visitor = admission.visitorOf(request)
        const caller = admission.callerOf(visitor, request)
        const start = async (tx: Tx) => ({
          status: 201 as const,
          body: await startConversation(tx, caller, visitor, admission.of(request).source, body),
        })
        return writeAs(caller, request, start, { sender: visitor.visitorId })
      },
      schemas.startConversation(),
    )
    .get(
      '/conversations/:id/messages',
      async ({ request, params, query }) => {
        const visitor = admission.visitorOf(request)
        const items = await listChatMessages(db, visitor, params.id, query.after)
        const last = items.at(-1)?.id ?? query.after
        if (last) await forgetSeenMail(deps.database, visitor.tenantId, params.id, last.toLowerCase())
        return wholeList(items)
      },
      schemas.listChatMessages(),
    )
    .post(
      '/conversations/:id/messages',
      async ({ request, params, body }) => {
        const visitor = admission.visitorOf(request)
        const caller = admission.callerOf(visitor, request)
        const write = async (tx: Tx) => {
          const { message, isNew } = await writeMessage(tx, caller, visitor, params.id, body)
          return { status: isNew ? (201 as const) : (200 as const), body: message }
        }
        return writeAs(caller, request, write, { sender: visitor.visitorId })
      },
      schemas.writeChatMessage(),
    )
    .post('/uploads', ({ request }) => takeUpload(request), schemas.uploadChatFile())
    .get(
      '/attachments/:attachmentId',
      async ({ request, params }) => {
        const visitor = admission.visitorOf(request)
        const file = await getChatFile(db, visitor, params.attachmentId)
        const name = { kind: 'attachments', tenantId: visitor.tenantId, id: file.id } as const
        const answer = await download(deps.files, name, file, 'attachment')
        // An answer of its own has none of what the others get.
        for (const [header, value] of Object.entries(corsOf(admission.of(request).source, request)))
          answer.headers.set(header, value)
        return answer
      },
      schemas.downloadChatAttachment(),
    )
    .get('/socket', ({ request }) => openSocket(request, admission.of(request).source), {
      scope: 'public',
      query: noQuery,
      detail: { hide: true },
    })
}
