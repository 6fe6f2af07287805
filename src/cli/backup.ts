import type { Command } from 'commander'
import { backUp } from '../backup/backup.ts'
import { restore } from '../backup/restore.ts'
import { type Config, loadConfig } from '../config.ts'
import { UserError } from '../errors.ts'
import { printsRecord, type RecordOptions } from './command.ts'
import { print, warn } from './print.ts'

/** `backup` and `restore`. */
export function backupCommands(root: Command): void {
  printsRecord(root.command('backup'))
    .description('write everything into one file, while the service may be running')
    .argument('<file>')
    .option('--force', 'replace the file when it exists')
    .action(async (file: string, options: RecordOptions & { force?: boolean }) => {
      const { dataDir, files } = folderOf(options)
      const elsewhere = files?.url ?? null
      const { bytes, missing } = backUp(dataDir, file, { force: options.force ?? false, elsewhere })
      print({ file, bytes }, options)
      if (elsewhere !== null) {
        warn(`uploads and attachments lie in ${elsewhere}: the backup is without them, so back that up after it`)
      }
      for (const name of missing) warn(`${name} is missing in ${dataDir}: the backup is without it`)
    })

  printsRecord(root.command('restore'))
    .description('replace what the data folder holds with a backup; the service must be stopped')
    .argument('<file>')
    .action(async (file: string, options: RecordOptions) => {
      const { dataDir, files } = folderOf(options)
      const place = files?.url ?? null
      const elsewhere = restore(dataDir, file, place)
      print({ file, restoredInto: dataDir }, options)
      if (elsewhere !== null) {
        const isThere = elsewhere === place ? '' : `, and FRONTDESK_FILES_URL says ${place ?? 'nothing'}`
        warn(`uploads and attachments were in ${elsewhere} and are not in the backup${isThere}`)
      }
    })
}

/** Throws UserError where the database is not in the data folder. */
function folderOf(options: RecordOptions): Config {
  const config = loadConfig(process.env, { dataDir: options.data })
  if (!config.databaseUrl) return config
  const folders = config.files ? `${config.dataDir} and ${config.files.url}` : config.dataDir
  throw new UserError(`FRONTDESK_DATABASE_URL: back up the database with pg_dump, and then ${folders} with any tool`)
}
