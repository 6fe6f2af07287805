import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspectDatabase } from '../db/sqlite/inspect.ts'
import { pathOf } from '../files/names.ts'
import { DATABASE_FILE, MANIFEST } from '../folder/names.ts'
import { type Entry, type Member, NotWhole, readArchive } from './archive.ts'
import { differenceFrom, isOurs, type Manifest, readManifest } from './manifest.ts'
import { type Pace, unpaced } from './pace.ts'

/** A manifest is held in memory. Bytes; that of a million files takes 170 MB. */
const LARGEST_MANIFEST = 512 * 1024 * 1024

/** A backup that was read to its last byte and is as it was made. */
export interface Unpacked {
  readonly members: readonly Member[]
  readonly manifest: Manifest
  /** Of the whole file. */
  readonly sha256: string
}

/**
 * Reads all of a backup and writes the members that `isWanted` names, and its manifest, into the folder `into`. Throws
 * NotWhole where it differs in anything from how it was made.
 */
export function unpack(
  file: string,
  into: string,
  isWanted: (name: string) => boolean = () => true,
  pace: Pace = unpaced,
): Unpacked {
  const { members, manifest, stranger, sha256 } = extract(file, into, isWanted, pace)
  if (!manifest) {
    throw new NotWhole(
      `it holds no ${MANIFEST} as its last member, so nobody can tell whether it is whole. One that an earlier version made can be unpacked by hand into an empty data folder: tar -xf`,
    )
  }
  if (stranger !== null) throw new NotWhole(`it holds ${JSON.stringify(stranger)}`)
  const difference = differenceFrom(manifest, members)
  if (difference !== null) throw new NotWhole(difference)
  return { members, manifest, sha256 }
}

/** Writes what is wanted into the folder `into`. `stranger` is something else than ours in the archive. */
function extract(file: string, into: string, isWanted: (name: string) => boolean, pace: Pace) {
  const found: { manifest: Buffer[] | null; stranger: string | null } = { manifest: null, stranger: null }
  const seen = new Set<string>()
  let output: number | null = null
  const finish = () => {
    if (output !== null) closeSync(output)
    output = null
  }
  try {
    const receive = ({ name, size, isFile }: Entry): ((chunk: Uint8Array) => void) | null => {
      finish()
      if (found.manifest) found.stranger ??= name
      if (!isFile || !isOurs(name) || seen.has(name) || size > (name === MANIFEST ? LARGEST_MANIFEST : Infinity)) {
        found.stranger ??= name
        return null
      }
      seen.add(name)
      if (name === MANIFEST) {
        const chunks: Buffer[] = []
        found.manifest = chunks
        return (chunk) => void chunks.push(Buffer.from(chunk))
      }
      if (!isWanted(name)) return () => {}
      mkdirSync(dirname(join(into, name)), { recursive: true, mode: 0o700 })
      const target = openSync(join(into, name), 'wx', 0o600)
      output = target
      return (chunk) => {
        for (let at = 0; at < chunk.length; ) at += writeSync(target, chunk, at)
      }
    }
    const { members, sha256 } = readArchive(file, receive, pace)
    if (!found.manifest) return { members: [], manifest: null, stranger: found.stranger, sha256 }
    const content = Buffer.concat(found.manifest)
    writeFileSync(join(into, MANIFEST), content, { mode: 0o600 })
    const others = members.filter(({ name }) => name !== MANIFEST)
    return { members: others, manifest: manifestOf(content), stranger: found.stranger, sha256 }
  } finally {
    finish()
  }
}

function manifestOf(content: Uint8Array): Manifest {
  try {
    return readManifest(content)
  } catch {
    throw new NotWhole(`its ${MANIFEST} was changed`)
  }
}

/**
 * Why the database that was unpacked into `folder` cannot be served, or which of the backup's files is not as it says;
 * null when all is well, or it holds none.
 */
export function databaseFault(folder: string, { members, manifest }: Unpacked): string | null {
  if (!existsSync(join(folder, DATABASE_FILE))) return null
  const { missing = [], elsewhere } = manifest
  const database = inspectDatabase(folder)
  try {
    const [fault] = database.faults()
    if (fault !== undefined) return `of its database: ${fault}`
    if (elsewhere !== undefined) return null
    const files = new Map(members.map((member) => [member.name, member]))
    const gone = new Set(missing)
    for (const row of database.files()) {
      const [name, file] = [pathOf(row), files.get(pathOf(row))]
      if (!file && !gone.has(name)) return `its database names ${name}, which is missing`
      if (file && (file.size !== row.size || (row.sha256 ?? file.sha256) !== file.sha256)) {
        return `${name} is not the file that its database names`
      }
    }
    return null
  } finally {
    database.close()
  }
}
