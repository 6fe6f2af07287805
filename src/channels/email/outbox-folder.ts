import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolderWithin, syncFolder } from '../../lib/disk/durable.ts'

/** Files that appear whole, and stay once `add` has resolved, whatever happens to the machine. */
export class OutboxFolder {
  constructor(private readonly folder: string) {}

  /** Writes under another name first, so that whoever watches the folder never sees half a file. */
  async add(name: string, content: Uint8Array): Promise<void> {
    await makeFolderWithin(dirname(this.folder), this.folder)
    const unfinished = join(this.folder, `.${name}.part`)
    try {
      await writeDurably(unfinished, content)
      await rename(unfinished, join(this.folder, name))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    // A renamed file is safe once its folder is, too.
    await syncFolder(this.folder)
  }
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
