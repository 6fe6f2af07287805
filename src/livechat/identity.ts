import { errors, type JWTPayload, jwtVerify } from 'jose'
import { type AppError, invalid } from '../errors.ts'
import { isEmail } from '../lib/email.ts'

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
  if (secret === null) throw refused('this source has no secret yet')
  const { email, name } = await claimsOf(token, secret, at)
  if (typeof email !== 'string' || !isEmail(email.trim())) throw refused('its email must be an email address')
  if (typeof name !== 'string' || name.trim().length < 1 || name.trim().length > MAX_NAME) {
    throw refused(`its name must be 1 to ${MAX_NAME} characters`)
  }
  return { email: email.trim(), name: name.trim() }
}

async function claimsOf(token: string, secret: string, at: number): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      requiredClaims: ['exp', 'email', 'name'],
      currentDate: new Date(at),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused('it has expired')
    if (error instanceof errors.JWTClaimValidationFailed)
      throw refused(`its ${error.claim} is missing or does not hold`)
    throw refused("it must be a JWT signed by HS256 with the source's secret")
  }
}

function refused(rule: string): AppError {
  return invalid('identity', rule)
}
