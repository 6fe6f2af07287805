import { constants, existsSync } from 'node:fs'
import { access, copyFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MARK_FILE, TRASH, UNFINISHED } from '../folder/names.ts'
import { type FileKind, fileKinds } from '../kinds/files.ts'
import { freeBytes, isFileFault, probeFolder } from '../lib/disk.ts'
import { makeFolderWithin, sync, syncFolder } from '../lib/durable.ts'
import { isUuid } from '../lib/ids.ts'
import { receive } from './content.ts'
import { type Files, filesUnavailable, type Listed, type Part } from './files.ts'
import { readMarkFile, writeMarkFile } from './mark-file.ts'
import { type FileName, pathOf } from './names.ts'

/**
 * Files in a folder: `ROOT/{kind}/{tenantId}/{last two of the id}/{id}`, and in the same order under `ROOT/trash`.
 * Several nodes may share it.
 */
export function folderFiles(root: string): Files {
  /** Files that are being received by this store now, by their paths. */
  const receiving = new Set<string>()
  const rootOf = (part: Part) => (part === 'kept' ? root : join(root, TRASH))
  const placeOf = (name: FileName, part: Part = 'kept') => join(rootOf(part), pathOf(name))

  /** A folder that is gone has been unmounted: nothing may be written in its place. */
  async function reaching<T>(work: () => Promise<T>): Promise<T> {
    if (!existsSync(root)) throw filesUnavailable(new Error(`${root} is gone`))
    try {
      return await work()
    } catch (error) {
      throw isFileFault(error) ? filesUnavailable(error) : error
    }
  }

  async function store(name: FileName, content: AsyncIterable<Uint8Array>, maxSize: number) {
    const path = placeOf(name)
    const unfinished = path + UNFINISHED
    await makeFolderWithin(root, dirname(path))
    receiving.add(unfinished)
    try {
      const stored = await receive(unfinished, content, maxSize)
      await rename(unfinished, path)
      await syncFolder(dirname(path))
      return stored
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    } finally {
      receiving.delete(unfinished)
    }
  }

  async function* list(kind: FileKind, part: Part = 'kept') {
    const top = join(rootOf(part), kind)
    for (const tenantId of (await namesIn(top)).filter(isUuid)) {
      for (const folder of await namesIn(join(top, tenantId))) {
        const names = await namesIn(join(top, tenantId, folder))
        yield {
          tenantId,
          files: names.flatMap((name) => listed(kind, tenantId, part, join(top, tenantId, folder, name))),
        }
      }
    }
  }

  /** What lies under a name that this store would not give is somebody else's. */
  function listed(kind: FileKind, tenantId: string, part: Part, place: string): Listed[] {
    const isUnfinished = place.endsWith(UNFINISHED)
    const id = place.slice(dirname(place).length + 1, isUnfinished ? -UNFINISHED.length : undefined)
    const name = { kind, tenantId, id }
    if (!isUuid(id) || place !== placeOf(name, part) + (isUnfinished ? UNFINISHED : '')) return []
    return [
      {
        id,
        place,
        isUnfinished,
        async writtenAt() {
          const found = receiving.has(place) ? null : await stat(place).catch(() => null)
          return found?.isFile() ? found.mtimeMs : null
        },
        discard: (at) => reaching(() => discard(place, placeOf(name, 'trash'), at)),
        remove: () => reaching(() => rm(place, { force: true })),
      },
    ]
  }

  /** The time comes first: by it the file stays in the trash for long enough, or where it is. */
  async function discard(place: string, trashed: string, at: number): Promise<void> {
    await makeFolderWithin(root, dirname(trashed))
    try {
      await utimes(place, new Date(at), new Date(at))
      await moveFile(place, trashed)
    } catch (error) {
      // Another node was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    await syncFolder(dirname(trashed))
  }

  return {
    store: (name, content, maxSize) => reaching(() => store(name, content, maxSize)),
    read: (name) =>
      reaching(async () => {
        const file = Bun.file(placeOf(name))
        return (await file.exists()) ? file : null
      }),
    remove: (name) =>
      reaching(async () => {
        for (const part of ['kept', 'trash'] as const) await rm(placeOf(name, part), { force: true })
      }),
    list,
    // They lie among the others.
    removeUnfinished: async () => {},
    readMark: () => reaching(async () => readMarkFile(root)),
    writeMark: (id) => reaching(async () => writeMarkFile(root, id)),
    markPlace: join(root, MARK_FILE),
    probe: () =>
      reaching(async () => {
        await probeFolder(root)
        for (const kind of fileKinds) await requireWritable(join(root, kind))
      }),
    placeOf,
    freeBytes: () => reaching(() => freeBytes(root)),
  }
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
