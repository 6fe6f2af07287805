import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupConfig, Config } from '../config.ts'
import { backedUpBeforeMigration } from '../db/index.ts'
import { UserError } from '../errors.ts'
import { readMarkFile } from '../files/mark-file.ts'
import { clearWorkshops } from '../folder/leftovers.ts'
import { UPGRADE_BACKUPS } from '../folder/names.ts'
import type { BackedUp, Kept } from './make.ts'
import { ownerOf } from './names.ts'
import { NoRoom } from './room.ts'
import { type BackupPlace, beforeUpgradesIn, folderAt, openShelf } from './shelves/shelf.ts'
import { endAbandoned, ownAmong } from './shelves/shelved.ts'

/** How long another process that makes one is waited for, in milliseconds. */
const PATIENCE = 60_000
/** Of each of the last two hours in which one was made: two, unless somebody tries again and again. */
const KEEP = { hours: 2, days: 0, weeks: 0, months: 0 }

/** For how long one is kept, in milliseconds: it holds what has been erased since. */
const KEPT = 30 * 24 * 3_600_000

type UpgradeConfig = BackedUp & Pick<Config, 'backup'>

/**
 * Backs up a database that is about to be migrated, into the first place that has room for it. Returns null where there is
 * nothing to migrate, or another process has done so meanwhile, or no place: a database that a server keeps has none but what
 * FRONTDESK_BACKUP_TO names, and is migrated right behind its backup (`backedUpBeforeMigration`, which tells `waits`). Throws
 * UserError, with what to do, where no backup could be made: then nothing may be migrated.
 */
export async function backUpBeforeMigration(
  config: UpgradeConfig,
  now: number,
  waits: () => void = () => {},
): Promise<Kept | null> {
  const places = placesOf(config)
  return places.length === 0
    ? null
    : backedUpBeforeMigration(config, (isWanted) => makeIn(places, config, now, isWanted), waits)
}

/** Of nodes the data folder may go with the container. A bucket helps nobody who has no room: it takes what was made here. */
function placesOf({ dataDir, databaseUrl, backup }: UpgradeConfig): BackupPlace[] {
  if (databaseUrl) return besideOthers(backup)
  return [besideFile(dataDir), ...besideOthers(backup).filter(({ kind }) => kind === 'folder')]
}

const besideFile = (dataDir: string) => folderAt(join(dataDir, UPGRADE_BACKUPS))
const besideOthers = (backup: BackupConfig | null) => (backup ? [beforeUpgradesIn(backup.to)] : [])

async function makeIn(
  [to, ...others]: readonly BackupPlace[],
  config: BackedUp,
  now: number,
  isWanted: () => boolean,
): Promise<Kept | null> {
  const { makeBackup, Unwanted } = await import('./make.ts')
  try {
    // Whatever is wrong with the database is kept as it is: the start has never asked for more than to be able to migrate it.
    const how = { patience: PATIENCE, asItIs: true, isWanted }
    return await makeBackup(config, { to: to as BackupPlace, keep: KEEP }, now, how)
  } catch (error) {
    if (error instanceof Unwanted) return null
    if (error instanceof NoRoom && others.length > 0) return makeIn(others, config, now, isWanted)
    throw explained(error)
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof UserError)) return error
  return new UserError(
    `this version has to change the database and makes a backup before, which failed, so nothing was changed: ${error.message}; or make one by other means, and start once with \`frontdesk serve --without-backup\``,
  )
}

/**
 * Removes those that are older than 30 days, also of a database that has been moved to a server since, and what was left of
 * those that were killed amid it: the next one may be long in coming.
 */
export async function expireUpgradeBackups(
  { dataDir, backup }: Pick<Config, 'dataDir' | 'backup'>,
  now: number,
): Promise<void> {
  const owner = ownerOf(readMarkFile(dataDir))
  for (const place of [besideFile(dataDir), ...besideOthers(backup)]) {
    const shelf = await openShelf(place)
    for (const { name, at } of ownAmong(await shelf.list(), owner)) if (at < now - KEPT) await shelf.remove(name)
    await endAbandoned(shelf, owner, now)
    const madeIn = shelf.folder ?? dataDir
    if (existsSync(madeIn)) clearWorkshops(madeIn)
  }
}
