import { Database as Sqlite } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE, type Place } from './index.ts'
import { migrations } from './sqlite/migrations.ts'

/** One step from a version's tables to the next one's. */
export interface Step {
  /** Tells it from every other. */
  readonly hash: string
  readonly statements: readonly string[]
}

/** The steps that this program would bring an empty database up to date by, on each engine, in order. */
export async function ownSteps(): Promise<{ sqlite: readonly Step[]; postgres: readonly Step[] }> {
  const postgres = await import('./postgres/migrations.ts')
  return { sqlite: migrations, postgres: postgres.migrations }
}

/** A database's past. */
export interface Past {
  /** Of the steps that it was brought to its version by, whichever program did that; none where there is no database. */
  readonly hashes: readonly string[]
  /** How many rows each of these tables has; of one that there is not, nothing. */
  rowsOf(tables: readonly string[]): Promise<Map<string, number>>
  close(): Promise<void>
}

/** Reads it beside a running service, and changes nothing. Throws what the engine throws of one that cannot be read. */
export async function pastOf({ dataDir, databaseUrl }: Place): Promise<Past> {
  return databaseUrl ? pastOnServer(databaseUrl) : pastOfFile(join(dataDir, DATABASE_FILE))
}

type Ask = (statement: string) => Promise<readonly object[]>

async function pastOfFile(file: string): Promise<Past> {
  if (!existsSync(file)) return { hashes: [], rowsOf: async () => new Map(), close: async () => {} }
  const sqlite = new Sqlite(file, { readwrite: true, create: false })
  sqlite.run('PRAGMA busy_timeout = 30000')
  sqlite.run('PRAGMA query_only = ON')
  const there = "SELECT name FROM sqlite_schema WHERE type = 'table'"
  return past(
    async (statement) => sqlite.query(statement).all() as object[],
    there,
    async () => sqlite.close(),
  )
}

async function pastOnServer(url: string): Promise<Past> {
  const { connect } = await import('./postgres/client.ts')
  const client = connect(url, { max: 1, access: 'read only' })
  const there = 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()'
  return past(
    (statement) => client.unsafe<object[]>(statement),
    there,
    () => client.end({ timeout: 5 }),
  )
}

async function past(ask: Ask, there: string, close: () => Promise<void>): Promise<Past> {
  try {
    const known = new Set(((await ask(there)) as { name: string }[]).map(({ name }) => name))
    const hashes = known.has('migrations') ? await ask('SELECT hash FROM migrations ORDER BY position') : []
    return {
      hashes: (hashes as { hash: string }[]).map(({ hash }) => hash),
      close,
      async rowsOf(tables) {
        const counts = new Map<string, number>()
        for (const table of tables.filter((name) => known.has(name))) {
          const [row] = (await ask(`SELECT count(*) AS count FROM "${table}"`)) as { count: number | string }[]
          counts.set(table, Number(row?.count))
        }
        return counts
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
