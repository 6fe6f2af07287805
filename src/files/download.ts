import { notFound } from '../errors.ts'
import type { Files } from './files.ts'
import type { FileName } from './names.ts'

/** What a record says of a file. */
export interface FileRecord {
  readonly fileName: string
  readonly contentType: string
  readonly size: number
}

/** The answer that hands a file to its tenant. Throws `not_found`, as `what`, and `unavailable`. */
export async function download(files: Files, name: FileName, record: FileRecord, what: string): Promise<Response> {
  const content = await files.read(name)
  if (content === null) throw notFound(what)
  return handOver(content, record)
}

/** The answer that hands content to its tenant as it is read, to be saved and never shown. */
export function handOver(content: Blob | ReadableStream<Uint8Array>, record: FileRecord): Response {
  return new Response(content, { headers: downloadHeaders(record) })
}

/** What a stranger sent is saved, never shown: as an attachment, and as nothing but the type its content has. */
function downloadHeaders({ fileName, contentType, size }: FileRecord): Record<string, string> {
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
