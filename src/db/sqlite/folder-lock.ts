import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { lockFile } from '../../folder/file-lock.ts'
import { clearLeftovers } from '../../folder/leftovers.ts'
import { GUESTS_FILE, LOCK_FILE } from '../../folder/names.ts'
import { completeSwap } from '../../folder/swap.ts'
import { keepPrivate } from './private-folder.ts'

/** How long somebody may look whether there are guests, and how often a guest looks whether the folder is free, in milliseconds. */
const GUEST_PATIENCE = 2_000
const POLL = 10

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
    if (hasGuests(dataDir, patience)) throw inUse(dataDir)
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

/**
 * For a service that follows another: marks the data folder as in use beside the one that serves it. Whoever wants it
 * alone is refused, also in between.
 */
export function visitFolder(dataDir: string): () => void {
  keepPrivate(dataDir)
  const leave = lockFile(join(dataDir, GUESTS_FILE), GUEST_PATIENCE, { shared: true })
  if (!leave) throw inUse(dataDir)
  return leave
}

/**
 * As `lockFolder`, for a guest, which waits for it: what the service before it left is in order. Resolves to null once
 * `signal` is aborted.
 */
export async function inheritFolder(dataDir: string, signal: AbortSignal): Promise<(() => void) | null> {
  while (!signal.aborted) {
    // Without patience, which would stand still with all requests.
    const unlock = lockFile(join(dataDir, LOCK_FILE), 0)
    if (unlock) return unlock
    await Bun.sleep(POLL)
  }
  return null
}

function hasGuests(dataDir: string, patience: number): boolean {
  const file = join(dataDir, GUESTS_FILE)
  if (!existsSync(file)) return false
  const alone = lockFile(file, patience)
  alone?.()
  return alone === null
}

function putInOrder(dataDir: string): void {
  completeSwap(dataDir)
  clearLeftovers(dataDir)
}

function inUse(dataDir: string): UserError {
  return new UserError(`the data folder ${dataDir} is in use by a running frontdesk`)
}
