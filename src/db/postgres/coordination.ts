import type { Granted, Leases, RequestTerms, RequestWindows } from '../shared.ts'
import { Link } from './client.ts'
import { explained } from './faults.ts'

/** Connections for this alone: what waits for a transaction must not keep requests from being counted. */
const CONNECTIONS = 4
/** In milliseconds. None of its statements waits for more than another of them. */
const PATIENCE = { lock: 10_000, statement: 20_000 }
/** How long a lease holds unless it is renewed, and how often it is, in milliseconds; by the database's clock. */
const LEASE = 20_000
const RENEWAL = 5_000

/** What nodes agree on by statements of their own, each committed at once, in tables that are not logged. */
export class Coordination implements RequestWindows, Leases {
  readonly #link: Link
  /** Tells this process's leases from those of others. */
  readonly #holder = crypto.randomUUID()
  readonly #held = new Set<string>()
  #renewal: Timer | undefined

  constructor(url: string) {
    this.#link = new Link(url, { max: CONNECTIONS, access: 'read write', patience: PATIENCE })
  }

  async take(key: string, { limit, window, wanted, at }: RequestTerms): Promise<Granted> {
    const [row] = await this.#run<{ granted: number; remaining: number; reset: number }>(
      'SELECT granted, remaining, reset_ms AS reset FROM take_requests($1, $2, $3, $4, $5)',
      [key, limit, window, wanted, at === undefined ? null : Math.floor(at)],
    )
    return row as Granted
  }

  async wait(key: string, { limit, window, wanted, at }: RequestTerms): Promise<number> {
    // Of the requests that are counted, how many have left when one leaves, oldest first; and which is enough.
    const [row] = await this.#run<{ wait: number | null }>(
      `SELECT min(left_at - now_ms) FILTER (WHERE total - gone + $4 <= $2)::bigint AS wait
       FROM (
         SELECT total, t + $3::bigint AS left_at, sum(c) OVER (ORDER BY i) AS gone,
           coalesce($5::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now_ms
         FROM request_windows, unnest(times, counts) WITH ORDINALITY AS counted(t, c, i) WHERE key = $1
         UNION ALL
         SELECT total, 0, 0, 0 FROM request_windows WHERE key = $1
       ) AS leaving`,
      [key, limit, window, wanted, at === undefined ? null : Math.floor(at)],
    )
    return Math.max(0, Number(row?.wait ?? 0))
  }

  async giveBack(key: string): Promise<void> {
    await this.#run(
      `UPDATE request_windows SET
         times = CASE WHEN counts[cardinality(counts)] > 1 THEN times ELSE times[:cardinality(times) - 1] END,
         counts = counts[:cardinality(counts) - 1]
           || CASE WHEN counts[cardinality(counts)] > 1 THEN ARRAY[counts[cardinality(counts)] - 1] ELSE '{}' END,
         total = total - 1
       WHERE key = $1 AND cardinality(times) > 0`,
      [key],
    )
  }

  async forget(age: number): Promise<void> {
    await this.#run(
      `DELETE FROM request_windows
       WHERE coalesce(times[cardinality(times)], 0) < extract(epoch FROM clock_timestamp()) * 1000 - $1::bigint`,
      [age],
    )
  }

  async exclusively<T>(name: string, work: () => Promise<T>): Promise<{ done: T } | null> {
    if (this.#held.has(name)) return null
    this.#held.add(name)
    try {
      if (!(await this.#acquire(name))) return null
      try {
        return { done: await work() }
      } finally {
        await this.#release(name)
      }
    } finally {
      this.#held.delete(name)
    }
  }

  /** Tells all who listen on the channel. What cannot be told is not. */
  async tell(channel: string, text: string): Promise<void> {
    await this.#run('SELECT pg_notify($1, $2)', [channel, text]).catch(() => {})
  }

  /** As `Link.close`. */
  async close(timeout?: number): Promise<void> {
    clearInterval(this.#renewal)
    await this.#link.close(timeout)
  }

  async #acquire(name: string): Promise<boolean> {
    const rows = await this.#run(
      `INSERT INTO leases AS lease VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
       WHERE lease.until < clock_timestamp() OR lease.holder = excluded.holder
       RETURNING name`,
      [name, this.#holder, LEASE],
    )
    this.#renewal ??= setInterval(() => void this.#renew(), RENEWAL)
    return rows.length > 0
  }

  /** One that cannot be let go of ends by itself. */
  async #release(name: string): Promise<void> {
    await this.#run('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, this.#holder]).catch(() => {})
  }

  /** One that could not be renewed is tried again soon, long before it ends. */
  async #renew(): Promise<void> {
    if (this.#held.size === 0) return
    await this.#run(`UPDATE leases SET until = clock_timestamp() + $2 * interval '1 ms' WHERE holder = $1`, [
      this.#holder,
      LEASE,
    ]).catch(() => {})
  }

  /** Runs a statement that, done twice, lets no more happen than done once. */
  async #run<Row>(text: string, params: unknown[]): Promise<Row[]> {
    try {
      return await this.#link.ask((client) => client.unsafe<Row[]>(text, params as never[], { prepare: true }))
    } catch (error) {
      throw explained(error)
    }
  }
}
