import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { download } from '../files/download.ts'
import { api } from '../http/api.ts'
import { FileContent, noQuery } from '../http/requests/schemas.ts'
import { getUpload } from './operations.ts'

/** `/v1/uploads/{uploadId}`: where the `url` of a file or signature answer leads (decisions §4). */
export function uploadRoutes(deps: Deps) {
  return new Elysia({ prefix: '/v1/uploads', tags: ['Responses'] }).use(api(deps)).get(
    '/:uploadId',
    async ({ principal, params }) => {
      const { tenantId } = principal
      const upload = await getUpload(deps.database.db, tenantId, params.uploadId)
      return download(deps.files, { kind: 'uploads', tenantId, id: upload.id }, upload, 'upload')
    },
    {
      scope: 'responses:read',
      query: noQuery,
      response: { 200: FileContent },
      detail: {
        operationId: 'downloadUpload',
        summary: 'Download an uploaded file',
        description:
          'The `url` of a file_upload or signature answer. Always an attachment, of the type its content has, never shown in place.',
      },
    },
  )
}
