import type { KeyPrincipal } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import type { Parts } from '../parts.ts'

/** The keys that requests come with. */
export interface Keys {
  /** Who holds a key, or null where it lets nobody in. */
  find(db: Reader, key: string, at: number): Promise<KeyPrincipal | null>
  /** Whom an access token lets in that a person gave a program, or null: for MCP alone, which it was given for. */
  findToken(db: Reader, token: string, at: number): Promise<KeyPrincipal | null>
  /** Stores when keys were last used: `used` maps key ids to milliseconds since 1970. */
  recordUse(tx: Tx, used: ReadonlyMap<string, { tenantId: string; at: number }>): Promise<void>
}

/** How often last-used times are stored, in milliseconds: a write for every request would cost more than the request. */
const INTERVAL = 30_000

/** Remembers when keys were last used and stores it now and then, and when the service stops. */
export class KeyUse {
  #used = new Map<string, { tenantId: string; at: number }>()
  #nextStore = 0

  constructor(
    private readonly deps: Pick<Parts, 'clock' | 'database' | 'log'>,
    private readonly keys: Pick<Keys, 'recordUse'>,
  ) {}

  note({ keyId, tenantId }: KeyPrincipal): void {
    const { clock } = this.deps
    this.#used.set(keyId, { tenantId, at: clock.now() })
    if (clock.monotonic() >= this.#nextStore) {
      this.#nextStore = clock.monotonic() + INTERVAL
      this.store()
    }
  }

  /** Hands what was noted to the database, whose closing waits for it. */
  store(): void {
    if (this.#used.size === 0) return
    const used = this.#used
    this.#used = new Map()
    this.deps.database
      .transaction((tx) => this.keys.recordUse(tx, used))
      .catch((error) => {
        this.deps.log.error('could not store when keys were last used', { error })
      })
  }
}
