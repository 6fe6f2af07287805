import { mkdirSync } from 'node:fs'
import type { Database } from './dialect.ts'
import { openPostgres } from './postgres/index.ts'
import { lockFolder } from './sqlite/folder-lock.ts'
import { openSqlite } from './sqlite/index.ts'
import { openBesideService, requireData } from './sqlite/open.ts'

export {
  articleMatches,
  articleSearch,
  type Database,
  isOneOf,
  prepared,
  preparedWrite,
  type Reader,
  rowsWritten,
  send,
  type Tx,
  textList,
} from './dialect.ts'
export { named } from './lean-query.ts'
export { remembered } from './remembered.ts'
export { isStorageFault } from './sqlite/dialect.ts'
export { DATABASE_FILE } from './sqlite/index.ts'

/* THE SEAM to the engine: which one it is, is asked here and nowhere else. */

/** Where the data lies (decisions §15): on PostgreSQL with a URL, else in a SQLite file of the data folder. */
export interface Place {
  readonly dataDir: string
  readonly databaseUrl?: string | null
}

/**
 * Opens (and creates) the database and brings it up to date. Throws UserError when it was written by a newer frontdesk,
 * cannot be reached, or when another program holds the file for long.
 */
export function openDatabase({ dataDir, databaseUrl }: Place): Promise<Database> {
  return databaseUrl ? openPostgres(databaseUrl) : openSqlite(dataDir)
}

/**
 * As `openDatabase`, beside a service that may be running. `existing`: the data has to be there, so that a mistyped
 * folder is not made. Throws UserError when it is not, and when an older frontdesk serves the folder.
 */
export async function openBeside({ dataDir, databaseUrl }: Place, { existing = false } = {}): Promise<Database> {
  if (databaseUrl) return openPostgres(databaseUrl)
  if (existing) requireData(dataDir)
  return openBesideService(dataDir)
}

/**
 * Marks the data as served, until the returned function is called. A SQLite file is served by one process: throws
 * UserError when there is another. Of a PostgreSQL database there may be many. Creates the data folder, where files lie.
 */
export function lockForService({ dataDir, databaseUrl }: Place): () => void {
  if (!databaseUrl) return lockFolder(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return () => {}
}
