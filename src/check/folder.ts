import { type Dirent, existsSync, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isOpenToOthers, openToOthers } from '../db/sqlite/private-folder.ts'
import { walWarning } from '../db/sqlite/wal.ts'
import { leftoversOf } from '../folder/leftovers.ts'
import { FOLDERS, TRASH } from '../folder/names.ts'
import { type Finding, findings } from './finding.ts'

const MB = 1_000_000

/** What is to be said of the data folder itself: who may read it, whose it is, its disk, and what was left in it. */
export function checkFolder(dataDir: string, minFree: number): Finding[] {
  return [...checkModes(dataDir), ...checkOwners(dataDir), ...checkRoom(dataDir, minFree), ...checkLeftovers(dataDir)]
}

function checkModes(dataDir: string): Finding[] {
  const itself = isOpenToOthers(statSync(dataDir)) ? [dataDir] : []
  const top = openToOthers(dataDir).map((name) => join(dataDir, name))
  const inside = [...FOLDERS, TRASH].flatMap((folder) => openInside(join(dataDir, folder)))
  return findings(
    [...itself, ...top, ...inside],
    'other users of this machine may open it',
    `chmod -R go= ${dataDir} (and UMask=0077, StateDirectoryMode=0700 in a systemd unit)`,
  )
}

function openInside(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    const own = found && !found.isSymbolicLink() && isOpenToOthers(found) ? [path] : []
    return entry.isDirectory() ? [...own, ...openInside(path)] : own
  })
}

/** A command that was run as root leaves files that the service cannot write. */
function checkOwners(dataDir: string): Finding[] {
  const { uid } = statSync(dataDir)
  const foreign = entriesOf(dataDir)
    .map(({ name }) => join(dataDir, name))
    .filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.uid ?? uid) !== uid)
  return findings(
    foreign,
    'it belongs to another user than the data folder',
    `chown it to user ${uid}, and run commands as that user`,
  )
}

const inMb = (bytes: number) => Math.floor(bytes / MB)

function checkRoom(dataDir: string, minFree: number): Finding[] {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const room: Finding[] =
    free >= minFree
      ? []
      : [
          {
            where: dataDir,
            problem: `its disk has ${inMb(free)} MB left of the ${inMb(minFree)} it should have`,
            remedy: 'make room',
          },
        ]
  const wal = walWarning(dataDir)
  return wal === null
    ? room
    : [...room, { where: dataDir, problem: wal, remedy: 'end that program, or restart the service' }]
}

function checkLeftovers(dataDir: string): Finding[] {
  return findings(
    leftoversOf(dataDir).filter((path) => existsSync(path)),
    'a command that was killed left it, and it may hold data of customers',
    'the next start of the service deletes it; where it may not, delete it by hand',
  )
}

/** What lies in a folder, or nothing where it is gone. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
