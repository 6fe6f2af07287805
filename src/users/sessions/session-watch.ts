import { and, gt, inArray } from 'drizzle-orm'
import { announced, CommitWatch, type Database, ofTenant } from '../../db/index.ts'
import { sessions } from '../../db/schema.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import { formatTime } from '../../lib/time.ts'

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
  readonly #commits: CommitWatch

  constructor(private readonly deps: { readonly database: Database; readonly clock: Clock; readonly log: Log }) {
    this.#commits = new CommitWatch(
      deps.database,
      WATCHED,
      () => this.#endAll(),
      (error) => deps.log.error('it could not be read which sessions have ended', { error }),
    )
  }

  /** Calls `end` once, when the session has ended; at once where it has. Returns how to watch no longer. */
  watch({ tenantId, id }: Watched, end: () => void): () => void {
    const ofTenant = this.#open.get(tenantId) ?? new Map<string, Set<() => void>>()
    this.#open.set(tenantId, ofTenant)
    ofTenant.set(id, (ofTenant.get(id) ?? new Set()).add(end))
    this.#commits.start()
    // It may have ended since the request was let in.
    this.#commits.lookAnew()
    return () => this.#remove(tenantId, id, end)
  }

  #remove(tenantId: string, id: string, end: () => void): void {
    const ends = this.#open.get(tenantId)?.get(id)
    ends?.delete(end)
    if (ends?.size === 0) this.#open.get(tenantId)?.delete(id)
    if (this.#open.get(tenantId)?.size === 0) this.#open.delete(tenantId)
    if (this.#open.size === 0) this.#commits.stop()
  }

  async #endAll(): Promise<void> {
    for (const [tenantId, open] of this.#open) await this.#endOf(tenantId, [...open.keys()])
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
