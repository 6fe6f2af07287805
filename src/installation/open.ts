import { sealOlderChains } from '../audit/carry-over.ts'
import { chainKeyOf } from '../audit/key.ts'
import { backUpBeforeMigration } from '../backup/before-migration.ts'
import type { Config } from '../config.ts'
import { type Database, type DatabaseWatch, openDatabase } from '../db/index.ts'
import { AppError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import { openFiles } from '../files/index.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'
import type { Secrets } from '../secrets/seal.ts'
import { confirmFolder, confirmInstallation } from './confirm.ts'
import { openSecrets } from './secret-key.ts'

/** What an installation keeps, open. */
export interface Installation {
  readonly database: Database
  readonly files: Files
  readonly secrets: Secrets
}

/**
 * Opens what an installation keeps once it is sure that all of it is the same one's. A store of files that is away is no
 * reason not to serve: nothing is swept from it before it is confirmed. Needs the folder's lock. Throws UserError, as
 * `confirmInstallation`, `openDatabase` and `openSecrets`. `watch` is told of what takes time in the database.
 */
export async function openInstallation(config: Config, log?: Log, watch?: DatabaseWatch): Promise<Installation> {
  await confirmFolder(config)
  const files = openFiles(config)
  const database = await openDatabase(config, watch)
  try {
    await confirm(config, database, files, log)
    const secrets = await openSecrets(config, database)
    const sealed = await sealOlderChains(config.dataDir, database, chainKeyOf(secrets), systemClock.now())
    if (sealed > 0) log?.info('audit logs of an earlier version were sealed with the key', { tenants: sealed })
    return { database, files, secrets }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Backs up what `openInstallation` would migrate: for whoever is about to. Throws UserError as `backUpBeforeMigration`. */
export async function backUpBefore(config: Config, log?: Log): Promise<void> {
  const made = await backUpBeforeMigration(config, systemClock.now(), () =>
    log?.info('another node backs up the database and migrates it, which this one waits for'),
  )
  if (made) log?.info('a backup was made before the database is migrated', { name: made.name, place: made.place })
}

async function confirm(config: Config, database: Database, files: Files, log: Log | undefined): Promise<void> {
  try {
    await confirmInstallation(config, database, files)
  } catch (error) {
    if (!(error instanceof AppError) || config.files === null) throw error
    await confirmInstallation(config, database, null)
    log?.warn('nobody can tell yet whether the store of files is this installation’s: it cannot be reached', {
      place: config.files.url,
      cause: error.cause instanceof Error ? error.cause.message : error.message,
    })
  }
}
