import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../folder/names.ts'

/** The write-ahead log stays below 64 MiB but for a reader that holds it up; twice that is worth a word. Bytes. */
const LIMIT = 128 * 1024 * 1024
const MIB = 1024 * 1024

/**
 * What is to be said of the size of the write-ahead log, or null while it is as it should be. One look at the file's
 * size, for `GET /healthz` and the log. What was written is safe either way.
 */
export function walWarning(dataDir: string, limit = LIMIT): string | null {
  const size = statSync(join(dataDir, `${DATABASE_FILE}-wal`), { throwIfNoEntry: false })?.size ?? 0
  if (size <= limit) return null
  return `the write-ahead log holds ${Math.round(size / MIB)} MiB: a program has had the database open for reading for long`
}
