import type { Secrets } from '../secrets/seal.ts'

/** Makes what nobody without the installation's key can make: the links and seals of the audit log's chains. */
export interface ChainKey {
  /** HMAC-SHA256 of the text, in Base64. */
  hash(text: string): string
}

const keys = new WeakMap<Secrets, ChainKey>()

/** The key of the audit log, derived from the installation's: it opens nothing that is sealed. */
export function chainKeyOf(secrets: Secrets): ChainKey {
  const known = keys.get(secrets)
  if (known) return known
  const bytes = secrets.derive('audit chain')
  const key = { hash: (text: string) => new Bun.CryptoHasher('sha256', bytes).update(text).digest('base64url') }
  keys.set(secrets, key)
  return key
}

/** What a tenant's head says, as far as the key vouches for it. */
export interface Head {
  /** Entries in the chain. */
  readonly count: number
  /** Of the last. */
  readonly hash: string
  /** How many of them, the oldest, an earlier version linked without a key; null where none was sealed yet. */
  readonly plain: number | null
  /** How many of them, the oldest, are no longer kept, and the hash of the last of those. */
  readonly dropped: number
  readonly droppedHash: string | null
  readonly seal: string | null
}

/**
 * The seal of a head: that the tenant's chain is so long, ends so, begins with so many entries of an earlier version, and that so
 * many are no longer kept.
 */
export function sealOf(key: ChainKey, tenantId: string, head: Omit<Head, 'seal'>): string {
  const { count, hash, plain, dropped, droppedHash } = head
  const beginning = dropped === 0 ? [] : [dropped, droppedHash]
  return key.hash(JSON.stringify(['head', tenantId, count, hash, plain, ...beginning]))
}

/** Whether the head is as frontdesk left it. */
export function isSealed(key: ChainKey, tenantId: string, head: Head): boolean {
  return head.seal !== null && head.seal === sealOf(key, tenantId, head)
}
