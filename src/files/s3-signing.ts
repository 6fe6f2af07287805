import type { S3Client } from 'bun'

/** For how long a signed address holds, in seconds. */
const SIGNED_FOR = 60

/** What is asked of a bucket that Bun's client has no words for. */
export interface Asked {
  readonly method: 'GET' | 'DELETE'
  /** Of an object; of the bucket itself where it is left out. */
  readonly key?: string
  readonly parameters: Readonly<Record<string, string>>
}

/** An address by which that can be asked for a minute: Bun's own, with more in it, signed anew (AWS Signature Version 4). */
export function signedAddress(client: S3Client, secretAccessKey: string, { method, key, parameters }: Asked): string {
  const address = new URL(client.presign(key ?? 'x', { method, expiresIn: SIGNED_FOR }))
  if (key === undefined) address.pathname = address.pathname.slice(0, -'x'.length)
  address.searchParams.delete('X-Amz-Signature')
  const [time = '', credential = ''] = ['X-Amz-Date', 'X-Amz-Credential'].map(
    (name) => address.searchParams.get(name) ?? '',
  )
  const scope = credential.split('/').slice(1)
  const query = [...address.searchParams, ...Object.entries(parameters)]
    .map((pair) => pair.map(encoded).join('='))
    .sort()
    .join('&')
  const request = [method, address.pathname, query, `host:${address.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n')
  const signature = scope.reduce<Buffer | string>((made, part) => hmac(made, part), `AWS4${secretAccessKey}`)
  return `${address.origin}${address.pathname}?${query}&X-Amz-Signature=${hmac(signature, text).toString('hex')}`
}

/** As the signature wants it: `encodeURIComponent` leaves more as it is. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (other) => `%${other.charCodeAt(0).toString(16).toUpperCase()}`)
}

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string) => new Bun.CryptoHasher('sha256', key).update(text).digest()
