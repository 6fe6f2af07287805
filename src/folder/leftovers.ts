import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PROBE } from '../lib/disk/disk.ts'
import { lockFile } from './file-lock.ts'
import { ADDRESS_FILE, AUDIT_FILE, DATABASE_COMPANIONS, DATABASE_FILE, KEY_FILE, MARK_FILE } from './names.ts'
import { DONE } from './swap.ts'

/* Copies of customers' data that killed commands left. */

/** Unpacked by a restore that did not get as far as to replace anything. */
export const UNPACKING = '.restore-'
/** In the data folder: a file that says where a backup is being made. */
const NOTE = '.backup-'
/** Beside the file to be made: where a backup is being made. Locked for so long. */
const WORKSHOP = '.frontdesk-backup-'
const LOCK = 'lock'
/** Folder of a backup that is about to be locked, and how long that can take at most, in milliseconds. */
const UNLOCKED = '.frontdesk-new-'
const LOCKING = 60_000

/** Names in the data folder that killed commands and earlier versions left. */
const LEFT = [
  /^\.restore-[A-Za-z0-9]{6}$/,
  // Earlier versions kept what a restore replaced in such a folder.
  /^replaced-[A-Za-z0-9]{6}$/,
  new RegExp(`^${DONE.replaceAll('.', '\\.')}$`),
  new RegExp(`^${DATABASE_FILE}\\.new(-wal|-shm|-journal)?$`),
  new RegExp(
    `^(${[KEY_FILE, MARK_FILE, AUDIT_FILE, ADDRESS_FILE].join('|').replaceAll('.', '\\.')})(\\.[0-9a-f]{8})?\\.new$`,
  ),
  new RegExp(`^\\${PROBE}[0-9a-f]{8}$`),
  /^demo\.json\.\d+$/,
]

/** Paths of what killed commands left in the data folder, and where it says that backups were being made. */
export function leftoversOf(dataDir: string): string[] {
  return readdirSync(dataDir).flatMap((name) => {
    const path = join(dataDir, name)
    if (name.startsWith(NOTE)) return leftByBackup(path)
    return LEFT.some((pattern) => pattern.test(name)) ? [path] : []
  })
}

/** Deletes what killed commands left. Needs the folder's lock; a backup that is being made stays untouched. */
export function clearLeftovers(dataDir: string): void {
  for (const path of leftoversOf(dataDir)) remove(path)
}

/** The note of a backup that is made no more, and the folder it was made in, if that is there. */
function leftByBackup(note: string): string[] {
  const folder = readNote(note)
  if (!folder || !basename(folder).startsWith(WORKSHOP) || !existsSync(folder)) return [note]
  return isBusy(folder) ? [] : [folder, note]
}

function readNote(note: string): string | null {
  try {
    return readFileSync(note, 'utf8').trim()
  } catch {
    return null
  }
}

/**
 * A new folder for making a backup in, beside the file it will be, or for looking at one; the data folder, where there is
 * one to be served, has a note of it. What killed
 * backups left there goes first, whatever their files were called. Returns the folder, and how to remove it.
 */
export function openWorkshop(dataDir: string | null, file: string): { folder: string; close(): void } {
  const target = dirname(resolve(file))
  clearWorkshops(target)
  const made = mkdtempSync(join(target, UNLOCKED))
  const unlock = lockFile(join(made, LOCK), 0)
  const id = made.slice(join(target, UNLOCKED).length)
  const folder = join(target, WORKSHOP + id)
  const note = dataDir === null ? null : join(dataDir, NOTE + id)
  if (note !== null) writeFileSync(note, `${folder}\n`, { mode: 0o600 })
  renameSync(made, folder)
  return {
    folder,
    close() {
      unlock?.()
      rmSync(folder, { recursive: true, force: true })
      if (note !== null) rmSync(note, { force: true })
    },
  }
}

/** Deletes what killed backups left in a folder that backups are made in. Those that are being made stay untouched. */
export function clearWorkshops(target: string): void {
  for (const name of readdirSync(target)) {
    const folder = join(target, name)
    if (name.startsWith(WORKSHOP) ? !isBusy(folder) : isAbandoned(folder, name)) remove(folder)
  }
}

function isAbandoned(folder: string, name: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return false
  if (name.startsWith(UNLOCKED)) return found.mtimeMs < Date.now() - LOCKING
  // Earlier versions made their backups in FILE.partial.
  if (!name.endsWith('.partial')) return false
  const inside = readdirSync(folder)
  const theirs = [DATABASE_FILE, ...DATABASE_COMPANIONS, 'backup.tar']
  return inside.includes(DATABASE_FILE) && inside.every((file) => theirs.includes(file))
}

function isBusy(folder: string): boolean {
  const lock = join(folder, LOCK)
  if (!existsSync(lock)) return false
  const unlock = lockFile(lock, 0)
  unlock?.()
  return unlock === null
}

/** What this user may not delete stays: `frontdesk check` names it. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}
