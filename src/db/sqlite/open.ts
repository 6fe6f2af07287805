import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { ADDRESS_FILE } from '../../folder/names.ts'
import { isSwapPending } from '../../folder/swap.ts'
import type { Database } from '../dialect.ts'
import { isUpToDate } from './files.ts'
import { lockFolder } from './folder-lock.ts'
import { DATABASE_FILE, openSqlite } from './index.ts'

/**
 * How long a command waits for whoever else may be migrating, in milliseconds: a service that says where it is reached has
 * migrated long ago, while another command may take its time on a busy machine.
 */
const PATIENCE = { beside: 2_000, alone: 60_000 }

/** Opens a data folder that another process may be serving. */
export async function openBesideService(dataDir: string): Promise<Database> {
  const unlock = await lockUnless(dataDir, () => isUpToDate(dataDir))
  return openSqlite(dataDir).finally(unlock)
}

/** Completes a restore that was interrupted, beside others who may be about to: until then nobody knows what there is to migrate. */
export async function completeRestore(dataDir: string): Promise<void> {
  const unlock = await lockUnless(dataDir, () => !isSwapPending(dataDir))
  unlock()
}

/** Throws UserError when the folder holds no database. */
export function requireData(dataDir: string): void {
  if (existsSync(join(dataDir, DATABASE_FILE))) return
  throw new UserError(`${dataDir} is no data folder yet: create a tenant first`)
}

/**
 * Bringing the folder up to date takes its lock: an older server that runs on it would not understand the tables any more.
 * One that is just starting, or another command, does so in our place, until it `isDone`. Returns how to give the lock back.
 */
async function lockUnless(dataDir: string, isDone: () => boolean): Promise<() => void> {
  const isServed = existsSync(join(dataDir, ADDRESS_FILE))
  const deadline = performance.now() + PATIENCE[isServed ? 'beside' : 'alone']
  while (!isDone()) {
    try {
      return lockFolder(dataDir)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (performance.now() > deadline) {
        throw new UserError(`${dataDir} is served by an older frontdesk: stop that, and start this version once`)
      }
    }
  }
  return () => {}
}
