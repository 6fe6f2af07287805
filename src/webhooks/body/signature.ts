import { createHmac } from 'node:crypto'

/** What `deliveryHeaders` says about one attempt to deliver a batch. */
export interface Attempt {
  /** null for a subscription without a secret: nothing is signed. */
  secret: string | null
  batchId: string
  /** 1 for the first attempt. */
  attempt: number
  /** The very bytes that will be sent. */
  body: Uint8Array
  /** When the attempt is made, in seconds since 1970. */
  nowSeconds: number
  /** Ours, for `User-Agent`. */
  version: string
}

/** The value of `X-Signature` (api.md §6): HMAC-SHA256 of the body, keyed by the secret as written, in Base64. */
export function sign(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('base64')
}

/**
 * The headers of a delivery. A secret in the form of the Standard Webhooks specification (`whsec_` and Base64) also
 * gets that specification's three headers, so that its ready-made libraries verify it; `X-Signature` is keyed by the
 * whole string even then, because api.md §6 knows only one kind of secret.
 */
export function deliveryHeaders(attempt: Attempt): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': `frontdesk/${attempt.version}`,
    'x-webhook-batch': attempt.batchId,
    'x-webhook-attempt': String(attempt.attempt),
    ...(attempt.secret ? { 'x-signature': sign(attempt.secret, attempt.body) } : {}),
    ...standardHeaders(attempt),
  }
}

function standardHeaders({ secret, batchId, nowSeconds, body }: Attempt): Record<string, string> {
  const key = standardKey(secret)
  if (!key) return {}
  const timestamp = String(Math.floor(nowSeconds))
  const signature = createHmac('sha256', key).update(`${batchId}.${timestamp}.`).update(body).digest('base64')
  return { 'webhook-id': batchId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

/** The bytes that a `whsec_` secret stands for, or null for any other secret. */
function standardKey(secret: string | null): Buffer | null {
  const encoded = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret ?? '')?.[1]
  return encoded ? Buffer.from(encoded, 'base64') : null
}
