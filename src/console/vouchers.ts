import type { Secrets } from '../secrets/seal.ts'

/** What a browser carries away and brings back: nobody else reads or makes it, and it counts once. */
export interface Vouchers<T> {
  /** `purpose` keeps the vouchers of one use, or person, from another. */
  issue(content: T, purpose: string, at: number): string
  /** What was issued for that purpose, the first time; null for what is foreign, too old, or was redeemed. */
  redeem(voucher: string, purpose: string, at: number): T | null
}

/** Vouchers that are good for `lifetime` milliseconds. Each node remembers for itself which ones were redeemed. */
export function vouchers<T>(secrets: Secrets, lifetime: number): Vouchers<T> {
  const redeemed = new Map<string, number>()
  const contextOf = (purpose: string) => `voucher ${purpose}`
  return {
    issue(content, purpose, at) {
      return secrets.seal(JSON.stringify([crypto.randomUUID(), at + lifetime, content]), contextOf(purpose))
    },
    redeem(voucher, purpose, at) {
      for (const [old, until] of redeemed) if (until <= at) redeemed.delete(old)
      try {
        const [id, until, content] = JSON.parse(secrets.open(voucher, contextOf(purpose))) as [string, number, T]
        if (until <= at || redeemed.has(id)) return null
        redeemed.set(id, until)
        return content
      } catch {
        return null
      }
    },
  }
}
