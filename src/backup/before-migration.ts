import { join } from 'node:path'
import type { BackupConfig, Config } from '../config.ts'
import { isToBeMigrated } from '../db/index.ts'
import { UserError } from '../errors.ts'
import { UPGRADE_BACKUPS } from '../folder/names.ts'
import { FolderShelf } from './folder-shelf.ts'
import type { BackedUp, Kept } from './make.ts'
import { NoRoom } from './room.ts'

/** How long another process that makes one is waited for, in milliseconds. */
const PATIENCE = 60_000
/** Of each of the last two hours in which one was made: two, unless somebody tries again and again. */
const KEEP = { hours: 2, days: 0, weeks: 0, months: 0 }

/** For how long one is kept, in milliseconds: it holds what has been erased since. */
const KEPT = 30 * 24 * 3_600_000

/**
 * Backs up a database that is about to be migrated, into `backups` in the data folder, or, where that has no room, into the
 * folder that FRONTDESK_BACKUP_TO names. Returns null where there is nothing to migrate. Throws UserError, with what to do,
 * where no backup could be made: then nothing may be migrated.
 */
export async function backUpBeforeMigration(
  config: BackedUp & Pick<Config, 'backup'>,
  now: number,
): Promise<Kept | null> {
  if (!isToBeMigrated(config)) return null
  const folder = join(config.dataDir, UPGRADE_BACKUPS)
  try {
    return await make(config, { to: { kind: 'folder', url: folder, folder }, keep: KEEP }, now)
  } catch (error) {
    if (!(error instanceof NoRoom)) throw explained(error)
    return await inOtherPlace(config, error, now)
  }
}

async function inOtherPlace(
  config: BackedUp & { backup: BackupConfig | null },
  error: NoRoom,
  now: number,
): Promise<Kept> {
  if (config.backup?.to.kind !== 'folder') throw explained(error)
  try {
    return await make(config, config.backup, now)
  } catch (other) {
    throw explained(other)
  }
}

/** Whatever is wrong with the database itself is kept as it is: the start has never asked for more than to be able to migrate it. */
async function make(config: BackedUp, where: Pick<BackupConfig, 'to' | 'keep'>, now: number): Promise<Kept> {
  const { makeBackup } = await import('./make.ts')
  return makeBackup(config, where, now, { patience: PATIENCE, asItIs: true })
}

function explained(error: unknown): unknown {
  if (!(error instanceof UserError)) return error
  return new UserError(
    `this version has to change the database and makes a backup before, which failed, so nothing was changed: ${error.message}; or make one by other means, and start once with \`frontdesk serve --without-backup\``,
  )
}

/** Removes those that are older than 30 days. */
export async function expireUpgradeBackups({ dataDir }: Pick<Config, 'dataDir'>, now: number): Promise<void> {
  const shelf = new FolderShelf(join(dataDir, UPGRADE_BACKUPS))
  for (const { name, at } of await shelf.list()) if (at < now - KEPT) await shelf.remove(name)
}
