/** SHA-256 of a text, in base64url: enough of what is stored of a token, whose bits are random and many. */
export function hashOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('base64url')
}
