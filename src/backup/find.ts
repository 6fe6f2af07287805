import { existsSync } from 'node:fs'
import type { BackupConfig } from '../config.ts'
import { readName } from './names.ts'
import { shelvesOf } from './shelves/shelf.ts'

/**
 * The path of a backup that an administrator names: of a file, or as `frontdesk backup list` calls it. One that lies in a
 * bucket is fetched into `spare()`, a folder. What is neither is returned as it is, for whoever reads it to refuse.
 */
export async function findBackup(named: string, backup: BackupConfig | null, spare: () => string): Promise<string> {
  if (existsSync(named) || !backup) return named
  for (const { prefix, shelf } of await shelvesOf(backup.to)) {
    const name = named.startsWith(prefix) ? named.slice(prefix.length) : ''
    if (readName(name) === null) continue
    const isThere = (await shelf.list()).some((lying) => lying.name === name)
    if (isThere) return shelf.fetch(name, spare)
  }
  return named
}
