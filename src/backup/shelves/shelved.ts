import { CHECKSUM_FILE, type Named, readName } from '../names.ts'

/** A backup that lies in a place of backups. */
export interface Shelved extends Named {
  readonly name: string
  readonly size: number
  /** When it was last written, in milliseconds since 1970. */
  readonly writtenAt: number
  /**
   * Whether it was checked, and nobody has written it since. False where that is not known: it was put there by other
   * means, or by a process that was killed before it had checked it.
   */
  readonly isChecked: boolean
}

/** Where backups go. What is not called as a backup is somebody else's, and stays. */
export interface Shelf {
  /** For people. */
  readonly place: string
  /** The folder that they are files of, in which one may be made; null where they lie elsewhere. */
  readonly folder: string | null
  /** Makes it ready for a backup. Throws UserError where it cannot. */
  prepare(): Promise<void>
  /** All there are, newest first. Throws UserError while they cannot be reached. */
  list(): Promise<Shelved[]>
  /** Puts a backup there that was checked: whole or not at all, and read back where it went through a network. */
  put(file: string, name: string, sha256: string): Promise<void>
  /** Has the path of a file that holds it; where it lies elsewhere it is fetched into `spare()`, a folder. */
  fetch(name: string, spare: () => string): Promise<string>
  /** The SHA-256 that was noted when it was checked, or null. */
  checksum(name: string): Promise<string | null>
  /** Notes that one was found to be whole. `folder`, in which it was looked at, takes what is not to stay if this is killed. */
  confirm(name: string, sha256: string, folder: string): Promise<void>
  remove(name: string): Promise<void>
  /** Removes what was noted of backups that are gone. */
  sweep(): Promise<void>
  /** Ends what was begun to be put there under an own name before then, in milliseconds since 1970, and never was. */
  endUnfinished(isOwn: (name: string) => boolean, before: number): Promise<void>
}

/** A file or an object in such a place. */
export interface Lying {
  readonly name: string
  readonly size: number
  /** When it was last written, in milliseconds since 1970. */
  readonly writtenAt: number
}

/** Whether a name is that of a backup, or of what is noted of one. */
export function isOfBackup(name: string): boolean {
  return readName(name.endsWith(CHECKSUM_FILE) ? name.slice(0, -CHECKSUM_FILE.length) : name) !== null
}

/** The backups among what lies there, newest first. One that was written after its checksum has to be checked again. */
export function backupsAmong(lying: readonly Lying[]): Shelved[] {
  const byName = new Map(lying.map((file) => [file.name, file]))
  return lying
    .flatMap(({ name, size, writtenAt }) => {
      const named = readName(name)
      const checksum = byName.get(name + CHECKSUM_FILE)
      return named
        ? [{ ...named, name, size, writtenAt, isChecked: checksum !== undefined && checksum.writtenAt >= writtenAt }]
        : []
    })
    .sort((a, b) => b.at - a.at)
}

/** Those of an installation: several may share a place. One whose name says nothing counts as its own. */
export function ownAmong<B extends Named>(backups: readonly B[], owner: string | null): B[] {
  return backups.filter((backup) => backup.owner === owner || backup.owner === null)
}

/** After which an upload of a backup is nobody's any more, in milliseconds. */
const ABANDONED = 86_400_000

/** Ends what an installation began to put there long ago: of those whose name says that they are its own, and of no others. */
export async function endAbandoned(shelf: Shelf, owner: string | null, now: number): Promise<void> {
  if (owner !== null) await shelf.endUnfinished((name) => readName(name)?.owner === owner, now - ABANDONED)
}

/** Names of checksums whose backup is gone. */
export function checksumsOfNothing(lying: readonly Lying[]): string[] {
  const names = new Set(lying.map(({ name }) => name))
  return [...names].filter((name) => {
    const backup = name.endsWith(CHECKSUM_FILE) ? name.slice(0, -CHECKSUM_FILE.length) : null
    return backup !== null && readName(backup) !== null && !names.has(backup)
  })
}

/** What stands in a file of a checksum: `sha256sum --check` reads it. */
export function checksumText(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`
}

export function checksumIn(text: string | null): string | null {
  return /^([0-9a-f]{64})\b/.exec(text ?? '')?.[1] ?? null
}
