import { existsSync } from 'node:fs'
import type { BackupConfig } from '../config.ts'
import { readName } from './names.ts'
import { openShelf } from './shelf.ts'

/**
 * The path of a backup that an administrator names: of a file, or as `frontdesk backup list` calls it. One that lies in a
 * bucket is fetched into `spare()`, a folder. What is neither is returned as it is, for whoever reads it to refuse.
 */
export async function findBackup(named: string, backup: BackupConfig | null, spare: () => string): Promise<string> {
  if (existsSync(named) || !backup || readName(named) === null) return named
  const shelf = await openShelf(backup.to)
  const isThere = (await shelf.list()).some(({ name }) => name === named)
  return isThere ? shelf.fetch(named, spare) : named
}
