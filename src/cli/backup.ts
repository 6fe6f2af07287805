import type { Command } from 'commander'
import { backUp } from '../backup/backup.ts'
import { restore } from '../backup/restore.ts'
import { loadConfig } from '../config.ts'
import { printsRecord, type RecordOptions } from './command.ts'
import { print } from './print.ts'

/** `backup` and `restore`. */
export function backupCommands(root: Command): void {
  printsRecord(root.command('backup'))
    .description('write everything into one file, while the service may be running')
    .argument('<file>')
    .option('--force', 'replace the file when it exists')
    .action(async (file: string, options: RecordOptions & { force?: boolean }) => {
      const { dataDir } = loadConfig(process.env, { dataDir: options.data })
      print({ file, ...(await backUp(dataDir, file, { force: options.force ?? false })) }, options)
    })

  printsRecord(root.command('restore'))
    .description('replace what the data folder holds with a backup; the service must be stopped')
    .argument('<file>')
    .action(async (file: string, options: RecordOptions) => {
      const { dataDir } = loadConfig(process.env, { dataDir: options.data })
      await restore(dataDir, file)
      print({ file, restoredInto: dataDir }, options)
    })
}
