import { type Command, Option } from 'commander'
import { type Config, loadConfig } from '../../config.ts'
import { explainUnusable } from '../../db/index.ts'
import { UserError } from '../../errors.ts'
import { printsRecord, type RecordOptions } from '../command.ts'
import { print, say } from '../print.ts'

interface UpgradeOptions extends RecordOptions {
  check?: string
  describe?: boolean
}

/** `upgrade`. */
export function upgradeCommand(root: Command): void {
  printsRecord(root.command('upgrade'))
    .description('say what another executable would do with the data; changes nothing')
    .option('--check <file>', 'the executable')
    .addOption(new Option('--describe', 'what that one is asked').hideHelp())
    .action(async (options: UpgradeOptions) => {
      const { describe } = await import('../../upgrade/description.ts')
      if (options.describe) return say(JSON.stringify(await describe(process.env, options.data)))
      if (options.check === undefined) {
        throw new UserError('--check: name the executable; to upgrade, put it in the place of this one and restart')
      }
      await look(options.check, options)
    })
}

async function look(file: string, options: RecordOptions): Promise<void> {
  const config = loadConfig(process.env, { dataDir: options.data })
  const { askExecutable } = await import('../../upgrade/asking.ts')
  const { forecast } = await import('../../upgrade/forecast.ts')
  const { pastOf } = await import('../../db/versions.ts')
  const executable = await askExecutable(file, process.env, config.dataDir)
  const past = await pastOf(config).catch((error) => {
    throw explainUnusable(config, error)
  })
  try {
    const found = await forecast(executable, config.databaseUrl ? 'postgres' : 'sqlite', past)
    if (options.json) print(found, options)
    else for (const line of linesOf(found, past.hashes.length === 0, config)) say(line)
    if (found.outcome === 'refused') throw new UserError(`${file} would not start: ${found.why}`)
  } finally {
    await past.close()
  }
}

type Found = Awaited<ReturnType<typeof import('../../upgrade/forecast.ts').forecast>>

function linesOf({ version, outcome, steps }: Found, isEmpty: boolean, config: Config): string[] {
  if (outcome === 'refused') return []
  if (isEmpty) return [`version ${version} would make the database, which is not there yet`]
  if (outcome === 'nothing') return [`version ${version} would start on the database as it is`]
  return [
    `version ${version} would change the database at its start, all of it or nothing:`,
    ...steps.map(({ does, rows }) => `  ${does}${rows === null ? '' : `, ${rows.toLocaleString('en')} rows`}`),
    `No earlier version starts on it after that. ${isBackedUp(config) ? 'A backup is made before.' : 'Back up first.'}`,
  ]
}

/** Whether a start would back it up by itself before that. */
const isBackedUp = ({ databaseUrl, backup }: Config) => !databaseUrl || backup !== null
