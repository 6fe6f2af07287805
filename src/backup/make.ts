import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupConfig, Config } from '../config.ts'
import { inspect, likelyDumpSize } from '../db/index.ts'
import { UserError } from '../errors.ts'
import { readMarkFile } from '../files/mark-file.ts'
import { lockFile } from '../folder/file-lock.ts'
import { BACKUP_LOCK } from '../folder/names.ts'
import { makeFolder } from '../lib/disk/durable.ts'
import { makeBeside, packedFolders } from './backup.ts'
import { freeName, ownerOf } from './names.ts'
import { type Pace, unpaced } from './pace.ts'
import { bytesNeeded, requireRoom } from './room.ts'
import { openShelf } from './shelves/shelf.ts'
import { endAbandoned, ownAmong, type Shelf, type Shelved } from './shelves/shelved.ts'
import type { Doubtful } from './state.ts'
import { confirmUnknown, type Judged, thinOut } from './thinning.ts'
import { verify } from './verify.ts'

/** What of the configuration a backup is made by. */
export type BackedUp = Pick<Config, 'dataDir' | 'databaseUrl' | 'files'>

/** A backup that was made, checked and put where backups go. */
export interface Kept {
  readonly name: string
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number
  readonly size: number
  readonly place: string
  /** Files that records name and that were gone already. */
  readonly missing: readonly string[]
  /** Names of older ones that were removed. */
  readonly removed: readonly string[]
  /** Those that are not good, and lie there still. */
  readonly doubtful: readonly Doubtful[]
}

/**
 * Makes a backup where FRONTDESK_BACKUP_TO says: it is read back and checked before it lies there under its name, and only
 * then older ones that nothing keeps are removed. Takes the time of the data's size, and holds its thread: so the service
 * has another process do it. Throws UserError where it cannot be made, or another is being made of this data folder for
 * longer than `patience` milliseconds. `asItIs`: a database with faults is backed up, too. `isWanted`: asked before it is made,
 * and once it is before it lies there; throws Unwanted where it says no. `pace`: how fast files are read and written.
 */
export async function makeBackup(
  config: BackedUp,
  { to, keep }: Pick<BackupConfig, 'to' | 'keep'>,
  now: number,
  { patience = 0, asItIs = false, isWanted = () => true, pace = unpaced }: Partial<How> & { patience?: number } = {},
): Promise<Kept> {
  const { dataDir } = config
  // With the database elsewhere there may be no folder yet.
  if (config.databaseUrl) makeFolder(dataDir)
  if (!existsSync(dataDir)) throw new UserError(`${dataDir} holds no data`)
  const unlock = lockFile(join(dataDir, BACKUP_LOCK), patience)
  if (!unlock) throw new UserError(`another backup of ${dataDir} is being made`)
  try {
    requireWanted(isWanted)
    const shelf = await openShelf(to)
    await shelf.prepare()
    const owner = ownerOf(readMarkFile(dataDir) ?? (await markInDatabase(config)))
    const taken = new Set((await shelf.list()).map(({ name }) => name))
    const made = await putOn(shelf, config, freeName({ at: now, owner }, taken), { asItIs, isWanted, pace })
    const judged = await confirmUnknown(shelf, ownAmong(await shelf.list(), owner), dataDir, pace)
    const removed = await thinOut(shelf, judged, keep, Math.max(now, made.at))
    await endAbandoned(shelf, owner, now)
    const doubtful = doubtfulAmong(judged).filter(({ name }) => !removed.includes(name))
    return { ...made, place: shelf.place, removed, doubtful }
  } finally {
    unlock()
  }
}

/**
 * Looks at those that nobody has checked, or that were written since, as making one does, and notes the good ones as
 * checked. Returns the others. Throws UserError while one is being made of this data folder.
 */
export async function lookAtBackups(
  { dataDir }: Pick<BackedUp, 'dataDir'>,
  { to }: Pick<BackupConfig, 'to'>,
  pace: Pace = unpaced,
): Promise<readonly Doubtful[]> {
  if (!existsSync(dataDir)) throw new UserError(`${dataDir} holds no data`)
  const unlock = lockFile(join(dataDir, BACKUP_LOCK), 0)
  if (!unlock) throw new UserError(`a backup of ${dataDir} is being made`)
  try {
    const shelf = await openShelf(to)
    const own = ownAmong(await shelf.list(), ownerOf(readMarkFile(dataDir)))
    return doubtfulAmong(await confirmUnknown(shelf, own, dataDir, pace))
  } finally {
    unlock()
  }
}

/** What the data folder of a new node will be marked with. */
async function markInDatabase(config: BackedUp): Promise<string | null> {
  const database = config.databaseUrl ? await inspect(config) : null
  try {
    return (await database?.installationId()) ?? null
  } finally {
    await database?.close()
  }
}

function doubtfulAmong(judged: readonly Judged[]): Doubtful[] {
  return judged.flatMap(({ name, size, writtenAt, verdict }) =>
    verdict === 'good' ? [] : [{ name, size, writtenAt, verdict }],
  )
}

interface How {
  readonly asItIs: boolean
  readonly isWanted: () => boolean
  readonly pace: Pace
}

/** That there is no use for a backup any more. */
export class Unwanted extends Error {}

function requireWanted(isWanted: () => boolean): void {
  if (!isWanted()) throw new Unwanted()
}

/** One that is made, as it lies there then. */
async function putOn(shelf: Shelf, config: BackedUp, name: string, how: How) {
  const { dataDir, files } = config
  const elsewhere = files?.url ?? null
  const dump = await likelyDumpSize(config)
  await requireRoom(shelf.folder ?? dataDir, bytesNeeded(dataDir, packedFolders(elsewhere), dump))
  const missing = await makeBeside(
    config,
    join(shelf.folder ?? dataDir, name),
    { elsewhere, withDump: true, pace: how.pace },
    async (made) => {
      requireWanted(how.isWanted)
      await shelf.put(made.archive, name, checked(made.archive, made.folder, how))
      return made.missing
    },
  )
  const there = (await shelf.list()).find((backup): backup is Shelved => backup.name === name)
  if (!there) throw new UserError(`${name} was put into ${shelf.place}, and is not there`)
  return { name, at: there.at, size: there.size, missing }
}

/** Returns its SHA-256. */
function checked(archive: string, folder: string, how: How): string {
  try {
    return verify(archive, folder, how)
  } catch (error) {
    throw new UserError(`the backup that was made is not good: ${(error as Error).message}`)
  }
}
