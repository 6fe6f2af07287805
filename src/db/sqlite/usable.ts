import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../../errors.ts'

const HEADER = 100
const MAGIC = 'SQLite format 3\0'

/**
 * Throws UserError, with the path and what to do, for a database file that is empty, cut off or out of reach; not for
 * one that is not there. Looks at its header alone, so that a start stays quick: `frontdesk check` looks at all of it.
 */
export function assertUsable(file: string): void {
  if (!existsSync(file)) return
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(
      `${file} cannot be opened (${code}): the user that runs frontdesk must be able to read and write it`,
    )
  }
  if (!statSync(file).isFile()) throw new UserError(`${file} is no file: move it away`)
  const { size } = statSync(file)
  if (size === 0) throw new UserError(`${file} is empty: ${remedyFor(file)}`)
  if (size < statedSize(file)) throw new UserError(`${file} is cut off: ${remedyFor(file)}`)
}

/** What an administrator is told of an error that a damaged or unreadable database file raised; else the error itself. */
export function explainUnusable(file: string, error: unknown): unknown {
  const code = String((error as { code?: unknown } | null)?.code)
  if (!code.startsWith('SQLITE_CORRUPT') && !code.startsWith('SQLITE_NOTADB')) return error
  return new UserError(`${file} is damaged (${(error as Error).message}): ${remedyFor(file)}`)
}

/** What to do about a database that cannot be served. */
export function remedyFor(file: string): string {
  return `restore a backup (frontdesk restore FILE), or move ${dirname(file)} away as a whole to begin anew`
}

/** How large the file says that it is; 0 where it does not, as while the write-ahead log holds newer pages. */
function statedSize(file: string): number {
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size) return 0
  const header = Buffer.alloc(HEADER)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, HEADER, 0)
  } finally {
    closeSync(descriptor)
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 0
  const [pageSize, changes, pages, validFor] = [16, 24, 28, 92].map((at, i) =>
    i === 0 ? header.readUInt16BE(at) : header.readUInt32BE(at),
  ) as [number, number, number, number]
  if (changes !== validFor) return 0
  return pages * (pageSize === 1 ? 65_536 : pageSize)
}
