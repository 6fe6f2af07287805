import { hashOf } from '../../lib/hash.ts'
import type { Secrets } from '../../secrets/seal.ts'
import type { Claimant } from '../../users/people.ts'

/** How long somebody has for the second step, in milliseconds. */
const LIFETIME = 10 * 60 * 1000
const CONTEXT = 'second step of a sign-in'

interface Ticket {
  readonly email: string
  readonly until: number
  /** Tells the password that was given from a later one. */
  readonly password: string
  readonly next: string
}

/** Says that somebody gave the password of that account, to be shown with the second step. Nobody else can make one. */
export function issueTicket(secrets: Secrets, { email, passwordHash }: Claimant, next: string, at: number): string {
  const ticket: Ticket = { email, until: at + LIFETIME, password: hashOf(passwordHash), next }
  return secrets.seal(JSON.stringify(ticket), CONTEXT)
}

/** What a ticket says, or null where it is none, or too old at `at`. Whether the password still is that one, `isStill` tells. */
export function readTicket(secrets: Secrets, text: string, at: number): Ticket | null {
  try {
    const ticket = JSON.parse(secrets.open(text, CONTEXT)) as Ticket
    return ticket.until > at ? ticket : null
  } catch {
    return null
  }
}

/** Whether the account has the password that was given. */
export function isStill({ password }: Ticket, { passwordHash }: Claimant): boolean {
  return hashOf(passwordHash) === password
}
