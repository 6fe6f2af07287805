import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { download } from '../../files/download.ts'
import { api } from '../../http/api.ts'
import { FileContent, noQuery } from '../../http/requests/schemas.ts'
import { getAttachment } from './operations.ts'

/** `/v1/attachments/{attachmentId}`: the files that messages name (decisions §2). */
export function attachmentRoutes(deps: Deps) {
  return new Elysia({ prefix: '/v1/attachments', tags: ['Tickets'] }).use(api(deps)).get(
    '/:attachmentId',
    async ({ principal, params }) => {
      const { tenantId } = principal
      const attachment = await getAttachment(deps.database.db, tenantId, params.attachmentId)
      return download(deps.files, { kind: 'attachments', tenantId, id: attachment.id }, attachment, 'attachment')
    },
    {
      scope: 'tickets:read',
      query: noQuery,
      response: { 200: FileContent },
      detail: {
        operationId: 'downloadAttachment',
        summary: 'Download an attachment',
        description:
          'A file that came with a message, by its `id` there, exact to the byte. Always an attachment, of the type its ' +
          'content has, never shown in place.',
      },
    },
  )
}
