import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './dialect.ts'
import { type Hold, holdAlone, holdBeside, holdShared } from './hold.ts'
import type { Inspection } from './inspection.ts'
import { explainUnreachable } from './postgres/faults.ts'
import { copyFile, isOfEarlierVersion } from './sqlite/files.ts'
import { lockFolder, shareFolder } from './sqlite/folder-lock.ts'
import { DATABASE_FILE, openSqlite } from './sqlite/index.ts'
import { type FolderInspection, inspectDatabase } from './sqlite/inspect.ts'
import { completeRestore, openBesideService, requireData } from './sqlite/open.ts'
import { assertUsable, explainUnusable as explainUnusableFile, remedyFor } from './sqlite/usable.ts'
import type { DatabaseWatch } from './watch.ts'

export { CommitWatch } from './commit-watch.ts'
export { isDamage } from './damage.ts'
export {
  articleMatches,
  articleSearch,
  type Database,
  isAmong,
  isOneOf,
  listedRows,
  messageMatches,
  messageSearch,
  noteSize,
  prepared,
  preparedWrite,
  type Reader,
  rowsWritten,
  send,
  sendAll,
  type Tx,
  textList,
  wordCounts,
  wordMatches,
  wordSearch,
} from './dialect.ts'
export type { Hold } from './hold.ts'
export { named } from './lean-query.ts'
export { ofTenant } from './of-tenant.ts'
export { NoTools } from './postgres/faults.ts'
export { announced, askAnew, askedOnceWritten, remembered } from './remembered.ts'
export type { SearchedWord } from './searched.ts'
export { isStorageFault } from './sqlite/dialect.ts'
export { DATABASE_FILE } from './sqlite/index.ts'
export { violationOf } from './violation.ts'
export type { DatabaseWatch } from './watch.ts'

/* THE SEAM to the engine: which one it is, is asked here and nowhere else. */

/** Where the data lies (decisions §15): on PostgreSQL with a URL, else in a SQLite file of the data folder. */
export interface Place {
  readonly dataDir: string
  readonly databaseUrl?: string | null
  /** A replica of it, from which lists are read. */
  readonly databaseReplicaUrl?: string | null
}

/**
 * Opens (and creates) the database and brings it up to date. Throws UserError when it was written by a newer frontdesk,
 * cannot be reached, or when another program holds the file for long. `watch` is told of what takes time.
 */
export async function openDatabase(place: Place, watch?: DatabaseWatch): Promise<Database> {
  const { dataDir, databaseUrl, databaseReplicaUrl } = place
  return databaseUrl ? openServer(databaseUrl, watch, databaseReplicaUrl) : openSqlite(dataDir, watch)
}

/** The driver is loaded where it is used: whoever keeps a file does without. */
async function openServer(url: string, watch?: DatabaseWatch, replicaUrl?: string | null): Promise<Database> {
  const { openPostgres } = await import('./postgres/index.ts')
  return openPostgres(url, watch, replicaUrl)
}

/**
 * As `openDatabase`, beside a service that may be running. `existing`: the data has to be there, so that a mistyped
 * folder is not made. Throws UserError when it is not, and when an older frontdesk serves the folder.
 */
export async function openBeside({ dataDir, databaseUrl }: Place, { existing = false } = {}): Promise<Database> {
  if (databaseUrl) return openServer(databaseUrl)
  if (existing) requireData(dataDir)
  return openBesideService(dataDir)
}

/**
 * Marks the data as served, until the returned function is called. A SQLite file is served by one process: throws
 * UserError when there is another. Of a PostgreSQL database there may be many, which may share a data folder, where files
 * lie: throws UserError while that is restored. Creates the folder.
 */
export function lockForService({ dataDir, databaseUrl }: Place): () => void {
  return databaseUrl ? shareFolder(dataDir) : lockFolder(dataDir)
}

/** As `lockForService`, for a service, which may follow another (`follows`): then beside that. */
export function holdForService({ dataDir, databaseUrl }: Place, follows: boolean): Hold {
  if (databaseUrl) return holdShared(dataDir)
  return follows ? holdBeside(dataDir) : holdAlone(dataDir)
}

