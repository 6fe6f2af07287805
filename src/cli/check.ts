import type { Command } from 'commander'
import type { Finding } from '../check/finding.ts'
import { check } from '../check/index.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { UserError } from '../errors.ts'
import { systemClock } from '../lib/clock.ts'
import { printsRecord, type RecordOptions } from './command.ts'
import { print, say } from './print.ts'

/** `check`. */
export function checkCommand(root: Command): void {
  printsRecord(root.command('check'))
    .description('look for what is wrong with the data folder and the configuration; changes nothing')
    .action(async (options: RecordOptions) => {
      const { config, ofConfig } = readConfig(options)
      const found = [...ofConfig, ...(await check(config, systemClock.now()))]
      if (options.json) print(found, options)
      else if (found.length === 0) say(`${config.dataDir} is in order`)
      else for (const { where, problem, remedy } of found) say(`${where}: ${problem}: ${remedy}`)
      if (found.length > 0) throw new UserError(found.length === 1 ? '1 finding' : `${found.length} findings`)
    })
}

/** A bad variable is a finding, and what can be looked at without it is looked at all the same. */
function readConfig({ data }: RecordOptions): { config: Parameters<typeof check>[0]; ofConfig: Finding[] } {
  try {
    return { config: loadConfig(process.env, { dataDir: data }), ofConfig: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const config = loadConfig(
      { FRONTDESK_DATA: process.env.FRONTDESK_DATA, FRONTDESK_SECRET_KEY: secretKeyUnlessBad() },
      { dataDir: data },
    )
    const [where = '', ...problem] = error.message.split(': ')
    const finding = { where, problem: problem.join(': '), remedy: 'until then the service does not start' }
    return { config, ofConfig: [finding] }
  }
}

function secretKeyUnlessBad(): string | undefined {
  const { FRONTDESK_SECRET_KEY } = process.env
  try {
    loadConfig({ FRONTDESK_SECRET_KEY })
    return FRONTDESK_SECRET_KEY
  } catch {
    return undefined
  }
}
