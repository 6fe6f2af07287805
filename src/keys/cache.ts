import type { Database } from '../db/index.ts'
import { findPrincipal, isActive, type KeyHolder } from './operations.ts'

/** Keys remembered at once. Only keys that exist are, so guessing does not fill it. */
const CAPACITY = 10_000

/**
 * Looks up the holders of keys, and remembers them for as long as nothing was written: most requests then need no
 * query, and a revoked key is refused from the next request on.
 */
export class KeyCache {
  readonly #holders = new Map<string, KeyHolder>()
  #version = Number.NaN

  constructor(private readonly database: Database) {}

  /** The holder of `key` at `at`, or null when it is unknown, expired or revoked. */
  async find(key: string, at: number): Promise<KeyHolder | null> {
    const version = this.database.version()
    if (version !== this.#version) {
      this.#holders.clear()
      this.#version = version
    }
    const known = this.#holders.get(key)
    if (known) return isActive(known, at) ? known : null
    const holder = await findPrincipal(this.database.db, key, at)
    if (holder && this.#holders.size < CAPACITY && this.#version === version) this.#holders.set(key, holder)
    return holder
  }
}
