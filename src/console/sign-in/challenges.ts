import { isIP } from 'node:net'
import type { Deps } from '../../deps.ts'
import type { Site } from '../../users/factors/passkeys.ts'
import { oneTimeTokens } from '../session/one-time-tokens.ts'

/** How long a page's challenge can be signed, in milliseconds. */
const LIFETIME = 10 * 60 * 1000

/** What passkeys sign, so that what was signed before cannot be sent again. */
export interface Challenges {
  /** Base64url for the browser, and sealed for the way back. `purpose` keeps those of one page from another. */
  issue(purpose: string, at: number): { challenge: Uint8Array<ArrayBuffer>; sealed: string }
  /** The challenge that was sealed, the first time it comes back; null for one that is foreign, too old, or was used. */
  take(sealed: string, purpose: string, at: number): string | null
}

/** Challenges of a service. Each node remembers for itself which ones were used. */
export function challengesOf({ secrets }: Pick<Deps, 'secrets'>): Challenges {
  const issued = oneTimeTokens<string>(secrets, LIFETIME)
  const wholeOf = (purpose: string) => `passkey ${purpose}`
  return {
    issue(purpose, at) {
      const challenge = crypto.getRandomValues(new Uint8Array(32))
      const text = Buffer.from(challenge).toString('base64url')
      return { challenge, sealed: issued.issue(text, wholeOf(purpose), at) }
    },
    take: (sealed, purpose, at) => issued.redeem(sealed, wholeOf(purpose), at),
  }
}

/** Where passkeys can be used; null where they cannot: browsers have none for addresses without a name. */
export function passkeySite({ config }: Pick<Deps, 'config'>): Site | null {
  const { origin, hostname, protocol } = new URL(config.baseUrl)
  const isNamed = isIP(hostname) === 0 && !hostname.startsWith('[')
  return isNamed && (protocol === 'https:' || hostname === 'localhost') ? { origin, host: hostname } : null
}
