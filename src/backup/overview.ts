import type { Config } from '../config.ts'
import { UserError } from '../errors.ts'
import { readMarkFile } from '../files/mark-file.ts'
import { within } from '../lib/concurrency/within.ts'
import { ownerOf } from './names.ts'
import { openShelf } from './shelves/shelf.ts'
import { ownAmong, type Shelved } from './shelves/shelved.ts'
import { type Doubtful, doubtOf } from './state.ts'

/** How long the place of backups may take to answer, in milliseconds. */
const PATIENCE = 5_000

/** What is known of a backup that lies there, without reading it: `foreign` is one that this version cannot judge. */
export type Known = 'good' | 'damaged' | 'foreign' | 'unknown'

/** Reads which backups of this installation lie in their place, newest first. Throws UserError where that cannot be looked at. */
export type Listing = () => Promise<readonly Shelved[]>

/**
 * For pages: all who ask while one looks share that look, so that a disk or a store which has stopped answering is not
 * asked again by everybody who waits for it.
 */
export function sharedListing({ backup, dataDir }: Pick<Config, 'backup' | 'dataDir'>): Listing {
  let looking: Promise<readonly Shelved[]> | null = null
  return async () => {
    if (!backup) return []
    looking ??= list(backup, dataDir).finally(() => {
      looking = null
    })
    const own = looking
    if (await within(PATIENCE, own)) return own
    throw new UserError(`${backup.to.url} does not answer`)
  }
}

async function list({ to }: NonNullable<Config['backup']>, dataDir: string): Promise<readonly Shelved[]> {
  const shelf = await openShelf(to)
  return ownAmong(await shelf.list(), ownerOf(readMarkFile(dataDir)))
}

/** What is known of one; `doubtful` are those that a look found not to be good. */
export function knownOf(backup: Shelved, doubtful: readonly Doubtful[]): Known {
  if (backup.isChecked) return 'good'
  const doubt = doubtOf(backup, doubtful)
  return doubt ? (doubt.verdict ?? 'foreign') : 'unknown'
}
