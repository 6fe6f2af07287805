/**
 * Serves what `load` gives, which is asked for once and kept: compressed where that helps and the client can, and not
 * sent again to one that has it.
 */
export function file(
  type: string,
  load: () => Promise<string | Uint8Array<ArrayBuffer>>,
  headers: Record<string, string> = {},
) {
  let kept: Promise<{ plain: Uint8Array<ArrayBuffer>; compressed: Uint8Array<ArrayBuffer>; etag: string }> | undefined
  return async (request: Request): Promise<Response> => {
    kept ??= load().then(keep)
    const { plain, compressed, etag } = await kept
    const answer = {
      etag,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...headers,
    }
    if (request.headers.get('if-none-match')?.includes(etag))
      return new Response(null, { status: 304, headers: answer })
    const content = { ...answer, 'content-type': type }
    if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return new Response(plain, { headers: content })
    return new Response(compressed, { headers: { ...content, 'content-encoding': 'gzip' } })
  }
}

/** Up to so many bytes are compressed as small as they get: that takes some 20 ms, once. */
const SMALL = 64 * 1024

function keep(content: string | Uint8Array<ArrayBuffer>) {
  const plain = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const hash = new Bun.CryptoHasher('sha256').update(plain).digest('base64url').slice(0, 22)
  const compressed =
    plain.length > SMALL ? Bun.gzipSync(plain) : Bun.gzipSync(plain, { library: 'libdeflate', level: 12 })
  return { plain, compressed, etag: `"${hash}"` }
}
