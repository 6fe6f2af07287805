import type { FileName } from '../files/names.ts'
import type { FileKind } from '../kinds/files.ts'
import type { Reader } from './dialect.ts'

/** What the database says of a stored file. */
export interface FileRow extends FileName {
  readonly size: number
  /** Hexadecimal; null for files that earlier versions stored. */
  readonly sha256: string | null
}

/** Which rows of the table of a kind have a file, as SQL: small mails lie in their rows, and what was taken in is not kept. */
export function hasFile(kind: FileKind): string {
  if (kind === 'contact_imports') return `state IN ('draft', 'running')`
  return kind === 'received_mails' ? `kept_in = 'file'` : 'TRUE'
}

type Awaitable<T> = T | Promise<T>

/** A database, looked at as a whole and as it is; beside a running service, too. */
export interface Inspection {
  /** What is wrong with it, a line each; empty when it is whole and ours. */
  faults(): Awaitable<string[]>
  files(): Awaitable<FileRow[]>
  file(name: FileName): Awaitable<FileRow | null>
  /** Of the key that its secrets are sealed with, or null where there are none yet. */
  keyFingerprint(): Awaitable<string | null>
  /** The mark of the installation whose data it is, or null where it has none yet. */
  installationId(): Awaitable<string | null>
  /** Whether it is of a version that keeps an audit log. */
  keepsAudit(): Awaitable<boolean>
  /** Whether it is of a version that seals the audit log's chains. */
  sealsAudit(): Awaitable<boolean>
  /** Whether it is of a version that may keep entries of it for a while only. */
  dropsAudit(): Awaitable<boolean>
  /** Whether it is of a version that connects mailboxes. */
  keepsMailboxes(): Awaitable<boolean>
  /** For reads by the tables of this version. */
  readonly db: Reader
  close(): Awaitable<void>
}
