import { AUDIT_FILE, DATABASE_FILE, DUMP_FILE, FOLDERS, KEY_FILE, MANIFEST, MARK_FILE } from '../folder/names.ts'
import type { Member } from './archive.ts'

/** What the last member of a backup says of it. */
export interface Manifest {
  /** Every other member. */
  readonly files: readonly Member[]
  /** Files that were gone already when the backup was made, though records name them. Left out where there are none. */
  readonly missing?: readonly string[]
  /** Where uploads and attachments lay, of which it then holds none. Left out where they lay in the data folder. */
  readonly elsewhere?: string
}

/** The manifest as it stands in the archive. */
export function writeManifest({
  files,
  missing,
  elsewhere,
}: {
  files: readonly Member[]
  missing: readonly string[]
  elsewhere: string | null
}): Uint8Array {
  const manifest: Manifest = {
    files,
    ...(missing.length === 0 ? {} : { missing }),
    ...(elsewhere === null ? {} : { elsewhere }),
  }
  return new TextEncoder().encode(JSON.stringify(manifest))
}

/** Reads a manifest. Throws for text that is none. */
export function readManifest(content: Uint8Array): Manifest {
  const manifest: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  if (!isRecord(manifest) || !hasKeys(manifest, ['files'], ['missing', 'elsewhere'])) throw new Error('not a manifest')
  const { files, missing = [], elsewhere } = manifest
  if (!Array.isArray(files) || !files.every(isMember)) throw new Error('not a list of files')
  if (!Array.isArray(missing) || !missing.every((name) => typeof name === 'string'))
    throw new Error('not a list of names')
  if (elsewhere !== undefined && typeof elsewhere !== 'string') throw new Error('not a place')
  return elsewhere === undefined ? { files, missing } : { files, missing, elsewhere }
}

/** Where the members differ from what the manifest says of them, in a few words; null when they are the same. */
export function differenceFrom({ files }: Manifest, members: readonly Member[]): string | null {
  const stated = new Map(files.map((file) => [file.name, file]))
  if (stated.size < files.length) return `its ${MANIFEST} names a file twice`
  for (const { name, size, sha256 } of members) {
    const file = stated.get(name)
    if (!file) return `${JSON.stringify(name)} is not in its ${MANIFEST}`
    if (file.size !== size || file.sha256 !== sha256) return `${JSON.stringify(name)} was changed`
    stated.delete(name)
  }
  const [lost] = stated.keys()
  return lost === undefined ? null : `${JSON.stringify(lost)} is missing`
}

/** Whether a backup may hold a file of this name: never one that would lie outside of the data folder. */
export function isOurs(name: string): boolean {
  if ([DATABASE_FILE, DUMP_FILE, KEY_FILE, MARK_FILE, AUDIT_FILE, MANIFEST].includes(name)) return true
  const [folder, ...path] = name.split('/')
  const isInside = path.length > 0 && path.every((part) => part !== '' && part !== '.' && part !== '..')
  return FOLDERS.some((ours) => ours === folder) && isInside && !name.includes('\0')
}

function isMember(value: unknown): value is Member {
  if (!isRecord(value) || !hasKeys(value, ['name', 'size', 'sha256'])) return false
  return typeof value.name === 'string' && typeof value.size === 'number' && typeof value.sha256 === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** All of `required`, and no others but `optional`. */
function hasKeys(value: object, required: readonly string[], optional: readonly string[] = []): boolean {
  return (
    required.every((key) => key in value) && Object.keys(value).every((key) => [...required, ...optional].includes(key))
  )
}
