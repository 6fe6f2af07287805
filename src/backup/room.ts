import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { DATABASE_COMPANIONS, DATABASE_FILE } from '../folder/names.ts'
import { freeBytes } from '../lib/disk/disk.ts'

const MB = 1_000_000
/** What else is written beside a backup, in bytes: its headers, its manifest, and what others store meanwhile. */
const SPARE = 10 * MB

/**
 * Bytes that making a backup takes at its most: the copy of the database, or the `dump` of one that a server keeps, and the
 * file that has it and all others.
 */
export function bytesNeeded(dataDir: string, folders: readonly string[], dump = 0): number {
  const database = [DATABASE_FILE, ...DATABASE_COMPANIONS].map((name) => sizeOf(join(dataDir, name)))
  const files = folders.map((name) => sizeBelow(join(dataDir, name)))
  return 2 * (sum(database) + dump) + sum(files) + SPARE
}

/** That there is no room for a backup. */
export class NoRoom extends UserError {}

/** Throws NoRoom, with what to do, where a backup that is made in `folder` would have no room. */
export async function requireRoom(folder: string, needed: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= needed) return
  throw new NoRoom(
    `there is no room for a backup: making it takes ${inMb(needed)} MB in ${folder}, whose disk has ${inMb(free)} MB left: make room, or choose another place (FRONTDESK_BACKUP_TO)`,
  )
}

function sizeBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return sum(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => sizeOf(join(folder, name))))
}

/** Of a file; what goes meanwhile takes nothing. */
function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : 0
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const inMb = (bytes: number) => Math.ceil(bytes / MB)
