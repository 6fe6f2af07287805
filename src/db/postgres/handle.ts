import { drizzle } from 'drizzle-orm/pg-proxy'
import type { Tx } from '../dialect.ts'
import { dialect } from './dialect.ts'
import type { Run } from './lean.ts'

interface Session {
  prepareQuery(...args: unknown[]): object
}

/**
 * drizzle over `run`. The tables are those of SQLite: what differs in the rows (truth values, JSON) their columns map.
 * Errors come as `run` threw them, where drizzle would wrap them into its own.
 */
export function drizzleOver(run: Run): Tx {
  const db = drizzle(async (text, params, method) => ({
    rows: await run(text, params, method === 'all' ? 'values' : 'objects'),
  }))
  const { session } = db as unknown as { session: Session }
  const prepareQuery = session.prepareQuery.bind(session)
  session.prepareQuery = (...args) =>
    Object.assign(prepareQuery(...args), {
      run,
      queryWithCache: (_text: string, _params: unknown[], query: () => unknown) => query(),
    })
  return Object.assign(db as unknown as Tx, { engine: dialect })
}
