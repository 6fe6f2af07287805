import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { sync } from '../lib/disk/durable.ts'
import { AUDIT_FILE, DATABASE_COMPANIONS, DATABASE_FILE, FOLDERS, KEY_FILE, MANIFEST, MARK_FILE } from './names.ts'

/** Holds a restored backup, whole and on the disk, that takes the place of what the data folder holds. */
const READY = '.restore.ready'
/** The same once it has; with what was replaced, until that is deleted. */
export const DONE = '.restore.done'

/** Inside of it: what was replaced. */
const REPLACED = 'replaced'

/** The database's companions belong to the old one, so they go before the new one comes. */
const DATABASE = [...DATABASE_COMPANIONS, DATABASE_FILE, KEY_FILE, MARK_FILE, AUDIT_FILE]
/** What is replaced together. A backup of files alone leaves what is here of a database. */
const MEMBERS = [...DATABASE, ...FOLDERS]

/**
 * Puts what was unpacked into `unpacked`, its manifest included, in the place of what the data folder holds. Nobody may
 * use the folder. One rename decides: before it everything is old, and after it whoever locks the folder next completes
 * what was interrupted. Throws UserError, changing nothing, where a part of the folder could not be moved.
 */
export function swapIn(dataDir: string, unpacked: string): void {
  for (const name of MEMBERS) {
    const current = lstatSync(join(dataDir, name), { throwIfNoEntry: false })
    if (current && current.dev !== statSync(dataDir).dev) {
      throw new UserError(`${join(dataDir, name)} is on a disk of its own and cannot be replaced: restore elsewhere`)
    }
  }
  renameSync(unpacked, join(dataDir, READY))
  sync(dataDir)
  completeSwap(dataDir)
}

/** Whether a restore was decided and not completed: until then nobody may read the folder. */
export function isSwapPending(dataDir: string): boolean {
  return existsSync(join(dataDir, READY))
}

/** Completes a swap that was decided, wherever it was interrupted; else does nothing. Needs the folder's lock. */
export function completeSwap(dataDir: string): void {
  if (!isSwapPending(dataDir)) return
  const ready = join(dataDir, READY)
  const coming = membersIn(ready)
  mkdirSync(join(ready, REPLACED), { recursive: true, mode: 0o700 })
  for (const name of MEMBERS) {
    const [current, fresh] = [join(dataDir, name), join(ready, name)]
    // What comes and is gone from here has taken its place already.
    const isOld = existsSync(fresh) || !(coming.has(name) || (DATABASE.includes(name) && !coming.has(DATABASE_FILE)))
    if (isOld && lstatSync(current, { throwIfNoEntry: false })) renameSync(current, join(ready, REPLACED, name))
    if (existsSync(fresh)) renameSync(fresh, current)
  }
  sync(dataDir)
  renameSync(ready, join(dataDir, DONE))
  sync(dataDir)
  rmSync(join(dataDir, DONE), { recursive: true, force: true })
}

/** Which members the backup has, by the first part of their names. */
function membersIn(ready: string): Set<string> {
  const { files } = JSON.parse(readFileSync(join(ready, MANIFEST), 'utf8')) as { files: { name: string }[] }
  return new Set(files.map(({ name }) => name.split('/')[0] as string))
}
