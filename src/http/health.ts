import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { type Database, prepared } from '../db/index.ts'
import { tenants } from '../db/schema.ts'
import { walWarning } from '../db/wal.ts'
import type { Deps } from '../deps.ts'
import { api } from './api.ts'

/** How long the database may take to answer, in milliseconds. */
const PATIENCE = 5_000

const anyRow = prepared((db) => db.select({ one: sql<number>`1` }).from(tenants).limit(1).prepare())

/** `GET /healthz` (decisions §10): 200 when the database can be read and takes changes, otherwise 503. */
export function healthRoutes(deps: Deps) {
  return new Elysia().use(api(deps)).get(
    '/healthz',
    async ({ set }) => {
      const healthy = await answers(deps.database)
      if (healthy) return { status: 'ok', warnings: warningsOf(deps) }
      set.status = 503
      return { status: 'unavailable' }
    },
    { scope: 'public', detail: { hide: true } },
  )
}

/** What somebody should look at though everything is served. */
function warningsOf({ config }: Deps): string[] {
  const warning = walWarning(config.dataDir)
  return warning === null ? [] : [warning]
}

async function answers(database: Database): Promise<boolean> {
  const check = async () => {
    await anyRow(database.db).execute()
    // Takes the write lock and gives it back: nothing is written, so nothing has to reach the disk.
    await database.transaction(async () => {})
    return true
  }
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, PATIENCE, false)
  try {
    return await Promise.race([check(), tooLate])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
