import { AppError, invalid, rule } from '../../errors.ts'
import { Turns } from '../../lib/concurrency/turns.ts'
import { HASH_COSTS, type HashCost, slowHash } from '../../secrets/slow-hash.ts'
import { weaknessOf } from './guessing.ts'

/** decisions §14. Characters, not bytes. */
const MIN_LENGTH = 12
/** A bound on what is hashed; no password manager makes longer ones. */
const MAX_LENGTH = 1000

/**
 * What is stored of a password that somebody chose. `about` is what they and their company are called: none of it makes a
 * password. Slow on purpose (tenths of a second, on threads of their own), so do it outside of transactions. Throws
 * `invalid_request` for one that is too short, too long, of several lines or guessed easily, `unavailable`.
 */
export async function hashPassword(
  password: string,
  about: readonly (string | null)[],
  cost = HASH_COSTS.password,
): Promise<string> {
  const { length } = [...password]
  if (length < MIN_LENGTH || length > MAX_LENGTH) {
    throw invalid('password', rule('password_length', { least: MIN_LENGTH, most: MAX_LENGTH }))
  }
  if (/[\r\n]/.test(password)) throw invalid('password', rule('one_line'))
  const weakness = await weaknessOf(password, about)
  if (weakness !== null) throw invalid('password', weakness)
  return slowHash(password, cost)
}

/** A password of 120 random bits, which nobody guesses, and what is stored of it. Slow, as `hashPassword`. */
export async function randomPassword(): Promise<{ password: string; hash: string }> {
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('base64url')
  return { password, hash: await slowHash(password, HASH_COSTS.password) }
}

/** Of a password that nobody has. It looks as what `hashPassword` makes: comparing with it takes as long as with any other. */
const nobodysHash = ({ memoryCost, timeCost }: HashCost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$ugaOBTPQlqlwFgLC/5L+AWQef6hSn0n4y1SgmcPaaac$vL75ykeQs8yiQTgP5eJvYTAO7b2z+kCawRzWFhSpnIM`

/** Stands where somebody has not chosen a password yet: no password has it. */
export const NO_PASSWORD = '-'

/** Stands where somebody has never chosen one, and signs in by an identity provider: no password has it either. */
export const PROVIDER_ALONE = '*'

/** Whether a stored hash is of a password that somebody has. */
export function hasChosenPassword(hash: string): boolean {
  return hash !== NO_PASSWORD && hash !== PROVIDER_ALONE
}

/** Each takes 64 MiB while it is computed. */
const atOnce = new Turns(4)
const MAX_WAITING = 100
let waiting = 0

/**
 * Whether that is the password of which `hash` is stored; never for a null, which takes as long as one of `cost`. Throws `unavailable` when
 * too many others are being compared.
 */
export async function isPassword(password: string, hash: string | null, cost = HASH_COSTS.password): Promise<boolean> {
  if (waiting >= MAX_WAITING)
    throw new AppError('unavailable', 'too many people sign in at the moment', { retryAfter: 5 })
  const isKnown = hash?.startsWith('$argon2id$') ?? false
  waiting += 1
  try {
    const cut = password.slice(0, 2 * MAX_LENGTH)
    const isSame = await atOnce.take(() => Bun.password.verify(cut, isKnown ? (hash as string) : nobodysHash(cost)))
    return isSame && isKnown
  } finally {
    waiting -= 1
  }
}
