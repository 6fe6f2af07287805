import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { UserError } from '../errors.ts'
import type { Files } from './files.ts'
import { FolderFiles } from './folder.ts'
import { S3Files } from './s3.ts'

/** In the data folder: files on their way to a store elsewhere, for as long as that takes. */
const RECEIVING = 'receiving'

/**
 * The file store that FRONTDESK_FILES_URL says, or the data folder (decisions §11). One for a service. Throws UserError
 * where a shared folder is not there: it may not be mounted, and another would be written to in its place.
 */
export function openFiles({ dataDir, files }: Pick<Config, 'dataDir' | 'files'>): Files {
  if (files === null) return new FolderFiles(dataDir)
  if (files.kind === 's3') return new S3Files(files, join(dataDir, RECEIVING))
  if (!existsSync(files.folder)) throw new UserError(`FRONTDESK_FILES_URL: there is no folder ${files.folder}`)
  return new FolderFiles(files.folder)
}
