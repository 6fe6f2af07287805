import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import { printsRecord, type RecordOptions } from '../command.ts'
import { print, warn } from '../print.ts'

/** `backup` and `restore`. */
export function backupCommands(root: Command): void {
  printsRecord(root.command('backup'))
    .description('write everything into one file, while the service may be running')
    .argument('<file>')
    .option('--force', 'replace the file when it exists')
    .action(async (file: string, options: RecordOptions & { force?: boolean }) => {
      const config = loadConfig(process.env, { dataDir: options.data })
      const elsewhere = config.files?.url ?? null
      const { backUp } = await import('../../backup/backup.ts')
      const { bytes, missing } = await backUp(config, file, { force: options.force ?? false, elsewhere })
      print({ file, bytes }, options)
      if (config.databaseUrl) {
        warn(
          'the database is not in the backup: dump it with `pg_dump --format=custom --file=FILE "$FRONTDESK_DATABASE_URL"`, and before the files, so that it names none that came later',
        )
      }
      if (elsewhere !== null) {
        warn(`uploads and attachments lie in ${elsewhere}: the backup is without them, so back that up after it`)
      }
      for (const name of missing) warn(`${name} is missing in ${config.dataDir}: the backup is without it`)
    })

  printsRecord(root.command('restore'))
    .description('replace what the data folder holds with a backup; the service must be stopped')
    .argument('<file>')
    .action(async (file: string, options: RecordOptions) => {
      const config = loadConfig(process.env, { dataDir: options.data })
      const place = config.files?.url ?? null
      const { restore } = await import('../../backup/restore.ts')
      const elsewhere = restore(config, file, place)
      print({ file, restoredInto: config.dataDir }, options)
      if (config.databaseUrl) warn('the database was not in the backup: restore its dump with pg_restore')
      if (elsewhere !== null) {
        const isThere = elsewhere === place ? '' : `, and FRONTDESK_FILES_URL says ${place ?? 'nothing'}`
        warn(`uploads and attachments were in ${elsewhere} and are not in the backup${isThere}`)
      }
    })
}
