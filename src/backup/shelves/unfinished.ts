import type { S3Client } from 'bun'
import type { S3Config } from '../../config.ts'
import { type Asked, signedAddress } from '../../files/s3-signing.ts'

/** An upload in parts that nobody has completed or ended: the store keeps its parts, which no list of objects shows. */
interface Unfinished {
  readonly key: string
  readonly uploadId: string
  readonly begunAt: number
}

/**
 * Ends uploads in parts to names that begin with `prefix`, as a process leaves them that is killed amid one: of those that
 * `isOwn` knows what follows it of, and that were begun before `before`. It looks at the first thousand. A store that has no
 * list of them, or an account that may not see it, is no reason for anything to fail: a rule of the bucket can end them, too.
 * `patience` is how long it may take to answer, in milliseconds.
 */
export async function endUnfinished(
  client: S3Client,
  { prefix, secretAccessKey }: Pick<S3Config, 'prefix' | 'secretAccessKey'>,
  isOwn: (name: string) => boolean,
  before: number,
  patience: number,
): Promise<void> {
  const ask = async (asked: Asked) => {
    const address = signedAddress(client, secretAccessKey, asked)
    const signal = AbortSignal.timeout(patience)
    // Of a store that cannot be reached the next backup asks again.
    const answer = await fetch(address, { method: asked.method, redirect: 'error', signal }).catch(() => null)
    const text = await answer?.text().catch(() => '')
    return answer?.ok && text ? text : ''
  }
  const listed = await ask({ method: 'GET', parameters: { uploads: '', prefix } })
  for (const { key, uploadId, begunAt } of uploadsIn(listed)) {
    if (!key.startsWith(prefix) || !isOwn(key.slice(prefix.length))) continue
    // Without its id the object would be deleted.
    if (uploadId === '' || !(begunAt < before)) continue
    await ask({ method: 'DELETE', key, parameters: { uploadId } })
  }
}

/** Own names, the prefixes that can be configured and ids hold nothing that XML would write in another way. */
function uploadsIn(xml: string): Unfinished[] {
  return [...xml.matchAll(/<Upload>(.*?)<\/Upload>/gs)].map(([, upload = '']) => ({
    key: textOf(upload, 'Key'),
    uploadId: textOf(upload, 'UploadId'),
    begunAt: Date.parse(textOf(upload, 'Initiated')),
  }))
}

function textOf(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? ''
}
