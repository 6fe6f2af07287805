import { invalid } from '../errors.ts'

/** decisions §14. Characters, not bytes. */
const MIN_LENGTH = 12
/** A bound on what is hashed; no password manager makes longer ones. */
const MAX_LENGTH = 1000

/**
 * What is stored of a password. Slow on purpose (tenths of a second, on a thread of its own), so do it outside of
 * transactions. Throws `invalid_request` for a password that is too short, too long or of several lines.
 */
export async function hashPassword(password: string): Promise<string> {
  const { length } = [...password]
  if (length < MIN_LENGTH || length > MAX_LENGTH) {
    throw invalid('password', `must be of ${MIN_LENGTH} to ${MAX_LENGTH} characters`)
  }
  if (/[\r\n]/.test(password)) throw invalid('password', 'must be one line')
  return Bun.password.hash(password, 'argon2id')
}

/** A password of 120 random bits. */
export function randomPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('base64url')
}