/** How an administrator is told of the database, and what to do about one that cannot be served. */
export function whereabouts({ dataDir, databaseUrl }: Place): { where: string; remedy: string } {
  if (databaseUrl) return { where: 'FRONTDESK_DATABASE_URL', remedy: 'restore it from a dump (pg_restore)' }
  const file = join(dataDir, DATABASE_FILE)
  return { where: file, remedy: remedyFor(file) }
}

/**
 * Looks at the database as a whole, beside a running service too, and changes nothing; null where there is none yet.
 * Throws UserError when it is empty, cut off or of another version, and what `explainUnusable` knows.
 */
export async function inspect({ dataDir, databaseUrl }: Place): Promise<Inspection | null> {
  if (databaseUrl) {
    const { inspectPostgres } = await import('./postgres/inspect.ts')
    return inspectPostgres(databaseUrl)
  }
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file)) return null
  assertUsable(file)
  return inspectDatabase(dataDir)
}

/**
 * Why lists cannot be read from the replica, as what is said of it; null where they can, and where there is none. Throws
 * what `explainUnusable` knows where the database itself cannot be reached.
 */
export async function inspectReplica({ databaseUrl, databaseReplicaUrl }: Place): Promise<string | null> {
  if (!databaseUrl || !databaseReplicaUrl) return null
  const postgres = await import('./postgres/inspect.ts')
  return postgres.inspectReplica(databaseUrl, databaseReplicaUrl)
}

/**
 * Where opening the database would migrate what is in it: returns what `backUp` makes of it before, else null. A database
 * that several nodes may open at once is migrated here, right behind that: of those that start one does both, and the others
 * wait for it, of which `waits` is told. A file another process may migrate at any time, which has backed it up before:
 * `backUp` can ask whether there is still something to back up. Throws UserError where it is of a newer version, or damaged.
 */
export async function backedUpBeforeMigration<T>(
  { dataDir, databaseUrl }: Place,
  backUp: (isWanted: () => boolean) => Promise<T>,
  waits: () => void,
): Promise<T | null> {
  const isBehind = () => isOfEarlierVersion(dataDir)
  if (!databaseUrl) {
    await completeRestore(dataDir)
    return isBehind() ? backUp(isBehind) : null
  }
  const { migrateBehind } = await import('./postgres/migrations.ts')
  return migrateBehind(databaseUrl, () => backUp(() => true), waits)
}

/**
 * Writes a copy of the database, as it is at one moment, into the folder `into`, and looks at that; null where copies are
 * the business of the database server's own tools. Throws UserError when it cannot be read.
 */
export function copyDatabase({ dataDir, databaseUrl }: Place, into: string): FolderInspection | null {
  if (databaseUrl) return null
  copyFile(dataDir, into)
  return inspectDatabase(into)
}

/**
 * Has the database server's own tools write a dump of it, as it is at one moment, into `file`; `written` is told of each
 * piece, and may hold it up. Returns false where the database is a file itself. Throws UserError where they are missing.
 */
export async function dumpDatabase(
  { databaseUrl }: Place,
  file: string,
  written: (bytes: number) => void,
): Promise<boolean> {
  if (!databaseUrl) return false
  const { dumpPostgres } = await import('./postgres/dump.ts')
  await dumpPostgres(databaseUrl, file, written)
  return true
}

/** Bytes that such a dump may well take; none where the database is a file itself. Throws UserError where the server is away. */
export async function likelyDumpSize({ databaseUrl }: Place): Promise<number> {
  if (!databaseUrl) return 0
  const { likelyDumpSize: ofServer } = await import('./postgres/dump.ts')
  return ofServer(databaseUrl)
}

/** What an administrator is told of an error that a database raised which cannot be used; else the error itself. */
export function explainUnusable({ dataDir, databaseUrl }: Place, error: unknown): unknown {
  return databaseUrl ? explainUnreachable(error) : explainUnusableFile(join(dataDir, DATABASE_FILE), error)
}
