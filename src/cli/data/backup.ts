import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { Restored } from '../../backup/restore.ts'
import { type BackupConfig, type Config, loadConfig } from '../../config.ts'
import { NoTools } from '../../db/index.ts'
import { UserError } from '../../errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { formatTime, parseTime } from '../../lib/time.ts'
import { earlierOption, printsRecord, type RecordOptions } from '../command.ts'
import { print, warn } from '../print.ts'

/** `backup` and `restore`. */
export function backupCommands(root: Command): void {
  const backup = printsRecord(root.command('backup'))
    .description('write everything into one file, while the service may be running')
    .argument('<file>')
    .option('--force', 'replace the file when it exists')
    .option('--files-only', 'leave a database of PostgreSQL out: it is dumped by other means')
    .action(async (file: string, options: RecordOptions & { force?: boolean; filesOnly?: boolean }) => {
      const config = loadConfig(process.env, { dataDir: options.data })
      const elsewhere = config.files?.url ?? null
      const { backUp } = await import('../../backup/backup.ts')
      const { force = false, filesOnly = false } = options
      if (filesOnly && !config.databaseUrl) {
        throw new UserError('--files-only: the database lies in the data folder, and is in every backup of it')
      }
      const { bytes, missing } = await orFilesOnly(() =>
        backUp(config, file, { force, elsewhere, withDump: !filesOnly }),
      )
      print({ file, bytes }, options)
      if (filesOnly) {
        warn(
          'the database is not in the backup: dump it with `pg_dump --format=custom --file=FILE "$FRONTDESK_DATABASE_URL"`, and before the files, so that it names none that came later',
        )
      }
      if (elsewhere !== null) {
        warn(`uploads and attachments lie in ${elsewhere}: the backup is without them, so back that up after it`)
      }
      for (const name of missing) warn(`${name} is missing in ${config.dataDir}: the backup is without it`)
    })
  nowCommand(backup)
  listCommand(backup)
  restoreCommand(root)
}

/** Says how to go on without the tools that dump a database. */
async function orFilesOnly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NoTools)) throw error
    throw new UserError(`${error.message}; or dump the database by other means, and use --files-only`)
  }
}

/** `backup now`: as the service makes them by itself. */
function nowCommand(backup: Command): void {
  printsRecord(backup.command('now'))
    .description(
      'make a backup where FRONTDESK_BACKUP_TO says, check it, and remove older ones that are not to be kept',
    )
    .option('--paced', 'pause after every megabyte, for those who use the service meanwhile')
    .addOption(earlierOption('--at <time>'))
    .action(async (own: RecordOptions & { at?: string; paced?: boolean }, command: Command) => {
      const options = { ...command.optsWithGlobals(), ...own }
      const config = loadConfig(process.env, { dataDir: options.data })
      const at = parseTime(options.at ?? '')
      const { makeBackup } = await import('../../backup/make.ts')
      const { paced, unpaced } = await import('../../backup/pace.ts')
      const made = await makeBackup(config, placeOf(config.backup), at === null ? systemClock.now() : Date.parse(at), {
        pace: options.paced ? paced() : unpaced,
      })
      if (options.json) print(made, options)
      else print({ name: made.name, at: formatTime(made.at), size: made.size, place: made.place }, options)
      for (const name of made.missing) warn(`${name} is missing in ${config.dataDir}: the backup is without it`)
    })
}

/** `backup list`. */
function listCommand(backup: Command): void {
  printsRecord(backup.command('list'))
    .description('the backups that lie where FRONTDESK_BACKUP_TO says, newest first')
    .addOption(new Option('--note', 'what the service asks').hideHelp())
    .action(async (own: RecordOptions & { note?: boolean }, command: Command) => {
      const options = { ...command.optsWithGlobals(), ...own }
      const config = loadConfig(process.env, { dataDir: options.data })
      if (options.note) return note(config, options)
      const { shelvesOf } = await import('../../backup/shelves/shelf.ts')
      const { judge } = await import('../../backup/thinning.ts')
      const workplace = existsSync(config.dataDir) ? config.dataDir : tmpdir()
      const listed = []
      for (const { prefix, shelf } of await shelvesOf(placeOf(config.backup).to)) {
        for (const { name, ...found } of await judge(shelf, await shelf.list(), workplace)) {
          listed.push({ name: prefix + name, ...found })
        }
      }
      print(
        listed
          .sort((a, b) => b.at - a.at)
          .map(({ name, at, size, verdict }) => ({ name, at: formatTime(at), size, good: verdict === 'good' })),
        options,
      )
    })
}

/** Looks at those that nobody has checked, as nobody waits for it, and prints those that are not good. */
async function note(config: Config, options: RecordOptions): Promise<void> {
  const { lookAtBackups } = await import('../../backup/make.ts')
  const { paced } = await import('../../backup/pace.ts')
  print(await lookAtBackups(config, placeOf(config.backup), paced()), options)
}

function placeOf(backup: BackupConfig | null): BackupConfig {
  if (backup) return backup
  throw new UserError('FRONTDESK_BACKUP_TO: must be set to the place of backups, a folder or s3://bucket/prefix')
}

function restoreCommand(root: Command): void {
  printsRecord(root.command('restore'))
    .description('replace what the data folder holds with a backup; the service must be stopped')
    .argument('<file>')
    .action(async (file: string, options: RecordOptions) => {
      const config = loadConfig(process.env, { dataDir: options.data })
      const place = config.files?.url ?? null
      const { elsewhere, hasDump } = await restoreNamed(config, file)
      print({ file, restoredInto: config.dataDir }, options)
      if (config.databaseUrl && !hasDump) warn('the database was not in the backup: restore its dump with pg_restore')
      if (elsewhere !== null) {
        const isThere = elsewhere === place ? '' : `, and FRONTDESK_FILES_URL says ${place ?? 'nothing'}`
        warn(`uploads and attachments were in ${elsewhere} and are not in the backup${isThere}`)
      }
    })
}

/** A file, or a backup as `backup list` calls it. */
async function restoreNamed(config: Config, named: string): Promise<Restored> {
  const [{ restore }, { findBackup }, { openWorkshop }] = await Promise.all([
    import('../../backup/restore.ts'),
    import('../../backup/find.ts'),
    import('../../folder/leftovers.ts'),
  ])
  const opened: { close(): void }[] = []
  try {
    const file = await findBackup(named, config.backup, () => {
      const { folder, close } = openWorkshop(null, join(tmpdir(), 'fetched'))
      opened.push({ close })
      return folder
    })
    return restore(config, file, config.files?.url ?? null)
  } finally {
    for (const { close } of opened) close()
  }
}
