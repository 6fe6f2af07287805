import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readDump } from '../db/postgres/dump.ts'
import { UserError } from '../errors.ts'
import { DATABASE_FILE, DUMP_FILE } from '../folder/names.ts'
import { type Pace, unpaced } from './pace.ts'
import { databaseFault, unpack } from './unpack.ts'

/**
 * Reads all of a backup, holds it against its manifest, and looks at the database in it: whole, of this version or an
 * earlier one, with every file that it names. Needs room for the database in `folder`, for so long. Returns the file's
 * SHA-256. Throws NotWhole for a file that differs from how it was made, and UserError for a backup that cannot be served;
 * `asItIs`: nothing is asked of its database.
 */
export function verify(
  file: string,
  folder: string,
  { asItIs = false, pace = unpaced }: { asItIs?: boolean; pace?: Pace } = {},
): string {
  const into = join(folder, 'verified')
  mkdirSync(into, { mode: 0o700 })
  try {
    const isWanted = (name: string) => !asItIs && (name === DATABASE_FILE || name === DUMP_FILE)
    const unpacked = unpack(file, into, isWanted, pace)
    const fault = databaseFault(into, unpacked)
    if (fault !== null) throw new UserError(fault)
    if (existsSync(join(into, DUMP_FILE))) readDump(join(into, DUMP_FILE))
    return unpacked.sha256
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}
