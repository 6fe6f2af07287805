import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { api } from '../http/api.ts'
import { noQuery } from '../http/schemas.ts'
import { uploadFiles } from './files.ts'
import { getUpload } from './operations.ts'

const Content = Type.Unsafe<Response>(Type.Any({ documented: { type: 'string', format: 'binary' } }))

/** `/v1/uploads/{uploadId}`: where the `url` of a file or signature answer leads (decisions §4). */
export function uploadRoutes(deps: Deps) {
  const files = uploadFiles(deps.config.dataDir)
  return new Elysia({ prefix: '/v1/uploads', tags: ['Responses'] }).use(api(deps)).get(
    '/:uploadId',
    async ({ principal, params }) => {
      const { id, fileName, contentType, size } = await getUpload(deps.database.db, principal.tenantId, params.uploadId)
      const file = files.read(principal.tenantId, id)
      if (!(await file.exists())) throw notFound('upload')
      return new Response(file, { headers: downloadHeaders(fileName, contentType, size) })
    },
    {
      scope: 'responses:read',
      query: noQuery,
      response: { 200: Content },
      detail: {
        operationId: 'downloadUpload',
        summary: 'Download an uploaded file',
        description:
          'The `url` of a file_upload or signature answer. Always an attachment, of the type its content has, never shown in place.',
      },
    },
  )
}

/** What a stranger sent is saved, never shown: as an attachment, and as nothing but the type its content has. */
export function downloadHeaders(fileName: string, contentType: string, size: number): Record<string, string> {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return {
    'content-type': contentType,
    'content-length': String(size),
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
  }
}
