import type { Secrets } from '../../secrets/seal.ts'

/** What a hook after a route sees of its answer. */
export interface Answering {
  readonly request: Request
  readonly responseValue?: unknown
  readonly set: { readonly status?: number | string; readonly headers: Record<string, string | number | undefined> }
}

/** As Bun's `Response.json` says it. */
const JSON_TYPE = 'application/json;charset=utf-8'

/**
 * Gives what is read a strong `ETag`, and answers 304 to who has it already (RFC 9110 §13.1.2). For answers that are JSON:
 * files and streams pass. A cryptographic digest of a page takes a tenth of what the page takes, so a tag is two fast ones,
 * made differently and seeded from the installation's key: who writes what is read can look for no two texts of one tag,
 * and all nodes give the same. Elysia is handed the text and the headers rather than an answer, which it would make anew
 * from a stream of its body and a copy of every header.
 */
export function entityTags(secrets: Pick<Secrets, 'derive'>) {
  let seeds: { first: bigint; second: bigint } | undefined
  const tagOf = (text: string) => {
    seeds ??= seedsFrom(secrets.derive('entity tags'))
    const one = Bun.hash.wyhash(text, seeds.first)
    const other = Bun.hash.xxHash3(text, seeds.second)
    return `"${one.toString(36)}-${other.toString(36)}"`
  }
  return ({ request, responseValue, set }: Answering): Response | string | undefined => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return
    // A text is JSON that a route has written itself.
    const isText = typeof responseValue === 'string'
    if (!isText && responseValue?.constructor !== Object) return
    const text = isText ? responseValue : JSON.stringify(responseValue)
    const etag = tagOf(text)
    // They are this request's own: a copy of them would cost more than the tag.
    const headers = set.headers as Record<string, string>
    headers.etag = etag
    const known = request.headers.get('if-none-match')
    if (known !== null && names(known, etag)) {
      delete headers['content-type']
      return new Response(null, { status: 304, headers })
    }
    headers['content-type'] ??= JSON_TYPE
    return text
  }
}

/**
 * Whether a list of tags holds this one, weak or not. Its quotation marks belong to it, and no tag of ours holds a comma, so
 * that it stands nowhere else in a list.
 */
function names(list: string, etag: string): boolean {
  return list.trim() === '*' || list.includes(etag)
}

function seedsFrom(key: Uint8Array): { first: bigint; second: bigint } {
  const view = new DataView(key.buffer, key.byteOffset)
  return { first: view.getBigUint64(0), second: view.getBigUint64(8) }
}
