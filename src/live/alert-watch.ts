import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import { announced, CommitWatch, type Database, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { alerts } from '../db/schema.ts'
import type { AlertKind } from '../kinds/alerts.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'
import { formatTime } from '../lib/time.ts'

/** How much later than it says an alert may be committed, in milliseconds. */
const LATE = 60_000
/** Alerts that are read at once, and told to a page that begins to listen again. */
const STEP = 1_000
const MOST_MISSED = 50

/** Whose commits tell that there may be new ones. */
const WATCHED = announced([alerts])

/** An alert that a browser shows or makes a sound for. */
export interface LiveAlert {
  readonly number: number
  readonly tenantId: string
  readonly userId: string
  readonly ticketId: string
  readonly kind: AlertKind
  readonly byName: string | null
  readonly isShown: boolean
  readonly isHeard: boolean
  readonly createdAt: string
}

interface Person {
  readonly tenantId: string
  readonly userId: string
}

type Listener = (alert: LiveAlert) => void

const columns = {
  number: alerts.number,
  tenantId: alerts.tenantId,
  userId: alerts.userId,
  ticketId: alerts.ticketId,
  kind: alerts.kind,
  byName: alerts.byName,
  isShown: alerts.isShown,
  isHeard: alerts.isHeard,
  createdAt: alerts.createdAt,
}

const isForBrowsers = or(eq(alerts.isShown, true), eq(alerts.isHeard, true))

const newestSince = prepared((db) =>
  db
    .select(named(columns))
    .from(alerts)
    .where(and(gt(alerts.createdAt, sql.placeholder('since')), isForBrowsers))
    .orderBy(desc(alerts.createdAt))
    .limit(STEP)
    .prepare(),
)

const newestOfPerson = prepared((db) =>
  db
    .select(named(columns))
    .from(alerts)
    .where(
      and(
        ofTenant(alerts),
        eq(alerts.userId, sql.placeholder('userId')),
        gt(alerts.createdAt, sql.placeholder('since')),
        isForBrowsers,
      ),
    )
    .orderBy(desc(alerts.createdAt))
    .limit(MOST_MISSED)
    .prepare(),
)

/** What a person was to be told since, oldest first, and a little before: whoever listens knows alerts by their numbers. */
export async function alertsSince(db: Reader, { tenantId, userId }: Person, since: number): Promise<LiveAlert[]> {
  return (await newestOfPerson(db).execute({ tenantId, userId, since: formatTime(since - LATE) })).reverse()
}

/**
 * Tells pages that are open of their people's alerts as they are committed, by this node or another (decisions §20). Costs
 * nothing while nobody watches.
 */
export class AlertWatch {
  readonly #listeners = new Map<string, Set<Listener>>()
  /** By number, and when each was made. */
  readonly #told = new Map<number, string>()
  readonly #commits: CommitWatch

  constructor(private readonly deps: { readonly database: Database; readonly clock: Clock; readonly log: Log }) {
    this.#commits = new CommitWatch(
      deps.database,
      WATCHED,
      () => this.#read(),
      (error) => deps.log.error('alerts could not be read', { error }),
    )
  }

  /** Calls `listener` with what the person is told from now on, and may repeat what they were told a moment ago. Returns how to end that. */
  watch({ tenantId, userId }: Person, listener: Listener): () => void {
    const key = `${tenantId}/${userId}`
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    this.#commits.start()
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key)
      if (this.#listeners.size === 0) this.#commits.stop()
    }
  }

  async #read(): Promise<void> {
    const since = formatTime(this.deps.clock.now() - LATE)
    const fresh = await newestSince(this.deps.database.db).execute({ since })
    for (const alert of fresh.reverse()) {
      if (this.#told.has(alert.number)) continue
      this.#told.set(alert.number, alert.createdAt)
      for (const listener of this.#listeners.get(`${alert.tenantId}/${alert.userId}`) ?? []) listener(alert)
    }
    for (const [number, createdAt] of this.#told) if (createdAt <= since) this.#told.delete(number)
  }
}
