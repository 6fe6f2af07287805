import { timingSafeEqual } from 'node:crypto'
import { AppError, invalid, rule } from '../errors.ts'

/** The least time between the page being made and its form being finished, in milliseconds: no person is faster. */
export const MINIMUM_TIME = 1500

/** What the hosted page sends beside the answers. */
export interface PageProof {
  /** When the page was made, signed (`issuePageToken`). */
  readonly token: string
  /** A field that people cannot see, and programs that fill in every field fill in. */
  readonly website: string
}

/**
 * Signs the moment a page was made. The form's id is the key: it is 74 random bits that no respondent is told, and it
 * survives a restart.
 */
export function issuePageToken(formId: string, at: number): string {
  const issued = at.toString(36)
  return `${issued}.${sign(formId, issued)}`
}

/**
 * Refuses what a program did to the hosted page: a filled trap, a page that we did not make, a form finished faster
 * than a person can. Clients that speak JSON themselves send no proof, and are limited by their rate alone. Throws
 * `invalid_request`, and `too_soon` with the seconds to wait.
 */
export function checkPageProof({ token, website }: PageProof, formId: string, at: number): void {
  if (website !== '') throw invalid('page.website', rule('trap'))
  const [issued = '', signature = ''] = token.split('.')
  const expected = Buffer.from(sign(formId, issued))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalid('page.token', rule('page_token'))
  }
  const wait = Number.parseInt(issued, 36) + MINIMUM_TIME - at
  if (wait > 0) {
    throw new AppError('too_soon', 'that was faster than a person can be', { retryAfter: Math.ceil(wait / 1000) })
  }
}

function sign(formId: string, issued: string): string {
  return new Bun.CryptoHasher('sha256', formId).update(`page ${issued}`).digest('base64url')
}
