import type { Caller } from '../caller.ts'
import { newId } from '../lib/ids.ts'
import type { StoredFile, uploadFiles } from './files.ts'
import type { Admission } from './limits.ts'
import { type FilePart, readFilePart } from './multipart.ts'

/**
 * Puts the file of a multipart request on the disk, counted as it comes, and then has `record` keep its record. When
 * that fails, or answers for an earlier file of the same Idempotency-Key, the new file is taken back. Throws as
 * `readFilePart`, `count` and `record`.
 */
export async function receiveUpload<R>(
  request: Request,
  caller: Caller,
  files: ReturnType<typeof uploadFiles>,
  { count }: Admission,
  record: (id: string, part: FilePart<StoredFile>) => Promise<R>,
): Promise<R> {
  const id = newId(caller.at)
  try {
    const part = await readFilePart(request, 'file', (content) =>
      files.store(caller.tenantId, id, counted(content, count)),
    )
    const answer = await record(id, part)
    // A Response stands for the answer that was stored with the key.
    if (answer instanceof Response) await files.remove(caller.tenantId, id)
    return answer
  } catch (error) {
    await files.remove(caller.tenantId, id)
    throw error
  }
}

async function* counted(content: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
  for await (const chunk of content) {
    count(chunk.length)
    yield chunk
  }
}
