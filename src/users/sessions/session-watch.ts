import { and, gt, inArray } from 'drizzle-orm'
import { announced, type Database, ofTenant } from '../../db/index.ts'
import { sessions } from '../../db/schema.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import { formatTime } from '../../lib/time.ts'

/** How often commits of other processes are looked for while something is open, in milliseconds. No query. */
const LOOK_EVERY = 50
/** How long nothing is read after that failed, or while it cannot be heard whether anything is new, in milliseconds. */
const REST = 1_000
/** Sessions that one query asks for. */
const STEP = 500

/** Whose commits tell that a session may have ended. */
const WATCHED = announced([sessions])

interface Watched {
  readonly tenantId: string
  readonly id: string
}

/**
 * Ends what is open for a session as soon as the session has ended: signed out, revoked, with the password changed or the
 * person removed, by this node or another (decisions.md §14). Costs nothing while nothing is open.
 */
export class SessionWatch {
  readonly #open = new Map<string, Map<string, Set<() => void>>>()
  #version: number | undefined
  #restsUntil = 0
  #again = false
  #looking: Promise<void> | null = null
  #stop: (() => void) | null = null

  constructor(private readonly deps: { readonly database: Database; readonly clock: Clock; readonly log: Log }) {}

  /** Calls `end` once, when the session has ended; at once where it has. Returns how to watch no longer. */
  watch({ tenantId, id }: Watched, end: () => void): () => void {
    const ofTenant = this.#open.get(tenantId) ?? new Map<string, Set<() => void>>()
    this.#open.set(tenantId, ofTenant)
    ofTenant.set(id, (ofTenant.get(id) ?? new Set()).add(end))
    this.#stop ??= this.#begin()
    // It may have ended since the request was let in.
    this.#version = undefined
    this.#restsUntil = 0
    this.#look()
    return () => this.#remove(tenantId, id, end)
  }

  #begin(): () => void {
    const unsubscribe = this.deps.database.onCommit(() => this.#look())
    const timer = setInterval(() => this.#look(), LOOK_EVERY)
    timer.unref()
    return () => {
      unsubscribe()
      clearInterval(timer)
    }
  }

  #remove(tenantId: string, id: string, end: () => void): void {
    const ends = this.#open.get(tenantId)?.get(id)
    ends?.delete(end)
    if (ends?.size === 0) this.#open.get(tenantId)?.delete(id)
    if (this.#open.get(tenantId)?.size === 0) this.#open.delete(tenantId)
    if (this.#open.size > 0) return
    this.#stop?.()
    this.#stop = null
  }

  #look(): void {
    if (performance.now() < this.#restsUntil) return
    const version = this.deps.database.db.version?.(WATCHED)
    if (version !== undefined && version === this.#version) return
    this.#version = version
    // Undefined: what other nodes write is not heard of, and is to be looked for.
    if (version === undefined) this.#restsUntil = performance.now() + REST
    this.#again = true
    this.#looking ??= this.#endAll().finally(() => {
      this.#looking = null
    })
  }

  async #endAll(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false
        for (const [tenantId, open] of this.#open) await this.#endOf(tenantId, [...open.keys()])
      }
    } catch (error) {
      this.deps.log.error('it could not be read which sessions have ended', { error })
      this.#version = undefined
      this.#restsUntil = performance.now() + REST
    }
  }

  async #endOf(tenantId: string, ids: readonly string[]): Promise<void> {
    const { database, clock } = this.deps
    for (let from = 0; from < ids.length; from += STEP) {
      const asked = ids.slice(from, from + STEP)
      const going = await database.db
        .select({ id: sessions.id })
        .from(sessions)
        .where(
          and(
            ofTenant(sessions, tenantId),
            inArray(sessions.id, asked),
            gt(sessions.expiresAt, formatTime(clock.now())),
          ),
        )
      const alive = new Set(going.map(({ id }) => id))
      for (const id of asked) {
        if (!alive.has(id)) for (const end of [...(this.#open.get(tenantId)?.get(id) ?? [])]) end()
      }
    }
  }
}
