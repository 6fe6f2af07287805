import { AppError } from '../errors.ts'
import type { FileKind } from '../kinds/files.ts'
import type { StoredFile } from './content.ts'
import type { FileName } from './names.ts'

/** Seconds after which it is worth asking for a file again. */
const RETRY_AFTER = 10

/** A file that lies in the store or its trash, whether a record knows it or not. */
export interface Listed {
  readonly id: string
  /** For people: a path or an address. */
  readonly place: string
  /** Whether it is what a killed process had of a file. */
  readonly isUnfinished: boolean
  /** When it was written, or put into the trash, in milliseconds since 1970; null where it is gone, or is being written now. */
  writtenAt(): Promise<number | null>
  /** Moves it into the trash at that time, in milliseconds since 1970. Does nothing where it is gone. */
  discard(at: number): Promise<void>
  /** Deletes it for good. */
  remove(): Promise<void>
}

/** Where files lie: those in use, or those that a sweep took away. */
export type Part = 'kept' | 'trash'

/**
 * The bytes of uploads, attachments and large raw mails. Whoever keeps a file stores it first and refers to it in a
 * transaction then; what no record refers to in the end is swept into the trash (`orphans.ts`). Where the store is out of
 * reach, everything throws `unavailable` and nothing has changed.
 */
export interface Files {
  /**
   * Stores content as it comes in, and resolves once the store would have it after a power failure. When it fails
   * nothing of that name is there, or what is there is swept. Throws `too_large` above `maxSize` bytes.
   */
  store(name: FileName, content: AsyncIterable<Uint8Array>, maxSize: number): Promise<StoredFile>
  /** The content of a file, or null where there is none. */
  read(name: FileName): Promise<Blob | ReadableStream<Uint8Array> | null>
  /** Deletes a file for good, if it is there: from the trash, too. */
  remove(name: FileName): Promise<void>
  /** All files of a kind that lie where this store puts them, some of one tenant at a time. */
  list(kind: FileKind, part?: Part): AsyncIterable<{ readonly tenantId: string; readonly files: readonly Listed[] }>
  /** Removes what a killed process had of a file, older than `before`, where `list` does not have it. */
  removeUnfinished(before: number): Promise<void>
  /** The id of the installation whose files these are (decisions §11), or null where nobody has said so yet. */
  readMark(): Promise<string | null>
  /** Says whose files these are from now on. */
  writeMark(id: string): Promise<void>
  /** Where the mark lies, for people. */
  readonly markPlace: string
  /** Throws, as `store` would, where nothing can be written. */
  probe(): Promise<void>
  /** Where a file lies, for people. */
  placeOf(name: FileName): string
  /** Room for files, in bytes. */
  freeBytes(): Promise<number>
}

/** What is thrown when the store cannot be reached; the log gets to see why. */
export function filesUnavailable(cause: unknown): AppError {
  const error = new AppError('unavailable', 'files cannot be reached at the moment: try again later', {
    retryAfter: RETRY_AFTER,
  })
  return Object.assign(error, { cause })
}
