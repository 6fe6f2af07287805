import type { BackupConfig } from '../../config.ts'
import { BEFORE_UPGRADES } from '../../folder/names.ts'
import { FolderShelf } from './folder.ts'
import type { Shelf } from './shelved.ts'

/** Where backups go. */
export type BackupPlace = BackupConfig['to']

/** The place that backups are made to by themselves. */
export async function openShelf(to: BackupPlace): Promise<Shelf> {
  if (to.kind === 'folder') return new FolderShelf(to.folder)
  const { BucketShelf } = await import('./bucket.ts')
  return new BucketShelf(to)
}

export const folderAt = (folder: string): BackupPlace => ({ kind: 'folder', url: folder, folder })

/**
 * Where in such a place those lie that were made before an upgrade: apart, since the others are thinned out, by the day for
 * example, and one of these stays for as long as it may be needed.
 */
export function beforeUpgradesIn(to: BackupPlace): BackupPlace {
  if (to.kind === 'folder') return folderAt(`${to.folder}/${BEFORE_UPGRADES}`)
  return { ...to, url: `${to.url.replace(/\/$/, '')}/${BEFORE_UPGRADES}`, prefix: `${to.prefix}${BEFORE_UPGRADES}/` }
}

/** All shelves of a place, each with what the names of its backups begin with for an administrator. */
export async function shelvesOf(to: BackupPlace): Promise<{ prefix: string; shelf: Shelf }[]> {
  return [
    { prefix: '', shelf: await openShelf(to) },
    { prefix: `${BEFORE_UPGRADES}/`, shelf: await openShelf(beforeUpgradesIn(to)) },
  ]
}
