import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FileRow, Inspection } from '../db/sqlite/inspect.ts'
import { uploadName } from '../uploads/files.ts'
import { UNUSED_KEPT } from '../uploads/limits.ts'
import { type Finding, findings } from './finding.ts'
import { entriesOf } from './folder.ts'

/** Holds every record of a file against the file, and every file against the records. Reads all files. */
export function checkFiles(dataDir: string, database: Pick<Inspection, 'files' | 'file'>, now: number): Finding[] {
  const rows = database.files()
  const [missing, changed]: [string[], string[]] = [[], []]
  for (const row of rows) {
    const content = read(join(dataDir, uploadName(row)))
    if (content === null) {
      // The service may have removed both meanwhile.
      if (database.file(row.tenantId, row.id)) missing.push(join(dataDir, uploadName(row)))
    } else if (!isThatOf(row, content)) changed.push(join(dataDir, uploadName(row)))
  }
  const known = new Set(rows.map((row) => join(dataDir, uploadName(row))))
  const restore = 'put it back from a backup'
  return [
    ...findings(missing, 'a response names this file and it is missing', restore),
    ...findings(changed, 'its content is not what was uploaded', restore),
    ...findings(
      uploadsIn(join(dataDir, 'uploads')).filter((path) => !known.has(path) && isOld(path, now)),
      'no record knows this file',
      'the running service deletes it within the hour',
    ),
  ]
}

function read(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function isThatOf({ size, sha256 }: FileRow, content: Uint8Array): boolean {
  if (content.length !== size) return false
  return sha256 === null || new Bun.CryptoHasher('sha256').update(content).digest('hex') === sha256
}

/** Old enough for not being received at this moment. */
function isOld(path: string, now: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.mtimeMs < now - UNUSED_KEPT
}

function uploadsIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? uploadsIn(path) : [path]
  })
}
