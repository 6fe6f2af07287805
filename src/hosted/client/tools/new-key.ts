/** 128 random bits, for an Idempotency-Key. `crypto.randomUUID` is missing where a form is served without TLS. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
