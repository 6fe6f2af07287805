import type { JWTPayload } from 'jose'
import { type AppError, invalid, type Rule, rule } from '../errors.ts'
import { isEmail } from '../lib/input/email.ts'

/** The longest name kept, in characters (api.md §8). */
const MAX_NAME = 255

/** Who somebody is, as the site that they are signed in at says. */
export interface Identity {
  readonly email: string
  readonly name: string
}

/**
 * Reads a JWT that says who a visitor is (decisions §13): signed by HS256 with the source's secret, with `email`, `name`
 * and `exp`. `secret` null: the source has none yet. Throws `invalid_request` for any other token, in words for whoever
 * connects their site: a token that somebody else made is told nothing but that.
 */
export async function readIdentity(token: string, secret: string | null, at: number): Promise<Identity> {
  if (secret === null) throw refused(rule('no_secret'))
  const { email, name } = await claimsOf(token, secret, at)
  if (typeof email !== 'string' || !isEmail(email.trim())) throw refused(rule('identity_email'))
  if (typeof name !== 'string' || name.trim().length < 1 || name.trim().length > MAX_NAME) {
    throw refused(rule('identity_name', { most: MAX_NAME }))
  }
  return { email: email.trim(), name: name.trim() }
}

async function claimsOf(token: string, secret: string, at: number): Promise<JWTPayload> {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      requiredClaims: ['exp', 'email', 'name'],
      currentDate: new Date(at),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused(rule('identity_expired'))
    if (error instanceof errors.JWTClaimValidationFailed) throw refused(rule('identity_claim', { claim: error.claim }))
    throw refused(rule('identity_signature'))
  }
}

function refused(broken: Rule): AppError {
  return invalid('identity', broken)
}
