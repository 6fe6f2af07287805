import type { Caller } from '../caller.ts'
import type { StoredFile } from '../files/content.ts'
import type { Files } from '../files/files.ts'
import { newId } from '../lib/ids.ts'
import { type Admission, MAX_FILE_SIZE } from './limits.ts'
import { type FilePart, readFilePart } from './multipart.ts'

/**
 * Stores the file of a multipart request as one of `kind`, counted as it comes, and then has `record` keep its record. When that fails,
 * or answers for an earlier file of the same Idempotency-Key, the new file is taken back. Throws as `readFilePart`,
 * `store`, `count` and `record`.
 */
export async function receiveUpload<R>(
  request: Request,
  caller: Caller,
  files: Files,
  kind: 'uploads' | 'attachments',
  { count }: Admission,
  record: (id: string, part: FilePart<StoredFile>) => Promise<R>,
): Promise<R> {
  const name = { kind, tenantId: caller.tenantId, id: newId(caller.at) } as const
  // What a store out of reach keeps of it is swept: no record knows it.
  const takeBack = () => files.remove(name).catch(() => {})
  try {
    const part = await readFilePart(request, 'file', (content) =>
      files.store(name, counted(content, count), MAX_FILE_SIZE),
    )
    const answer = await record(name.id, part)
    // A Response stands for the answer that was stored with the key.
    if (answer instanceof Response) await takeBack()
    return answer
  } catch (error) {
    await takeBack()
    throw error
  }
}

/** What a request says of the length of its body, in bytes; null where it says nothing. */
export function declaredLength({ headers }: Request): number | null {
  const length = headers.get('content-length')
  return length === null ? null : Number(length)
}

async function* counted(content: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
  for await (const chunk of content) {
    count(chunk.length)
    yield chunk
  }
}
