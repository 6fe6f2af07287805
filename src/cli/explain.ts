import { AppError, UserError } from '../errors.ts'

/** What the operating system and SQLite mean, and what to do. Of SQLite's codes the beginning is enough. */
const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder: check the path',
  ENOTDIR: 'a part of this path is a file: choose a path of folders',
  EISDIR: 'is a folder, where a file is needed',
  EEXIST: 'is there already: choose another name, or remove it',
  ENOTEMPTY: 'is there already, and not empty: choose another name, or remove it',
  ENAMETOOLONG: 'the name is too long: choose a shorter one',
  ELOOP: 'is a link that leads back to itself: check the path',
  EACCES: 'permission denied: run this as the user whom it belongs to',
  EPERM: 'permission denied: run this as the user whom it belongs to',
  EROFS: 'the disk is read-only: choose a folder on another one',
  EXDEV: 'is on another disk: choose a path on the same one',
  ENOSPC: 'the disk is full: make room, and try again',
  EDQUOT: 'the disk is full: make room, and try again',
  EFBIG: 'the file would be larger than is allowed: raise the limit (ulimit -f)',
  EIO: 'the disk cannot be read or written: see the log of the operating system',
  EMFILE: 'too many files are open: raise the limit (ulimit -n, or LimitNOFILE in the unit)',
  ENFILE: 'too many files are open on this machine: stop other programs, or raise the limit',
  EPIPE: 'whoever reads the output has gone',
  SQLITE_CANTOPEN: 'the database cannot be opened: see that the data folder is there, and belongs to this user',
  SQLITE_READONLY: 'the database cannot be written: see that the data folder belongs to this user',
  SQLITE_PERM: 'the database cannot be opened: see that the data folder belongs to this user',
  SQLITE_FULL: 'the disk is full: make room, and try again',
  SQLITE_IOERR: 'the disk under the database cannot be read or written: make room, or see the log of the system',
  SQLITE_CORRUPT: 'the database is damaged: stop the service and restore a backup',
  SQLITE_NOTADB: 'the database is damaged: stop the service and restore a backup',
  SQLITE_BUSY: 'the database is in use by another command: try again',
}

/** What the command line says of a failure: one line for what an administrator can put right, else with the stack. */
export function explain(error: unknown): string {
  if (error instanceof UserError || error instanceof AppError) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code, path } = systemError(error)
  if (code === undefined) return error.stack ?? error.message
  const cause = Object.entries(causes).find(([known]) => code === known || code.startsWith(`${known}_`))?.[1]
  if (!cause) return `${error.message} (${code})`
  return path === undefined ? cause : `${path}: ${cause}`
}

/** The code of the operating system or of SQLite, which a query's error has underneath. */
function systemError(error: Error): { code?: string; path?: string } {
  if ('code' in error && typeof error.code === 'string') {
    return { code: error.code, ...('path' in error && typeof error.path === 'string' ? { path: error.path } : {}) }
  }
  return error.cause instanceof Error ? systemError(error.cause) : {}
}
