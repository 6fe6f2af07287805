import { join } from 'node:path'
import { clearLeftovers } from '../../backup/leftovers.ts'
import { LOCK_FILE } from '../../backup/names.ts'
import { completeSwap } from '../../backup/swap.ts'
import { UserError } from '../../errors.ts'
import { lockFile } from './file-lock.ts'
import { keepPrivate } from './private-folder.ts'

/**
 * Marks a data folder as served, until the returned function is called or the process ends, however it ends. Two
 * servers on one folder would deliver every webhook twice. Commands work beside a running server and take it only to
 * migrate. Creates the folder; completes a restore that was interrupted, and clears what killed commands left.
 * Throws UserError when another process still holds it after `patience` milliseconds.
 */
export function lockFolder(dataDir: string, patience = 500): () => void {
  keepPrivate(dataDir)
  const unlock = lockFile(join(dataDir, LOCK_FILE), patience)
  if (!unlock) throw new UserError(`the data folder ${dataDir} is in use by a running frontdesk`)
  try {
    completeSwap(dataDir)
    clearLeftovers(dataDir)
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}
