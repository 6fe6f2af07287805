import { chmodSync, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import {
  ADDRESS_FILE,
  AUDIT_FILE,
  DATABASE_COMPANIONS,
  DATABASE_FILE,
  FOLDERS,
  GUESTS_FILE,
  KEY_FILE,
  LOCK_FILE,
  MARK_FILE,
  TRASH,
} from '../../folder/names.ts'
import { makeFolder } from '../../lib/disk/durable.ts'

/** What is ours in a data folder: other things that lie there keep their modes. */
const OURS = [
  ...[
    DATABASE_FILE,
    ...DATABASE_COMPANIONS,
    LOCK_FILE,
    GUESTS_FILE,
    KEY_FILE,
    MARK_FILE,
    AUDIT_FILE,
    ADDRESS_FILE,
    'demo.json',
  ],
  ...[...FOLDERS, TRASH],
]

/**
 * Makes the data folder where it is missing, and has its user alone read it and all that is ours in it, whatever the
 * umask or an earlier version did (decisions §11). The folder comes last: an interrupted run is seen and done again.
 */
export function keepPrivate(dataDir: string): void {
  // The advice for a file in the way of another would have it removed.
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UserError(`${dataDir}: is a file: choose a folder for the data (FRONTDESK_DATA, --data)`)
  }
  makeFolder(dataDir)
  if (!isOpenToOthers(statSync(dataDir)) && openToOthers(dataDir).length === 0) return
  for (const name of OURS) tighten(join(dataDir, name))
  close(dataDir)
}

/** The names of what is ours in the data folder and open to other users; what lies in its folders is not looked at. */
export function openToOthers(dataDir: string): string[] {
  return OURS.filter((name) => {
    const found = statSync(join(dataDir, name), { throwIfNoEntry: false })
    return found !== undefined && isOpenToOthers(found)
  })
}

/** Whether anybody but the owner may do anything with it. */
export function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0
}

function tighten(path: string): void {
  if (!existsSync(path)) return
  if (statSync(path).isDirectory()) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isFile() || entry.isDirectory()) tighten(join(path, entry.name))
    }
  }
  close(path)
}

/** Where the disk knows no modes, or the folder is somebody else's, `frontdesk check` says so. */
function close(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || !isOpenToOthers(found)) return
  try {
    chmodSync(path, found.isDirectory() ? 0o700 : 0o600)
  } catch {}
}
