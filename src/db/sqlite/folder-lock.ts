import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { lockFile } from '../../folder/file-lock.ts'
import { clearLeftovers } from '../../folder/leftovers.ts'
import { LOCK_FILE } from '../../folder/names.ts'
import { completeSwap } from '../../folder/swap.ts'
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
  if (!unlock) throw inUse(dataDir)
  try {
    putInOrder(dataDir)
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * As `lockFolder`, for a service whose database is elsewhere: others may hold it so at the same time, and share the files
 * in it. The first of them puts it in order.
 */
export function shareFolder(dataDir: string, patience = 500): () => void {
  keepPrivate(dataDir)
  const file = join(dataDir, LOCK_FILE)
  const alone = lockFile(file, 0)
  try {
    if (alone) putInOrder(dataDir)
  } finally {
    alone?.()
  }
  const unlock = lockFile(file, patience, { shared: true })
  if (!unlock) throw inUse(dataDir)
  return unlock
}

function putInOrder(dataDir: string): void {
  completeSwap(dataDir)
  clearLeftovers(dataDir)
}

function inUse(dataDir: string): UserError {
  return new UserError(`the data folder ${dataDir} is in use by a running frontdesk`)
}
