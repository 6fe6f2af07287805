import { constants, existsSync } from 'node:fs'
import { access, copyFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MARK_FILE, TRASH, UNFINISHED } from '../folder/names.ts'
import { type FileKind, fileKinds } from '../kinds/files.ts'
import { freeBytes, isFileFault, probeFolder } from '../lib/disk/disk.ts'
import { makeFolderWithin, sync, syncFolder } from '../lib/disk/durable.ts'
import { isUuid } from '../lib/ids.ts'
import { receive, type StoredFile } from './content.ts'
import { type Files, filesUnavailable, type Listed, type Part } from './files.ts'
import { readMarkFile, writeMarkFile } from './mark-file.ts'
import { type FileName, pathOf } from './names.ts'

/**
 * Files in a folder: `ROOT/{kind}/{tenantId}/{last two of the id}/{id}`, and in the same order under `ROOT/trash`.
 * Several nodes may share it.
 */
export class FolderFiles implements Files {
  readonly markPlace: string
  /** Files that are being received by this store now, by their paths. */
  readonly #receiving = new Set<string>()

  constructor(private readonly root: string) {
    this.markPlace = join(root, MARK_FILE)
  }

  store(name: FileName, content: AsyncIterable<Uint8Array>, maxSize: number): Promise<StoredFile> {
    const path = this.placeOf(name)
    return this.#reaching(() => this.#store(path, content, maxSize))
  }

  read(name: FileName): Promise<Blob | null> {
    return this.#reaching(async () => {
      const file = Bun.file(this.placeOf(name))
      return (await file.exists()) ? file : null
    })
  }

  remove(name: FileName): Promise<void> {
    return this.#reaching(async () => {
      for (const part of ['kept', 'trash'] as const) await rm(this.placeOf(name, part), { force: true })
    })
  }

  async *list(kind: FileKind, part: Part = 'kept') {
    const top = join(this.#rootOf(part), kind)
    for (const tenantId of (await namesIn(top)).filter(isUuid)) {
      for (const folder of await namesIn(join(top, tenantId))) {
        const names = await namesIn(join(top, tenantId, folder))
        const files = names.flatMap((name) => this.#listed(kind, tenantId, part, join(top, tenantId, folder, name)))
        yield { tenantId, files }
      }
    }
  }

  /** They lie among the others. */
  async removeUnfinished(): Promise<void> {}

  readMark(): Promise<string | null> {
    return this.#reaching(async () => readMarkFile(this.root))
  }

  writeMark(id: string): Promise<void> {
    return this.#reaching(async () => writeMarkFile(this.root, id))
  }

  probe(): Promise<void> {
    return this.#reaching(async () => {
      await probeFolder(this.root)
      for (const kind of fileKinds) await requireWritable(join(this.root, kind))
    })
  }

  placeOf(name: FileName, part: Part = 'kept'): string {
    return join(this.#rootOf(part), pathOf(name))
  }

  freeBytes(): Promise<number> {
    return this.#reaching(() => freeBytes(this.root))
  }

  #rootOf(part: Part): string {
    return part === 'kept' ? this.root : join(this.root, TRASH)
  }

  /** A folder that is gone has been unmounted: nothing may be written in its place. */
  async #reaching<T>(work: () => Promise<T>): Promise<T> {
    if (!existsSync(this.root)) throw filesUnavailable(new Error(`${this.root} is gone`))
    try {
      return await work()
    } catch (error) {
      throw isFileFault(error) ? filesUnavailable(error) : error
    }
  }

  async #store(path: string, content: AsyncIterable<Uint8Array>, maxSize: number): Promise<StoredFile> {
    const unfinished = path + UNFINISHED
    await makeFolderWithin(this.root, dirname(path))
    this.#receiving.add(unfinished)
    try {
      const stored = await receive(unfinished, content, maxSize)
      await rename(unfinished, path)
      await syncFolder(dirname(path))
      return stored
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    } finally {
      this.#receiving.delete(unfinished)
    }
  }

  /** What lies under a name that this store would not give is somebody else's. */
  #listed(kind: FileKind, tenantId: string, part: Part, place: string): Listed[] {
    const isUnfinished = place.endsWith(UNFINISHED)
    const id = place.slice(dirname(place).length + 1, isUnfinished ? -UNFINISHED.length : undefined)
    const name = { kind, tenantId, id }
    if (!isUuid(id) || place !== this.placeOf(name, part) + (isUnfinished ? UNFINISHED : '')) return []
    return [
      {
        id,
        place,
        isUnfinished,
        writtenAt: async () => (this.#receiving.has(place) ? null : writtenAt(place)),
        discard: (at) => this.#reaching(() => this.#discard(place, this.placeOf(name, 'trash'), at)),
        remove: () => this.#reaching(() => rm(place, { force: true })),
      },
    ]
  }

  /** The time comes first: by it the file stays in the trash for long enough, or where it is. */
  async #discard(place: string, trashed: string, at: number): Promise<void> {
    await makeFolderWithin(this.root, dirname(trashed))
    try {
      await utimes(place, new Date(at), new Date(at))
      await moveFile(place, trashed)
    } catch (error) {
      // Another node was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    await syncFolder(dirname(trashed))
  }
}

/** When a file was written, in milliseconds since 1970, or null where there is none. */
async function writtenAt(place: string): Promise<number | null> {
  const found = await stat(place).catch(() => null)
  return found?.isFile() ? found.mtimeMs : null
}

/** Throws where a folder is there and no file can be made in it. */
async function requireWritable(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  await access(join(folder, '.'), constants.W_OK | constants.X_OK)
}

/** The trash may be on another disk than what is moved into it. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const { mtime } = await stat(from)
    await copyFile(from, to)
    await utimes(to, mtime, mtime)
    sync(to)
    await rm(from, { force: true })
  }
}

/** What lies in a folder, or nothing where it is gone or none. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return []
    throw filesUnavailable(error)
  }
}
