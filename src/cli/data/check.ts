import type { Command } from 'commander'
import type { CheckConfig } from '../../check/config.ts'
import type { Finding } from '../../check/finding.ts'
import { check } from '../../check/index.ts'
import { ConfigError, loadConfig, s3Variables } from '../../config.ts'
import { UserError } from '../../errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { printsRecord, type RecordOptions } from '../command.ts'
import { print, say, warn } from '../print.ts'

/** `check`. */
export function checkCommand(root: Command): void {
  printsRecord(root.command('check'))
    .description('look for what is wrong with the data folder and the configuration; changes nothing')
    .option('--backup <file>', 'restore this backup into a temporary folder and check that instead')
    .action(async (options: RecordOptions & { backup?: string }) => {
      const { what, found, untried } =
        options.backup === undefined ? await ofData(options) : await ofBackup(options.backup, options)
      if (options.json) print(found, options)
      else if (found.length === 0) say(`${what} is in order`)
      else for (const { where, problem, remedy } of found) say(`${where}: ${problem}: ${remedy}`)
      if (untried !== null) warn(untried)
      if (found.length > 0) throw new UserError(found.length === 1 ? '1 finding' : `${found.length} findings`)
    })
}

async function ofData(options: RecordOptions) {
  const { config, ofConfig } = readConfig(options)
  return { what: config.dataDir, found: [...ofConfig, ...(await check(config, systemClock.now()))], untried: null }
}

async function ofBackup(file: string, { data }: RecordOptions) {
  const { drill } = await import('../../check/drill.ts')
  return { what: file, ...(await drill(loadConfig(process.env, { dataDir: data }), file, systemClock.now())) }
}

/** What is looked at without the rest of the configuration where a variable is bad. */
const DATABASE = ['FRONTDESK_DATABASE_URL', 'FRONTDESK_SECRET_KEY']
const FILES = ['FRONTDESK_FILES_URL', ...s3Variables]

/** A bad variable is a finding, and what can be looked at without it is looked at all the same. */
function readConfig({ data }: RecordOptions): { config: CheckConfig; ofConfig: Finding[] } {
  try {
    return { config: loadConfig(process.env, { dataDir: data }), ofConfig: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [database, files] = [unlessBad(DATABASE), unlessBad(FILES)]
    const config = loadConfig({ FRONTDESK_DATA: process.env.FRONTDESK_DATA, ...database, ...files }, { dataDir: data })
    const isElsewhere = Boolean(process.env.FRONTDESK_DATABASE_URL)
    const [where = '', ...problem] = error.message.split(': ')
    const finding = { where, problem: problem.join(': '), remedy: 'until then the service does not start' }
    return {
      config: {
        ...config,
        databaseUrl: database || !isElsewhere ? config.databaseUrl : 'unknown',
        files: files ? config.files : 'unknown',
      },
      ofConfig: [finding],
    }
  }
}

/** These variables, or null where one of them is bad. */
function unlessBad(names: readonly string[]): Record<string, string | undefined> | null {
  const environment = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  try {
    loadConfig(environment)
    return environment
  } catch {
    return null
  }
}
