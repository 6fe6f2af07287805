import type { BackupConfig } from '../config.ts'
import { FolderShelf } from './folder-shelf.ts'
import type { Shelf } from './shelved.ts'

/** The place that backups are made to by themselves. */
export async function openShelf(to: BackupConfig['to']): Promise<Shelf> {
  if (to.kind === 'folder') return new FolderShelf(to.folder)
  const { BucketShelf } = await import('./bucket-shelf.ts')
  return new BucketShelf(to)
}
