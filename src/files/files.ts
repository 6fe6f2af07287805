import { AppError } from '../errors.ts'
import type { StoredFile } from './content.ts'
import type { FileKind, FileName } from './names.ts'

/** Seconds after which it is worth asking for a file again. */
const RETRY_AFTER = 10

/** A file that lies in the store, whether a record knows it or not. */
export interface Listed {
  readonly id: string
  /** For people: a path or an address. */
  readonly place: string
  /** When it was written, in milliseconds since 1970; null where it is gone, or is being written now. */
  writtenAt(): Promise<number | null>
  remove(): Promise<void>
}

/**
 * The bytes of uploads, attachments and large raw mails. Whoever keeps a file stores it first and refers to it in a
 * transaction then; what no record refers to in the end is swept (`orphans.ts`). Where the store is out of reach,
 * everything throws `unavailable` and nothing has changed.
 */
export interface Files {
  /**
   * Stores content as it comes in, and resolves once the store would have it after a power failure. When it fails
   * nothing of that name is there, or what is there is swept. Throws `too_large` above `maxSize` bytes.
   */
  store(name: FileName, content: AsyncIterable<Uint8Array>, maxSize: number): Promise<StoredFile>
  /** The content of a file, or null where there is none. */
  read(name: FileName): Promise<Blob | ReadableStream<Uint8Array> | null>
  /** Removes a file, if it is there. */
  remove(name: FileName): Promise<void>
  /** All files of a kind that lie where this store puts them, some of one tenant at a time. */
  list(kind: FileKind): AsyncIterable<{ readonly tenantId: string; readonly files: readonly Listed[] }>
  /** Removes what a killed process had of a file, older than `before`, where `list` does not have it. */
  removeUnfinished(before: number): Promise<void>
  /** Where a file lies, for people. */
  placeOf(name: FileName): string
  /** Room for files, in bytes. */
  freeBytes(): Promise<number>
  /** Whether other installations may keep files here too: those of tenants that our database does not know are theirs. */
  readonly isShared: boolean
}

/** What is thrown when the store cannot be reached; the log gets to see why. */
export function filesUnavailable(cause: unknown): AppError {
  const error = new AppError('unavailable', 'files cannot be reached at the moment: try again later', {
    retryAfter: RETRY_AFTER,
  })
  return Object.assign(error, { cause })
}
