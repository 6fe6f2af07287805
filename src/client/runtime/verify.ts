import { FrontdeskError } from './error.ts'

/** As a request has them: of the Fetch standard, or of Node. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** By how much the clocks of the sender and of this machine may differ, in seconds (Standard Webhooks). */
const TOLERANCE = 300

/** What a delivery holds, once its signature was checked. Where it is not genuine, a FrontdeskError is thrown. */
export async function verifyDelivery(
  secret: string,
  body: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
): Promise<unknown> {
  // An empty key would make a signature that anybody can make.
  if (!secret) throw new TypeError('secret: must not be empty')
  const encoded = new TextEncoder()
  const bytes = typeof body === 'string' ? encoded.encode(body) : new Uint8Array(body)
  const header = (name: string) => headerOf(headers, name)
  const standard = standardKey(secret)
  if (standard === null) {
    await check(encoded.encode(secret), bytes, [header('x-signature')])
  } else {
    const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
    const age = Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN))
    if (!(age <= TOLERANCE)) throw invalid('the delivery is too old, or the clocks differ by too much')
    const signatures = header('webhook-signature').split(' ')
    const start = encoded.encode(`${id}.${timestamp}.`)
    const signed = new Uint8Array(start.length + bytes.length)
    signed.set(start)
    signed.set(bytes, start.length)
    await check(
      standard,
      signed,
      signatures.filter((one) => one.startsWith('v1,')).map((one) => one.slice(3)),
    )
  }
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** The comparison is `crypto.subtle`'s, which takes as long whatever differs. */
async function check(key: Uint8Array, signed: Uint8Array, signatures: readonly string[]): Promise<void> {
  const { subtle } = crypto
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await subtle.importKey('raw', key as BufferSource, hmac, false, ['verify'])
  for (const signature of signatures) {
    const given = fromBase64(signature)
    if (given && (await subtle.verify('HMAC', imported, given as BufferSource, signed as BufferSource))) return
  }
  throw invalid('the signature is not that of this body and secret')
}

function invalid(message: string): FrontdeskError {
  return new FrontdeskError(message, { code: 'invalid_signature', status: 401 })
}

/** Empty where it is missing. */
function headerOf(headers: ReceivedHeaders, name: string): string {
  const { get } = headers
  const value = typeof get === 'function' ? get.call(headers, name) : (headers as Record<string, unknown>)[name]
  return String((Array.isArray(value) ? value[0] : value) ?? '')
}

/** The bytes that a `whsec_` secret stands for, or null for any other. */
function standardKey(secret: string): Uint8Array | null {
  const encoded = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1]
  return encoded ? fromBase64(encoded) : null
}

function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
