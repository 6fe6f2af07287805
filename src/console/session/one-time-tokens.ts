import type { Secrets } from '../../secrets/seal.ts'

/** What a browser carries away and brings back: nobody else reads or makes it, and it counts once. */
export interface OneTimeTokens<T> {
  /** `purpose` keeps the tokens of one use, or person, from another. */
  issue(content: T, purpose: string, at: number): string
  /** What was issued for that purpose, the first time; null for what is foreign, too old, or was redeemed. */
  redeem(token: string, purpose: string, at: number): T | null
}

/** Tokens that are good for `lifetime` milliseconds. Each node remembers for itself which ones were redeemed. */
export function oneTimeTokens<T>(secrets: Secrets, lifetime: number): OneTimeTokens<T> {
  const redeemed = new Map<string, number>()
  // The word is part of what tokens are sealed with: with another one, those of the version before would not open.
  const contextOf = (purpose: string) => `voucher ${purpose}`
  return {
    issue(content, purpose, at) {
      return secrets.seal(JSON.stringify([crypto.randomUUID(), at + lifetime, content]), contextOf(purpose))
    },
    redeem(token, purpose, at) {
      for (const [old, until] of redeemed) if (until <= at) redeemed.delete(old)
      try {
        const [id, until, content] = JSON.parse(secrets.open(token, contextOf(purpose))) as [string, number, T]
        if (until <= at || redeemed.has(id)) return null
        redeemed.set(id, until)
        return content
      } catch {
        return null
      }
    },
  }
}
