import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserError } from '../../errors.ts'
import { makeFolder, replaceFile, sync } from '../../lib/disk/durable.ts'
import { CHECKSUM_FILE } from '../names.ts'
import {
  backupsAmong,
  checksumIn,
  checksumsOfNothing,
  checksumText,
  isOfBackup,
  type Lying,
  type Shelf,
  type Shelved,
} from './shelved.ts'

/** Backups as files of a folder. A backup appears there once it was checked, with its checksum beside it. */
export class FolderShelf implements Shelf {
  readonly place: string

  constructor(readonly folder: string) {
    this.place = folder
  }

  async prepare(): Promise<void> {
    try {
      makeFolder(this.folder)
    } catch (error) {
      throw this.#explained(error)
    }
  }

  async list(): Promise<Shelved[]> {
    return backupsAmong(await this.#lying())
  }

  /** The checksum first: so no backup ever lies there that counts for nothing. */
  async put(file: string, name: string, sha256: string): Promise<void> {
    await this.confirm(name, sha256, dirname(file))
    renameSync(file, join(this.folder, name))
    sync(this.folder)
  }

  async fetch(name: string): Promise<string> {
    return join(this.folder, name)
  }

  async checksum(name: string): Promise<string | null> {
    const file = join(this.folder, name + CHECKSUM_FILE)
    return existsSync(file) ? checksumIn(readFileSync(file, 'utf8')) : null
  }

  async confirm(name: string, sha256: string, folder: string): Promise<void> {
    replaceFile(join(this.folder, name + CHECKSUM_FILE), checksumText(name, sha256), folder)
  }

  /** The backup first, so that an interrupted removal leaves a checksum of nothing. */
  async remove(name: string): Promise<void> {
    rmSync(join(this.folder, name), { force: true })
    rmSync(join(this.folder, name + CHECKSUM_FILE), { force: true })
  }

  async sweep(): Promise<void> {
    for (const name of checksumsOfNothing(await this.#lying())) rmSync(join(this.folder, name), { force: true })
  }

  /** What is made here is cleared away by whoever makes the next one. */
  async endUnfinished(): Promise<void> {}

  /** Beside the serving thread: it may be a disk of another machine. Of others' files, of which there may be many, only the names are read. */
  async #lying(): Promise<Lying[]> {
    const lying: Lying[] = []
    for (const name of (await this.#names()).filter(isOfBackup)) {
      const found = await lstat(join(this.folder, name)).catch(() => null)
      if (found?.isFile()) lying.push({ name, size: found.size, writtenAt: found.mtimeMs })
    }
    return lying
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw this.#explained(error)
    }
  }

  #explained(error: unknown): UserError {
    const { code } = error as NodeJS.ErrnoException
    return new UserError(
      `${this.folder}: backups cannot be kept there (${code}): the user that runs frontdesk must be able to read and write that folder`,
    )
  }
}
