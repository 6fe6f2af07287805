import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UNFINISHED } from '../backup/names.ts'
import { freeBytes } from '../lib/disk.ts'
import { makeFolderWithin, syncFolder } from '../lib/durable.ts'
import { receive } from './content.ts'
import { type Files, filesUnavailable } from './files.ts'
import { type FileKind, type FileName, pathOf } from './names.ts'

/** Files in a folder: `ROOT/{kind}/{tenantId}/{last two of the id}/{id}`. Several nodes may share it. */
export function folderFiles(root: string, { isShared }: { isShared: boolean }): Files {
  /** Files that are being received by this store now, by their paths. */
  const receiving = new Set<string>()
  const placeOf = (name: FileName) => join(root, pathOf(name))

  /** A folder that is gone has been unmounted: nothing may be written in its place. */
  async function reaching<T>(work: () => Promise<T>): Promise<T> {
    if (!existsSync(root)) throw filesUnavailable(new Error(`${root} is gone`))
    return work()
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

  async function* list(kind: FileKind) {
    for (const tenantId of await namesIn(join(root, kind))) {
      for (const folder of await namesIn(join(root, kind, tenantId))) {
        const names = await namesIn(join(root, kind, tenantId, folder))
        yield { tenantId, files: names.map((id) => listed(id, join(root, kind, tenantId, folder, id))) }
      }
    }
  }

  function listed(id: string, place: string) {
    return {
      id,
      place,
      async writtenAt() {
        const found = receiving.has(place) ? null : await stat(place).catch(() => null)
        return found?.isFile() ? found.mtimeMs : null
      },
      remove: () => rm(place, { force: true }),
    }
  }

  return {
    store: (name, content, maxSize) => reaching(() => store(name, content, maxSize)),
    read: (name) =>
      reaching(async () => {
        const file = Bun.file(placeOf(name))
        return (await file.exists()) ? file : null
      }),
    remove: (name) => reaching(() => rm(placeOf(name), { force: true })),
    list,
    placeOf,
    freeBytes: () => reaching(() => freeBytes(root)),
    isShared,
  }
}

/** What lies in a folder, or nothing where it is gone or none. */
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
