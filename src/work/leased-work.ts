import { and, asc, gt, isNotNull, lte } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { askedOnceWritten, prepared, type Tx } from '../db/index.ts'
import { formatTime } from '../lib/time.ts'
import type { Parts } from '../parts.ts'
import { UnderWay } from './under-way.ts'

/** A table whose rows are work: due at `dueAt`, or null once nothing is left to do. */
export type WorkTable = SQLiteTable & { readonly dueAt: AnySQLiteColumn }

/** How a kind of work is done. Times are in milliseconds. */
export interface LeaseRules {
  /** How much of it is under way at once. */
  readonly most: number
  /** When work that was taken is due again, should the process die, in milliseconds: longer than any of it takes. */
  readonly lease: number
  /** How long after each failure it is tried again. */
  readonly waits: readonly number[]
}

/**
 * Work that reaches outside and goes on beside the scheduler's loop. The table is the truth: work is
 * leased, and its row stays due until it is done. So it may be done twice after a crash, but none gets lost.
 */
export abstract class LeasedWork<Claim> {
  readonly #underWay: UnderWay
  readonly #earliest
  protected readonly database: Parts['database']
  protected readonly clock: Parts['clock']

  constructor(
    { database, clock }: Pick<Parts, 'database' | 'clock'>,
    private readonly table: WorkTable,
    protected readonly rules: LeaseRules,
  ) {
    this.database = database
    this.clock = clock
    this.#underWay = new UnderWay(rules.most)
    const earliest = prepared((db) =>
      db
        .select({ at: table.dueAt })
        .from(table)
        .where(isNotNull(table.dueAt))
        .orderBy(asc(table.dueAt))
        .limit(1)
        .prepare(),
    )
    this.#earliest = askedOnceWritten([table], async (db) => {
      const [first] = await earliest(db).execute()
      return first?.at ? Date.parse(String(first.at)) : null
    })
  }

  /** Leases at most `most` of what is due, the oldest first. */
  protected abstract take(tx: Tx, due: Due, most: number): Promise<Claim[]>

  /** Does it, and notes how it went. What it throws is a fault of ours: the lease runs out, and it is tried again. */
  protected abstract perform(claim: Claim): Promise<void>

  /** Brings due times that lie further ahead than the longest wait back to it: the clock may have been set back since. */
  async pullIn(): Promise<void> {
    const { dueAt } = this.table
    const now = this.clock.now()
    const latest = formatTime(now + (this.rules.waits.at(-1) as number))
    await this.database.transaction((tx) =>
      tx
        .update(this.table)
        .set({ dueAt: formatTime(now) } as object)
        .where(and(isNotNull(dueAt), gt(dueAt, latest))),
    )
  }

  /** When the next is due, in milliseconds since 1970, or null; null too while there is no room for it. */
  async nextDue(now: number): Promise<number | null> {
    return this.#underWay.room > 0 ? this.#earliest(this.database.db, now) : null
  }

  /** Takes what is due, as far as there is room, and begins to do it. Returns whether there may be more. */
  async start(now: number): Promise<boolean> {
    const { dueAt } = this.table
    const { room } = this.#underWay
    const due = {
      isDue: and(isNotNull(dueAt), lte(dueAt, formatTime(now))),
      order: asc(dueAt),
      leasedUntil: formatTime(now + this.rules.lease),
    }
    const claims = await this.database.transaction((tx) => this.take(tx, due, room))
    for (const claim of claims) this.#underWay.begin(this.perform(claim))
    return claims.length === room
  }

  /** Resolves when nothing is under way. */
  idle = (): Promise<void> => this.#underWay.idle()

  /** Begins nothing new, and resolves when what is under way has ended, or after `graceMs`. */
  stop = (graceMs: number): Promise<void> => this.#underWay.stop(graceMs)

  /** Whether what takes long should end where it can go on later. */
  protected get isStopping(): boolean {
    return this.#underWay.isStopping
  }

  /** How long to wait after the `attempts`-th failure. */
  protected waitAfter(attempts: number): number {
    const { waits } = this.rules
    return waits[Math.min(attempts, waits.length) - 1] as number
  }
}

/** How due work is found and leased. */
export interface Due {
  readonly isDue: ReturnType<typeof and>
  readonly order: ReturnType<typeof asc>
  readonly leasedUntil: string
}
