import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config.ts'

/** The name of the field that every form carries it in. */
export const CSRF_FIELD = 'csrf'
const LENGTH = 32

/** What nobody can compute who does not hold the session's own token. */
function proofOf(sessionToken: string): Buffer {
  return createHmac('sha256', sessionToken).update('frontdesk console form').digest()
}

/**
 * What a form of this session has to carry. Another one each time it is written, though all are the same underneath:
 * pages are compressed, and how well would otherwise tell it, letter by letter, to whoever can add text to a page (BREACH).
 */
export function csrfToken(sessionToken: string): string {
  const mask = crypto.getRandomValues(new Uint8Array(LENGTH))
  return Buffer.concat([mask, xor(proofOf(sessionToken), mask)]).toString('base64url')
}

/** Whether a form was written for this session. */
export function isCsrfToken(sessionToken: string, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url')
  if (bytes.length !== 2 * LENGTH) return false
  return timingSafeEqual(xor(bytes.subarray(LENGTH), bytes.subarray(0, LENGTH)), proofOf(sessionToken))
}

function xor(one: Uint8Array, other: Uint8Array): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] as number)))
}

/**
 * Whether a browser says that a change was asked for by a page of another site. What says nothing is no browser of
 * these years, or no browser. A page's own host counts as well as FRONTDESK_BASE_URL: `localhost` is reached by both.
 */
export function isFromElsewhere({ headers, url }: Request, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  const origin = headers.get('origin')
  if (origin === null) return false
  if (!URL.canParse(origin)) return true
  return new URL(origin).host !== new URL(url).host && new URL(origin).origin !== new URL(baseUrl).origin
}
